// SPDX-License-Identifier: GPL-2.0-only
// In: which devices. Out: the programs loaded, attached, gated, detached.
#include "kernel/trace_session.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "kernel/drift.h"
#include "kernel/privilege.h"
#include "kernel/trace_memory.h"
#include "trace.skel.h"
#include "trace_raw.skel.h"

/* Every CPU has its own copy of each series: on large machines there are fewer. */
static unsigned int series_for(unsigned int cpus)
{
	unsigned int fit = IOSTRATA_SERIES_COPIES / cpus;

	if (fit < IOSTRATA_SERIES_MIN)
		return IOSTRATA_SERIES_MIN;
	return fit < IOSTRATA_SERIES_MAX ? fit : IOSTRATA_SERIES_MAX;
}

static int configure(struct trace_session *session, struct why *why)
{
	const struct trace_config *config = session->config;
	struct trace_bpf *skel = session->skel;
	struct kernel_facts facts;
	int err = kernel_facts_read(config->btf, &facts, why);

	if (err)
		return err;
	session->cpus = session_cpus();
	session->table_sets = config->table_sets ? config->table_sets : IOSTRATA_TABLE_SETS;
	KERNEL_FACTS_SET(skel->rodata, &facts);
	skel->rodata->cfg_cpus = session->cpus;
	skel->rodata->cfg_table_sets = session->table_sets;
	skel->rodata->cfg_filter_devices = config->dev_count != 0;
	skel->rodata->cfg_late_devices = nvme_trace_has_paths(config->devs, config->dev_count);
	bpf_program__set_autoload(skel->progs.on_block_rq_insert, config->insert_stamps);
	session->series_max = series_for(session->cpus);
	err = bpf_map__set_max_entries(skel->maps.series, session->series_max * session->cpus);
	/* A number without a name is what says that there is no room. */
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.series_names, session->series_max);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.in_flight, session->table_sets);
	if (!err)
		err = nvme_trace_configure(&session->nvme, skel, session->cpus,
					   session->table_sets, config->btf);
	return err ? why_set(why, err, EXIT_FAILED, "cannot size the BPF maps: %s", why_text(err))
		   : 0;
}

static int map_memory(struct trace_session *session, struct why *why)
{
	struct trace_bpf *skel = session->skel;

	session->series = session_map(skel->maps.series, 0, why);
	session->names = session_map(skel->maps.series_names, 0, why);
	session->devices = session_map(skel->maps.devices, 0, why);
	session->table = session_map(skel->maps.in_flight, 0, why);
	return session->series && session->names && session->devices && session->table ? 0
										      : -ENOMEM;
}

/* Chosen devices have their numbers before anything is attached. */
static int choose_devices(struct trace_session *session, const struct trace_config *config,
			  struct why *why)
{
	struct trace_bpf *skel = session->skel;

	if (config->dev_count > IOSTRATA_DEVICES_MAX)
		return why_set(why, -E2BIG, EXIT_USAGE, "at most %d devices can be named",
			       IOSTRATA_DEVICES_MAX);
	for (uint32_t i = 0; i < config->dev_count; i++) {
		struct iostrata_device device = { .dev = config->devs[i], .used = 1 };

		if (bpf_map_update_elem(bpf_map__fd(skel->maps.device_index), &config->devs[i], &i,
					BPF_ANY) ||
		    bpf_map_update_elem(bpf_map__fd(skel->maps.devices), &i, &device, BPF_ANY))
			return why_set(why, -errno, EXIT_FAILED, "cannot set the device filter: %s",
				       why_text(errno));
	}
	return nvme_trace_choose(skel, config->devs, config->dev_count, why);
}

static int open_programs(struct trace_session *session, enum flavour flavour)
{
	struct trace_bpf *skel = calloc(1, sizeof(*skel));
	int err;

	if (!skel)
		return -ENOMEM;
	session->skel = skel;
	err = trace_bpf__create_skeleton(skel);
	return err ? err
		   : flavour_open(skel->skeleton, flavour, trace_raw_bpf__elf_bytes,
				  session->config->btf);
}

static int load_programs(struct trace_session *session, enum flavour flavour, struct why *why)
{
	int err = open_programs(session, flavour);

	if (err)
		return session_refused(why, err, "opening the trace programs");
	err = configure(session, why);
	if (err)
		return err;
	err = trace_bpf__load(session->skel);
	return err ? session_refused(why, err, "loading the trace programs") : 0;
}

static int try_flavour(void *opaque, enum flavour flavour, struct why *why)
{
	struct trace_session *session = opaque;
	int err = load_programs(session, flavour, why);

	if (!err)
		return 0;
	trace_bpf__destroy(session->skel);
	session->skel = NULL;
	return err;
}

static int open_session(struct trace_session *session, struct why *why)
{
	const struct trace_config *config = session->config;
	int err = flavour_load(config->flavour, try_flavour, session, &session->flavour, why);

	if (err)
		return err;
	err = map_memory(session, why);
	if (!err)
		err = choose_devices(session, config, why);
	if (err)
		return err;
	err = trace_bpf__attach(session->skel);
	if (err)
		return session_refused(why, err, "attaching to the block tracepoints");
	return nvme_trace_open(&session->nvme, session->skel, why);
}

int trace_session_open(const struct trace_config *config, struct why *why,
		       struct trace_session **out)
{
	struct trace_session *session = calloc(1, sizeof(*session));
	int err;

	if (!session)
		return why_set(why, -ENOMEM, EXIT_FAILED, "out of memory");
	session_quiet();
	session->config = config;
	err = open_session(session, why);
	session->config = NULL;
	if (err) {
		trace_session_close(session);
		return err;
	}
	*out = session;
	return 0;
}

uint64_t trace_session_start(struct trace_session *session)
{
	__atomic_store_n(&session->skel->bss->counting, 1, __ATOMIC_RELEASE);
	return clock_monotonic_ns();
}

uint64_t trace_session_stop(struct trace_session *session)
{
	uint64_t now_ns = clock_monotonic_ns();

	if (session->stopped_ns)
		return session->stopped_ns;
	__atomic_store_n(&session->skel->bss->counting, 0, __ATOMIC_RELEASE);
	/* A grace period: programs that run on other CPUs are through then, and
	 * all they counted can be read. Refused on some machines; the race is one
	 * of nanoseconds.
	 */
	(void)syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	session->programs = session_programs(session->skel->obj, session->program, 0);
	session->stopped_ns = now_ns;
	trace_bpf__detach(session->skel);
	return now_ns;
}

static void unmap(void *memory, size_t size)
{
	if (memory)
		munmap(memory, size);
}

enum flavour trace_session_flavour(const struct trace_session *session)
{
	return session->flavour;
}

void trace_session_close(struct trace_session *session)
{
	if (!session)
		return;
	nvme_trace_close(&session->nvme);
	unmap(session->series, sizeof(*session->series) * session->series_max * session->cpus);
	unmap(session->names, sizeof(*session->names) * session->series_max);
	unmap(session->devices, sizeof(*session->devices) * IOSTRATA_DEVICES_MAX);
	unmap(session->table, sizeof(*session->table) * session->table_sets);
	if (session->skel)
		trace_bpf__destroy(session->skel);
	free(session);
}

bool trace_session_awaits_nvme(const struct trace_session *session)
{
	return !session->nvme.hooks.attached && !session->stopped_ns;
}

int trace_session_drop_privilege(const struct trace_session *session, struct why *why)
{
	if (trace_session_awaits_nvme(session) && nvme_hooks_need_privilege(session->skel->obj))
		return privilege_keep_bpf(why);
	return privilege_drop(why);
}

int trace_session_attach_nvme(struct trace_session *session, struct why *why)
{
	return nvme_trace_attach(&session->nvme, session->skel, why);
}

unsigned int trace_session_programs(const struct trace_session *session,
				    struct session_program *out, unsigned int count)
{
	if (!session->stopped_ns)
		return session_programs(session->skel->obj, out, count);
	for (unsigned int i = 0; i < session->programs && count < SESSION_PROGRAMS_MAX; i++)
		out[count++] = session->program[i];
	return count;
}
