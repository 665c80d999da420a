// SPDX-License-Identifier: GPL-2.0-only
// In: what trying io_uring gave, and its sysctls. Out: facts with remedies.
#include <errno.h>

#include "probe/errno_words.h"
#include "probe/facts.h"
#include "probe/kernel_text.h"
#include "probe/uring_feature.h"

static void add_switch(const char *proc, struct facts *facts)
{
	int64_t value;
	int err = kernel_s64(proc, "sys/kernel/io_uring_disabled", &value);
	struct fact *fact;

	if (err) {
		fact_remark(fact_unknown(facts, "io_uring", "io_uring_disabled", err),
			    err == -ENOENT ? "a kernel before 6.6 has no such switch" : "");
		return;
	}
	fact = fact_number(facts, "io_uring", "io_uring_disabled", value);
	if (value == 1)
		fact_remark(fact, "only for CAP_SYS_ADMIN and the group kernel.io_uring_group: "
				  "sysctl kernel.io_uring_disabled=0");
	else if (value == 2)
		fact_remark(fact, "off for everybody: sysctl kernel.io_uring_disabled=0");
	if (!kernel_s64(proc, "sys/kernel/io_uring_group", &value))
		fact_number(facts, "io_uring", "io_uring_group", value);
}

static void add_ring(int err, struct facts *facts)
{
	struct fact *fact = fact_tried(facts, "io_uring", "ring", err);

	if (err == -ENOMEM)
		fact_remark(fact, "%s: raise RLIMIT_MEMLOCK (ulimit -l)", errno_words(err).text);
	else if (err == -ENOSYS)
		fact_remark(fact, "%s: a kernel with CONFIG_IO_URING", errno_words(err).text);
	else if (err == -EPERM)
		fact_remark(fact, "%s: io_uring_disabled, or a seccomp filter (container)",
			    errno_words(err).text);
}

void facts_uring(const struct machine *machine, const struct uring_features *uring,
		 struct facts *facts)
{
	add_switch(machine->proc, facts);
	add_ring(uring->ring, facts);
	fact_tried(facts, "io_uring", "defer_taskrun", uring->defer_taskrun);
	fact_tried(facts, "io_uring", "coop_taskrun", uring->coop_taskrun);
	fact_tried(facts, "io_uring", "ext_arg_timeout", uring->ext_arg);
	fact_tried(facts, "io_uring", "abs_timer", uring->abs_timer);
	fact_tried(facts, "io_uring", "registered_buffers", uring->buffers);
	fact_tried(facts, "io_uring", "registered_files", uring->files);
	if (uring->ring)
		return;
	if (uring->max_entries)
		fact_number(facts, "io_uring", "max_entries", uring->max_entries);
	else
		fact_unknown(facts, "io_uring", "max_entries", -ENOMEM);
	fact_text(facts, "io_uring", "missing_operations",
		  uring->missing_ops[0] ? uring->missing_ops : "none");
}
