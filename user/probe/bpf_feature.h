/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What BPF itself offers here, beyond hooks. In: nothing but the running
 * kernel. Out: for each feature whether it could be used, by using it once:
 * maps are created and closed, programs loaded and closed.
 */
#ifndef IOSTRATA_BPF_FEATURE_H
#define IOSTRATA_BPF_FEATURE_H

#include <stdint.h>

#include "probe/kernel_types.h"

/* X(id, name, what it is for) */
#define BPF_FEATURES(X)                                                                            \
	X(ARRAY_MMAP, "mmapable array", "flight records shared with the generator (run)")          \
	X(PERCPU_ARRAY, "per-CPU array", "(not used)")                                              \
	X(HASH, "hash map", "requests and bios in flight (trace, run)")                            \
	X(GLOBAL_DATA, "global data", "settings and counters of the programs (trace, run)")        \
	X(KTIME, "bpf_ktime_get_ns", "every kernel stamp (trace, run)")                            \
	X(READ_KERNEL, "bpf_probe_read_kernel",                                                    \
	  "following pointers in raw_tp programs; refused by lockdown confidentiality")            \
	X(CAS, "compare-and-exchange", "claiming a place in the table of requests; since 5.12")    \
	X(RINGBUF, "ring buffer", "events to user space; since 5.8")                               \
	X(TASK_STORAGE, "task storage", "a thread's current request; since 5.11")                  \
	X(ITERATOR, "iterators", "a walk over the kernel's objects; since 5.8")                    \
	X(RUN_STATS, "run time statistics", "what the tracer costs (overhead); CAP_SYS_ADMIN")

enum bpf_feature {
#define BPF_FEATURE_ENUM(id, name, purpose) BPF_FEATURE_##id,
	BPF_FEATURES(BPF_FEATURE_ENUM)
#undef BPF_FEATURE_ENUM
	BPF_FEATURE_COUNT,
};

const char *bpf_feature_name(enum bpf_feature feature);
const char *bpf_feature_purpose(enum bpf_feature feature);
/* 0, or the kernel's negative errno. `types` may be NULL (no BTF). */
int bpf_feature_try(struct kernel_types *types, enum bpf_feature feature);

/* How far user space's CLOCK_MONOTONIC is ahead of bpf_ktime_get_ns, read by a
 * program run once. 0 when the kernel's reading falls between two of ours;
 * *error_ns is half the time between those. 0 or -errno.
 */
int bpf_clock_offset(int64_t *offset_ns, uint64_t *error_ns);

/* Whether BPF memory is charged to the cgroup (since 5.11), not to
 * RLIMIT_MEMLOCK. 1, 0, or -errno: could not be found out.
 */
int bpf_memory_in_cgroup(void);

#endif
