// SPDX-License-Identifier: GPL-2.0-only
// In: capabilities and limits. Out: facts on what they allow.
#include <errno.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <unistd.h>

#include "probe/bpf_feature.h"
#include "probe/facts.h"
#include "probe/privilege.h"

static const struct capability {
	unsigned int number;
	const char *key, *matters;
} capabilities[] = {
	{ CAP_BPF, "cap_bpf", "loads programs (since 5.8; before: cap_sys_admin)" },
	{ CAP_PERFMON, "cap_perfmon", "attaches to tracepoints, reads kernel memory in programs" },
	{ CAP_SYS_ADMIN, "cap_sys_admin", "replaces both; target; NVMe as a module; run time statistics" },
	{ CAP_SYS_RESOURCE, "cap_sys_resource", "raises RLIMIT_MEMLOCK, which kernels before 5.11 need" },
	{ CAP_DAC_READ_SEARCH, "cap_dac_read_search", "reads files of others, e.g. a target" },
	{ CAP_IPC_LOCK, "cap_ipc_lock", "frees io_uring's rings and buffers from RLIMIT_MEMLOCK" },
	{ CAP_SYS_NICE, "cap_sys_nice", "a real-time priority for the generator" },
	{ CAP_SYSLOG, "cap_syslog", "shows kernel addresses" },
	{ 0, NULL, NULL },
};

static void add_memlock(const struct privilege *privilege, struct facts *facts)
{
	int in_cgroup = bpf_memory_in_cgroup();
	struct fact *fact;
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return;
	if (limit.rlim_cur == RLIM_INFINITY)
		fact = fact_text(facts, "privileges", "memlock_bytes", "unlimited");
	else
		fact = fact_number(facts, "privileges", "memlock_bytes", (int64_t)limit.rlim_cur);
	if (privilege_has(privilege, CAP_IPC_LOCK))
		fact_remark(fact, "io_uring is exempt (CAP_IPC_LOCK)");
	else
		fact_remark(fact, "bounds io_uring's rings and registered buffers");
	if (in_cgroup < 0)
		fact_unknown(facts, "privileges", "bpf_memory_in_cgroup", in_cgroup);
	else
		fact_remark(fact_flag(facts, "privileges", "bpf_memory_in_cgroup", in_cgroup),
			    in_cgroup ? "RLIMIT_MEMLOCK does not matter to BPF (since 5.11)"
				      : "BPF maps count against RLIMIT_MEMLOCK: ulimit -l unlimited");
}

void facts_privilege(const struct machine *machine, const struct privilege *privilege,
		     struct facts *facts)
{
	(void)machine;
	fact_number(facts, "privileges", "euid", geteuid());
	fact_remark(fact_flag(facts, "privileges", "initial_user_namespace",
			      privilege->initial_user_ns),
		    privilege->initial_user_ns
			    ? ""
			    : "capabilities of another user namespace count neither for BPF nor for target");
	for (const struct capability *at = capabilities; at->key; at++) {
		if (!privilege->known)
			fact_unknown(facts, "privileges", at->key, -ENODATA);
		else
			fact_remark(fact_flag(facts, "privileges", at->key,
					      privilege_has(privilege, at->number)),
				    "%s", at->matters);
	}
	add_memlock(privilege, facts);
}
