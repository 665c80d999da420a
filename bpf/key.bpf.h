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

#endif
