/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IOSTRATA_ATOMIC_BPF_H
#define IOSTRATA_ATOMIC_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

/* *max = max(*max, value); a few tries settle any race of a few CPUs. */
static __always_inline void raise(u64 *max, u64 value)
{
	u64 seen = *max;

	for (int i = 0; i < 4 && value > seen; i++) {
		u64 was = __sync_val_compare_and_swap(max, seen, value);

		if (was == seen)
			return;
		seen = was;
	}
}

#endif
