/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Requests in flight: a set-associative table indexed by the hashed request
 * pointer. In: a request pointer. Out: its entry, found or claimed. A BPF hash
 * map would do the same at twice the cost (docs/performance.md).
 */
#ifndef IOSTRATA_TABLE_BPF_H
#define IOSTRATA_TABLE_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "atomic.bpf.h"
#include "key.bpf.h"
#include "trace.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, IOSTRATA_TABLE_SETS);
	__type(key, u32);
	__type(value, struct iostrata_table_set);
} in_flight SEC(".maps");

/* Smaller in tests, to see a full table: sets used, a power of two. */
const volatile __u32 cfg_table_sets = IOSTRATA_TABLE_SETS;

/* Requests of one queue lie side by side, some 256 bytes or more each: within
 * 64 KiB neighbours get neighbouring sets, so that a busy queue's sets share
 * pages of the table; the 64 KiB are spread by a hash.
 */
static __always_inline u32 table_index(u64 key)
{
	u32 near = ((u32)(key >> 8) ^ (u32)(key >> 16)) & 0xff;
	u32 far = (u32)((key >> 16) * 0x9e3779b97f4a7c15ull >> 40) << 8;

	return (near | far) & (cfg_table_sets - 1);
}

static __always_inline struct iostrata_table_set *table_set(u64 key)
{
	u32 index = table_index(key);

	return bpf_map_lookup_elem(&in_flight, &index);
}

/* Read by a compare and swap of like with like: the line was last written by
 * another CPU as a rule, and will be written now, so it is fetched for writing
 * at once. A plain read would fetch it twice. Under a lock it is only a read.
 */
static __always_inline bool table_is(struct iostrata_flight *flight, u64 key)
{
#ifdef IOSTRATA_RAW
	return *(volatile u64 *)&flight->key == key;
#else
	return atomic_cas(&flight->key, key, key) == key;
#endif
}

static __always_inline struct iostrata_flight *table_find(struct iostrata_table_set *set, u64 key)
{
	if (table_is(&set->way[0], key))
		return &set->way[0];
	for (int i = 1; i < IOSTRATA_TABLE_WAYS; i++)
		if (set->way[i].key == key)
			return &set->way[i];
	return 0;
}

/* Claimed atomically: two CPUs may want the same free way. */
static __always_inline struct iostrata_flight *table_claim(struct iostrata_table_set *set, u64 key)
{
	for (int i = 1; i < IOSTRATA_TABLE_WAYS; i++) {
		struct iostrata_flight *flight = &set->way[i];

		if (!flight->key && !atomic_cas(&flight->key, 0, key))
			return flight;
	}
	return 0;
}

/* The entry of `key`, or a free one for it; 0: all ways are taken. */
static __always_inline struct iostrata_flight *table_take(struct iostrata_table_set *set, u64 key)
{
	struct iostrata_flight *first = &set->way[0];
	u64 was = atomic_cas(&first->key, 0, key);

	if (was == key)
		return first;
	for (int i = 1; i < IOSTRATA_TABLE_WAYS; i++) {
		if (set->way[i].key != key)
			continue;
		if (!was)
			*(volatile u64 *)&first->key = 0;
		return &set->way[i];
	}
	return was ? table_claim(set, key) : first;
}

static __always_inline void table_release(struct iostrata_flight *flight)
{
	*(volatile u64 *)&flight->issued_ns = 0;
	*(volatile u64 *)&flight->queue_ns = 0;
	*(volatile u8 *)&flight->flags = 0;
	barrier();
	*(volatile u64 *)&flight->key = 0;
}

#endif
