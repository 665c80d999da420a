/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Is this process in the initial namespace of a kind? In: /proc/self/ns. Out:
 * yes, no or unknown. The initial ones have fixed inode numbers
 * (include/linux/proc_ns.h; user-space ABI since 6.18).
 */
#ifndef IOSTRATA_NAMESPACES_H
#define IOSTRATA_NAMESPACES_H

#include <stdint.h>

enum namespace_kind { NAMESPACE_UNKNOWN, NAMESPACE_INITIAL, NAMESPACE_OTHER };

/* `name`: "user", "pid", "time", "cgroup". Unknown: no /proc, or a kernel
 * without that kind.
 */
enum namespace_kind namespace_of(const char *proc, const char *name);

/* CLOCK_MONOTONIC's offset in this time namespace (what it shows more than
 * the kernel's), from /proc/self/timens_offsets. 0 in the initial one; -errno
 * when it can't be known.
 */
int namespace_clock_offset(const char *proc, int64_t *offset_ns);

#endif
