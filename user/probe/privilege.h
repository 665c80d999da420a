/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What this process may do. In: /proc/self. Out: its effective capabilities,
 * and whether the kernel honours them.
 */
#ifndef IOSTRATA_PRIVILEGE_H
#define IOSTRATA_PRIVILEGE_H

#include <stdbool.h>
#include <stdint.h>

struct privilege {
	uint64_t effective;   /* one bit for each CAP_* */
	unsigned int last;    /* the highest capability this kernel knows */
	bool known;	      /* false: /proc could not be read; nothing is assumed */
	bool initial_user_ns; /* BPF and mount look at the initial user namespace only */
};

struct privilege privilege_read(const char *proc);
bool privilege_has(const struct privilege *privilege, unsigned int capability);
/* May load and attach tracing programs: CAP_BPF + CAP_PERFMON, or
 * CAP_SYS_ADMIN (kernels before 5.8 know only that).
 */
bool privilege_may_trace(const struct privilege *privilege);

/* RLIMIT_MEMLOCK in bytes where it bounds BPF's memory (before 5.11) and may not
 * be raised; it is raised if it may be. -1: it does not matter.
 */
int64_t privilege_memlock(const struct privilege *privilege);

#endif
