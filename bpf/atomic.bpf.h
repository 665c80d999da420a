/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Atomic changes of memory several CPUs write. In: an address in a map. Out:
 * the value before.
 *
 * A plain add whose result nobody uses is there in every kernel. All else came
 * with 5.12 (5ffa25502b5a, 5ca419f2864a): the raw flavour, which runs on older
 * ones, does it under a lock. A BPF hash map is one: only one CPU can insert a
 * key. It is tried a few times, for nobody may wait in an interrupt. Then a
 * compare-and-exchange fails, as it may to anybody; an add or an or is done
 * without, and counted; of two that raise a maximum at once the greater may lose.
 * An address changed under the lock must not be changed by a plain add.
 */
#ifndef IOSTRATA_ATOMIC_BPF_H
#define IOSTRATA_ATOMIC_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "key.bpf.h"

/* Adds and ors done without the lock, in the raw flavour. */
__u64 atomics_contended = 0;

#define atomic_add(at, n) ((void)__sync_fetch_and_add(at, n))

#ifdef IOSTRATA_RAW

enum { ATOMIC_TRIES = 64, ATOMIC_LOCKS = 1024 };

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ATOMIC_LOCKS);
	__type(key, u64);
	__type(value, u8);
} atomic_locks SEC(".maps");

/* Global, so that the verifier walks the tries once. */
__noinline int atomic_lock(u64 key)
{
	u8 one = 1;

	for (int i = 0; i < ATOMIC_TRIES; i++)
		if (!bpf_map_update_elem(&atomic_locks, &key, &one, BPF_NOEXIST))
			return 1;
	return 0;
}

static __always_inline void atomic_unlock(u64 key)
{
	bpf_map_delete_elem(&atomic_locks, &key);
}

#define atomic_do(at, change, unlocked)                                        \
	({                                                                     \
		u64 key_ = address_key(at);                                    \
		int locked_ = atomic_lock(key_);                               \
		volatile typeof(*(at)) *cell_ = (at);                          \
		typeof(*(at)) was_ = *cell_;                                   \
		change;                                                        \
		if (locked_)                                                   \
			atomic_unlock(key_);                                   \
		else                                                           \
			unlocked;                                              \
		was_;                                                          \
	})

#define atomic_count_contended() atomic_add(&atomics_contended, 1)
#define atomic_fetch_add(at, n) atomic_do(at, *cell_ = was_ + (n), atomic_count_contended())
#define atomic_fetch_or(at, bits) atomic_do(at, *cell_ = was_ | (bits), atomic_count_contended())
/* Others' adds may be in it too: it is what stood there at some instant since. */
#define atomic_add_get(at, n)                                                  \
	({                                                                     \
		atomic_add(at, n);                                             \
		barrier();                                                     \
		*(volatile typeof(*(at)) *)(at);                               \
	})
/* Without the lock it does not happen: the caller sees another value. */
#define atomic_cas(at, old, new)                                               \
	({                                                                     \
		typeof(*(at)) old_ = (old), new_ = (new);                      \
		atomic_do(at, if (locked_ && was_ == old_) *cell_ = new_, was_ = ~old_); \
	})

/* *max = max(*max, value) */
static __always_inline void raise(u64 *max, u64 value)
{
	if (value > *(volatile u64 *)max)
		(void)atomic_do(max, if (value > was_) *cell_ = value, (void)0);
}

#else

#define atomic_add_get(at, n) (__sync_fetch_and_add(at, n) + (n))
#define atomic_fetch_add(at, n) __sync_fetch_and_add(at, n)
#define atomic_fetch_or(at, bits) __sync_fetch_and_or(at, bits)
#define atomic_cas(at, old, new) __sync_val_compare_and_swap(at, old, new)

/* *max = max(*max, value); a few tries settle any race of a few CPUs. */
static __always_inline void raise(u64 *max, u64 value)
{
	u64 seen = *(volatile u64 *)max;

	for (int i = 0; i < 4 && value > seen; i++) {
		u64 was = atomic_cas(max, seen, value);

		if (was == seen)
			return;
		seen = was;
	}
}

#endif

#endif
