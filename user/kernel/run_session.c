// SPDX-License-Identifier: GPL-2.0-only
// In: the target's disk and the number of slots. Out: the run programs
// attached, their records and counts mapped.
#include "kernel/run_session.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "kernel/drift.h"
#include "kernel/nvme_hooks.h"
#include "kernel/run_hooks.h"
#include "kernel/symbols.h"
#include "run.skel.h"
#include "run_raw.skel.h"

/* Bios remembered beside one for each slot: children of split I/Os. A full map
 * is counted, never silent.
 */
enum { CHILDREN = 65536 };

struct run_session {
	struct run_bpf *skel;
	const struct run_config *config; /* while it is opened */
	enum flavour flavour;
	struct kernel_facts facts;
	struct nvme_hooks nvme;
	struct run_hooks hooks;
	struct iostrata_record *records;
	struct iostrata_control *control;
	struct iostrata_run_counts *counts; /* of each CPU */
	uint32_t slots;
	unsigned int cpus;
};

/* The end functions by which a direct I/O's bio is known; those that cannot be
 * found leave that way shut and the other two open.
 */
static void find_symbols(struct run_bpf *skel)
{
	struct symbol symbols[] = {
		[IOSTRATA_END_IO_BLKDEV_ASYNC] = { "blkdev_bio_end_io_async", 0 },
		[IOSTRATA_END_IO_BLKDEV] = { "blkdev_bio_end_io", 0 },
		[IOSTRATA_END_IO_IOMAP] = { "iomap_dio_bio_end_io", 0 },
		[IOSTRATA_END_IO_COUNT] = { "io_complete_rw", 0 },
	};
	FILE *kallsyms = fopen("/proc/kallsyms", "re");

	if (!kallsyms)
		return;
	symbols_find(kallsyms, symbols, IOSTRATA_END_IO_COUNT + 1);
	fclose(kallsyms);
	for (int i = 0; i < IOSTRATA_END_IO_COUNT; i++)
		skel->rodata->cfg_end_io[i] = symbols[i].address;
	skel->rodata->cfg_io_complete_rw = symbols[IOSTRATA_END_IO_COUNT].address;
}

/* Our process as the kernel can recognise it from inside a pid namespace. */
static int find_self(struct run_bpf *skel, struct why *why)
{
	struct stat ns;

	if (stat("/proc/self/ns/pid", &ns))
		return why_set(why, -errno, EXIT_FAILED, "/proc/self/ns/pid: %s; is /proc mounted?",
			       why_text(errno));
	skel->rodata->cfg_pidns_dev = (uint64_t)major(ns.st_dev) << 20 | minor(ns.st_dev);
	skel->rodata->cfg_pidns_ino = ns.st_ino;
	skel->rodata->cfg_tgid = (uint32_t)getpid();
	return 0;
}

static int configure(struct run_session *session, struct why *why)
{
	const struct run_config *config = session->config;
	struct run_bpf *skel = session->skel;
	int err = kernel_facts_read(config->btf, &session->facts, why);

	if (!err)
		err = find_self(skel, why);
	if (err)
		return err;
	if (!session->facts.has_submit_req && !session->facts.has_submit_sqe)
		return why_set(why, -ENOSYS, EXIT_KERNEL_LACKS,
			       "this kernel has neither tracepoint io_uring_submit_req nor "
			       "io_uring_submit_sqe, so `run` cannot follow its I/Os; `load` and "
			       "`trace` work");
	KERNEL_FACTS_SET(skel->rodata, &session->facts);
	skel->rodata->cfg_dev = config->dev;
	skel->rodata->cfg_bio_based = config->bio_based;
	bpf_program__set_autoload(skel->progs.on_io_uring_submit_req, session->facts.has_submit_req);
	bpf_program__set_autoload(skel->progs.on_io_uring_submit_sqe, !session->facts.has_submit_req);
	find_symbols(skel);
	nvme_hooks_hold_back(skel->obj);
	run_hooks_choose(&session->hooks, skel->obj, session->facts.bio_queued_mask != 0);
	session->slots = config->slots;
	err = bpf_map__set_max_entries(skel->maps.records, config->slots);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.bios, 2 * config->slots + CHILDREN);
	session->cpus = session_cpus();
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.run_counts, session->cpus);
	return err ? why_set(why, err, EXIT_FAILED, "cannot size the BPF maps: %s", why_text(err))
		   : 0;
}

static int open_programs(struct run_session *session, enum flavour flavour)
{
	struct run_bpf *skel = calloc(1, sizeof(*skel));
	int err;

	if (!skel)
		return -ENOMEM;
	session->skel = skel;
	err = run_bpf__create_skeleton(skel);
	return err ? err
		   : flavour_open(skel->skeleton, flavour, run_raw_bpf__elf_bytes,
				  session->config->btf);
}

static int load_programs(struct run_session *session, enum flavour flavour, struct why *why)
{
	int err = open_programs(session, flavour);

	if (err)
		return session_refused(why, err, "opening the run programs");
	err = configure(session, why);
	if (err)
		return err;
	err = run_bpf__load(session->skel);
	return err ? session_refused(why, err, "loading the run programs") : 0;
}

static int try_flavour(void *opaque, enum flavour flavour, struct why *why)
{
	struct run_session *session = opaque;
	int err;

	session->hooks = (struct run_hooks){ .best = RUN_BY_FENTRY };
	do {
		*why = (struct why){ 0 };
		err = load_programs(session, flavour, why);
		if (!err)
			return 0;
		run_bpf__destroy(session->skel);
		session->skel = NULL;
	} while (err != -ENOMEM && run_hooks_lower(&session->hooks));
	return err;
}

static int open_session(struct run_session *session, struct why *why)
{
	int err = flavour_load(session->config->flavour, try_flavour, session, &session->flavour, why);

	if (err)
		return err;
	session->records = session_map(session->skel->maps.records, 1, why);
	session->control = session_map(session->skel->maps.control, 1, why);
	session->counts = session_map(session->skel->maps.run_counts, 0, why);
	if (!session->records || !session->control || !session->counts)
		return -ENOMEM; /* session_map said why */
	err = run_bpf__attach(session->skel);
	if (err)
		return session_refused(why, err, "attaching to the io_uring and block tracepoints");
	run_hooks_attach(&session->hooks, session->skel->obj);
	return nvme_hooks_attach(&session->nvme, session->skel->obj, why);
}

int run_session_open(const struct run_config *config, struct why *why, struct run_session **out)
{
	struct run_session *session = calloc(1, sizeof(*session));
	int err;

	if (!session)
		return why_set(why, -ENOMEM, EXIT_FAILED, "out of memory");
	session_quiet();
	session->config = config;
	err = open_session(session, why);
	session->config = NULL;
	if (err) {
		run_session_close(session);
		return err;
	}
	*out = session;
	return 0;
}

enum flavour run_session_flavour(const struct run_session *session)
{
	return session->flavour;
}

struct iostrata_record *run_session_records(struct run_session *session)
{
	return session->records;
}

struct iostrata_control *run_session_control(struct run_session *session)
{
	return session->control;
}

void run_session_expect_ring(struct run_session *session, bool expect)
{
	__atomic_store_n(&session->skel->bss->expect_ring, expect, __ATOMIC_RELEASE);
}

bool run_session_has_ring(const struct run_session *session)
{
	return session->skel->bss->ring_context != 0;
}

void run_session_counts(const struct run_session *session, uint64_t out[IOSTRATA_RUN_COUNT])
{
	for (int i = 0; i < IOSTRATA_RUN_COUNT; i++)
		out[i] = 0;
	for (unsigned int cpu = 0; cpu < session->cpus; cpu++)
		for (int i = 0; i < IOSTRATA_RUN_COUNT; i++)
			out[i] += session->counts[cpu].count[i];
}

uint64_t run_session_contended(const struct run_session *session)
{
	return session->skel->bss->atomics_contended;
}

struct run_depths run_session_depths(const struct run_session *session)
{
	return (struct run_depths){ .waiting_max = session->skel->bss->waiting.max,
				    .waiting_ns = session->skel->bss->waiting.spent_ns,
				    .in_flight_max = session->skel->bss->in_flight.max };
}

uint32_t run_session_boundaries(const struct run_session *session)
{
	uint32_t all = (1u << IOSTRATA_BOUNDARY_COUNT) - 1, nvme;

	nvme = 1u << IOSTRATA_PREPARED | 1u << IOSTRATA_ANSWERED | 1u << IOSTRATA_DRIVER_DONE;
	if (session->hooks.way[RUN_HOOK_BIO] == RUN_UNHOOKED)
		all &= ~(1u << IOSTRATA_BIO);
	return session->nvme.attached ? all : all & ~nvme;
}

/* Without who waits for a tag, what the rest is would not be known either. */
bool run_session_has_waits(const struct run_session *session)
{
	const enum run_way *way = session->hooks.way;

	return way[RUN_HOOK_SUBMIT] && way[RUN_HOOK_TAG] && way[RUN_HOOK_QOS];
}

enum run_way run_session_way(const struct run_session *session, enum run_hook hook)
{
	return session->hooks.way[hook];
}

unsigned int run_session_programs(const struct run_session *session, struct session_program *out,
				  unsigned int count)
{
	return session_programs(session->skel->obj, out, count);
}

void run_session_close(struct run_session *session)
{
	if (!session)
		return;
	if (session->records)
		munmap(session->records, sizeof(*session->records) * session->slots);
	if (session->control)
		munmap(session->control, sizeof(*session->control));
	if (session->counts)
		munmap(session->counts, sizeof(*session->counts) * session->cpus);
	nvme_hooks_detach(&session->nvme);
	run_hooks_detach(&session->hooks);
	if (session->skel)
		run_bpf__destroy(session->skel);
	free(session);
}
