// SPDX-License-Identifier: GPL-2.0-only
// In: /proc/self/ns and both clocks. Out: facts on pids and stamps.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "probe/bpf_feature.h"
#include "probe/facts.h"
#include "probe/namespaces.h"

/* A bracketed reading that missed by less is the kernel's fast clock stepping. */
enum { CLOCK_JITTER_NS = 1000 };

static void add_namespace(const struct machine *machine, const char *name, const char *key,
			  const char *remark, struct facts *facts)
{
	enum namespace_kind kind = namespace_of(machine->proc, name);

	if (kind == NAMESPACE_UNKNOWN)
		fact_unknown(facts, "namespaces", key, -ENOENT);
	else
		fact_remark(fact_flag(facts, "namespaces", key, kind == NAMESPACE_INITIAL), "%s",
			    kind == NAMESPACE_INITIAL ? "" : remark);
}

static void add_offset(const struct machine *machine, struct facts *facts)
{
	int64_t offset_ns;
	int err = namespace_clock_offset(machine->proc, &offset_ns);
	struct fact *fact;

	if (err) {
		fact_unknown(facts, "namespaces", "monotonic_offset_ns", err);
		return;
	}
	fact = fact_number(facts, "namespaces", "monotonic_offset_ns", offset_ns);
	if (offset_ns)
		fact_remark(fact, "our clock shows this much more than the kernel's stamps: "
				  "run from the initial time namespace");
}

static void add_measured(struct facts *facts)
{
	int64_t offset_ns;
	uint64_t error_ns;
	int err = bpf_clock_offset(&offset_ns, &error_ns);

	if (err) {
		fact_remark(fact_unknown(facts, "namespaces", "measured_offset_ns", err),
			    "bpf_ktime_get_ns against CLOCK_MONOTONIC needs CAP_BPF and CAP_PERFMON");
		return;
	}
	if (llabs(offset_ns) <= (int64_t)error_ns + CLOCK_JITTER_NS)
		offset_ns = 0;
	fact_remark(fact_number(facts, "namespaces", "measured_offset_ns", offset_ns),
		    "CLOCK_MONOTONIC minus bpf_ktime_get_ns, ± %" PRIu64 " ns", error_ns);
}

void facts_namespaces(const struct machine *machine, struct facts *facts)
{
	add_namespace(machine, "pid", "initial_pid_namespace",
		      "programs see other pids than this process does", facts);
	add_namespace(machine, "cgroup", "initial_cgroup_namespace",
		      "cgroup paths are shown from this namespace's root", facts);
	add_namespace(machine, "time", "initial_time_namespace",
		      "CLOCK_MONOTONIC may be shifted against the kernel's stamps", facts);
	add_offset(machine, facts);
	add_measured(facts);
}
