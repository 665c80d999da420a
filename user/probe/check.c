// SPDX-License-Identifier: GPL-2.0-only
// In: this machine. Out: struct check, all probes run once.
#include "probe/check.h"

#include <dirent.h>
#include <string.h>

#include "base/clock.h"
#include "probe/kernel_text.h"
#include "probe/namespaces.h"

/* Shapes that changed between kernels; the programs choose by them. */
static const struct type_fact types_of_interest[TYPE_FACTS] = {
	{ "request", "rq_disk", false },	/* up to 5.16 */
	{ "request_queue", "disk", false },	/* since 5.15 */
	{ "request", "io_start_time_ns", false },
	{ "request", "start_time_ns", false },
	{ "request", "alloc_time_ns", false },	/* CONFIG_BLK_RQ_ALLOC_TIME */
	{ "bio", "bi_disk", false },		/* up to 5.11 */
	{ "bio", "bi_bdev", false },		/* since 5.12 */
	{ "io_kiocb", "user_data", false },	/* up to 5.18 */
	{ "io_kiocb", "cqe", false },		/* since 5.19 */
	{ "blkdev_dio", "iocb", false },
	{ "iomap_dio", "iocb", false },
	{ "io_worker", "cur_work", false },
	{ "task_struct", "pf_io_worker", false }, /* 5.12 to 5.16 */
	{ "task_struct", "worker_private", false }, /* since 5.17 */
};

static void look_at_types(struct kernel_types *types, struct check *check)
{
	memcpy(check->types, types_of_interest, sizeof(check->types));
	for (int i = 0; types && i < TYPE_FACTS; i++)
		check->types[i].present = kernel_types_field(types, check->types[i].structure,
							     check->types[i].field);
}

static void try_features(struct kernel_types *types, int errors[BPF_FEATURE_COUNT])
{
	for (int i = 0; i < BPF_FEATURE_COUNT; i++)
		errors[i] = bpf_feature_try(types, (enum bpf_feature)i);
}

static bool has_entries(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)))
		found = entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return found;
}

/* Shapes may be told by a file; ids, which typed hooks need, only by the kernel. */
static void look_at_shapes(const char *btf, struct kernel_types *own, struct check *check)
{
	struct findings *findings = &check->findings;
	struct kernel_types *types = own;

	findings->shapes_err = btf ? kernel_types_open_file(btf, &types) : findings->types_err;
	look_at_types(types, check);
	if (types != own)
		kernel_types_close(types);
}

static void find(const struct machine *machine, const char *btf, struct findings *findings,
		 struct check *check)
{
	struct kernel_types *types = NULL;

	findings->privilege = privilege_read(machine->proc);
	findings->memlock_bytes = privilege_memlock(&findings->privilege);
	findings->types_err = kernel_types_open(&types);
	watched_try(types, findings->places);
	try_features(types, findings->features);
	look_at_shapes(btf, types, check);
	kernel_types_close(types);
	findings->uring = uring_features_try();
	findings->uring_disabled = INT64_MIN;
	kernel_s64(machine->proc, "sys/kernel/io_uring_disabled", &findings->uring_disabled);
	findings->target = target_parts_read(machine);
	if (namespace_clock_offset(machine->proc, &findings->clock_offset_ns))
		findings->clock_offset_ns = 0;
}

static void state_facts(const struct machine *machine, const struct findings *findings,
			struct facts *facts)
{
	facts_kernel(machine, facts);
	facts_btf(machine, findings->types_err, facts);
	facts_privilege(machine, &findings->privilege, facts);
	facts_uring(machine, &findings->uring, facts);
	facts_cgroup(machine, facts);
	facts_namespaces(machine, facts);
	facts_target(machine, &findings->privilege, facts);
}

void check_machine(const char *btf, struct check *check)
{
	static const struct machine here = { "/proc", "/sys", "/dev" };
	uint64_t started_ns = clock_monotonic_ns();

	memset(check, 0, sizeof(*check));
	check->started_realtime_ns = clock_ns(CLOCK_REALTIME);
	find(&here, btf, &check->findings, check);
	needs_judge(&check->findings, check->verdicts);
	boundaries_judge(check->findings.places, &check->findings.privilege,
			 !check->findings.types_err,
			 check->verdicts[NEED_RUN].programs == NEED_RAW, check->findings.uring.ring,
			 check->boundaries);
	state_facts(&here, &check->findings, &check->facts);
	check->has_nvme = has_entries("/sys/class/nvme");
	check->has_nvme_driver = has_entries("/sys/module/nvme_core");
	check->duration_ns = clock_monotonic_ns() - started_ns;
}
