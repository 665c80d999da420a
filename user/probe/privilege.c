// SPDX-License-Identifier: GPL-2.0-only
// In: /proc/self/status and its like. Out: struct privilege.
#include "probe/privilege.h"

#include <linux/capability.h>
#include <limits.h>
#include <stdio.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "probe/bpf_feature.h"
#include "probe/kernel_text.h"
#include "probe/namespaces.h"

static bool read_effective(const char *proc, uint64_t *out)
{
	char path[PATH_MAX], line[256];
	bool found = false;
	FILE *in;

	if (kernel_path(proc, "self/status", path, sizeof(path)))
		return false;
	in = fopen(path, "re");
	while (in && !found && fgets(line, sizeof(line), in))
		found = sscanf(line, "CapEff: %" SCNx64, out) == 1;
	if (in)
		fclose(in);
	return found;
}

struct privilege privilege_read(const char *proc)
{
	struct privilege privilege = { 0 };
	uint64_t last;

	privilege.known = read_effective(proc, &privilege.effective);
	privilege.last = kernel_u64(proc, "sys/kernel/cap_last_cap", &last) ? CAP_LAST_CAP
									     : (unsigned int)last;
	privilege.initial_user_ns = namespace_of(proc, "user") != NAMESPACE_OTHER;
	return privilege;
}

bool privilege_has(const struct privilege *privilege, unsigned int capability)
{
	return privilege->effective >> capability & 1;
}

bool privilege_may_trace(const struct privilege *privilege)
{
	if (!privilege->initial_user_ns)
		return false;
	if (privilege_has(privilege, CAP_SYS_ADMIN))
		return true;
	return privilege_has(privilege, CAP_BPF) && privilege_has(privilege, CAP_PERFMON);
}

/* Where nothing is left of the limit, finding that out is refused too. */
static bool is_bounded(const struct privilege *privilege)
{
	int in_cgroup = bpf_memory_in_cgroup();

	return !in_cgroup || (in_cgroup < 0 && privilege_may_trace(privilege));
}

int64_t privilege_memlock(const struct privilege *privilege)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    !is_bounded(privilege) || !setrlimit(RLIMIT_MEMLOCK, &unlimited))
		return -1;
	return (int64_t)limit.rlim_cur;
}
