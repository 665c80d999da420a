// SPDX-License-Identifier: GPL-2.0-only
// In: this process's time namespace. Out: whether both clocks are one.
#include "cmd/one_clock.h"

#include <errno.h>

#include "probe/namespaces.h"

int one_clock_check(struct why *why)
{
	int64_t offset_ns = 0;

	if (namespace_clock_offset("/proc", &offset_ns) || !offset_ns)
		return 0;
	return why_set(why, -EXDEV, EXIT_KERNEL_LACKS,
		       "this time namespace shifts CLOCK_MONOTONIC by %lld ns against the kernel's "
		       "stamps; run from the initial one (nsenter -t 1 -T)",
		       (long long)offset_ns);
}
