/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A kernel pointer as a number. The verifier forbids arithmetic on a BTF
 * pointer and refuses it as an argument of a global function, but the
 * difference of two pointers is a scalar. The anchor does not move, so equal
 * keys mean equal pointers; 0 is impossible.
 */
#ifndef IOSTRATA_KEY_BPF_H
#define IOSTRATA_KEY_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

__u64 anchor = 0;

static __always_inline u64 address_key(const void *pointer)
{
	u64 key = (u64)pointer;

	asm volatile("%0 -= %1" : "+r"(key) : "r"(&anchor));
	return key;
}

/* Of what an event hands us: in the raw flavour that is a number already. */
static __always_inline u64 pointer_key(const void *pointer)
{
#ifdef IOSTRATA_RAW
	return (u64)pointer;
#else
	return address_key(pointer);
#endif
}

/* What lies at `place`, as a number, whatever the verifier calls it. */
static __always_inline u64 number_at(const void *place)
{
	u64 number = 0;

	bpf_probe_read_kernel(&number, sizeof(number), place);
	return number;
}

/* Of an address that is a number already in either flavour: a raw_tp program's
 * argument, or what was read from the kernel's memory. The anchor holds its own
 * address, for on its way through memory that becomes a number.
 */
static __always_inline u64 number_key(const void *number)
{
#ifdef IOSTRATA_RAW
	return (u64)number;
#else
	if (!*(volatile __u64 *)&anchor)
		*(volatile __u64 *)&anchor = (__u64)&anchor;
	return (u64)number - *(volatile __u64 *)&anchor;
#endif
}

/* And back. */
static __always_inline void *key_number(u64 key)
{
#ifdef IOSTRATA_RAW
	return (void *)key;
#else
	return (void *)(key + *(volatile __u64 *)&anchor);
#endif
}

#endif
