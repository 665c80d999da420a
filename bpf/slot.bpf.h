/* SPDX-License-Identifier: GPL-2.0-only
 *
 * From a user_data to the flight record it names, if that slot still carries
 * the same generation. In: user_data. Out: the record or nothing (counted).
 */
#ifndef IOSTRATA_SLOT_BPF_H
#define IOSTRATA_SLOT_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "atomic.bpf.h"
#include "run.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* the in-flight cap, set before loading */
	__type(key, u32);
	__type(value, struct iostrata_record);
} records SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iostrata_control);
} control SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* CPUs, set before loading */
	__type(key, u32);
	__type(value, struct iostrata_run_counts);
} run_counts SEC(".maps");

/* Atomic though each CPU has its own: an interrupt may count amid a count. */
static __always_inline void run_count(enum iostrata_run_count what)
{
	u32 cpu = bpf_get_smp_processor_id();
	struct iostrata_run_counts *here = bpf_map_lookup_elem(&run_counts, &cpu);

	if (here)
		atomic_add(&here->count[what], 1);
}

/* The record of `user_data`, or 0 when its slot now serves another I/O. */
static __always_inline struct iostrata_record *record_if_current(u64 user_data)
{
	u32 slot = iostrata_slot(user_data);
	struct iostrata_record *record = bpf_map_lookup_elem(&records, &slot);

	if (!record || (record->generation & IOSTRATA_GENERATION_MASK) !=
			       iostrata_generation(user_data))
		return 0;
	return record;
}

/* The same where another I/O in the slot is a loss. */
static __always_inline struct iostrata_record *record_of(u64 user_data)
{
	struct iostrata_record *record = record_if_current(user_data);

	if (!record)
		run_count(IOSTRATA_RUN_SLOT_REUSED);
	return record;
}

/* Begun for this I/O, which has not returned yet. */
static __always_inline struct iostrata_record *record_if_open(u64 user_data)
{
	struct iostrata_record *record = record_if_current(user_data);

	return record && record->kernel_generation == iostrata_generation(user_data) &&
			       !*(volatile u64 *)&record->stamp[IOSTRATA_RETURNED]
		       ? record
		       : 0;
}

/* The same, once the kernel's half was begun for this generation. */
static __always_inline struct iostrata_record *record_begun(u64 user_data)
{
	struct iostrata_record *record = record_of(user_data);

	return record && record->kernel_generation == iostrata_generation(user_data) ? record : 0;
}

/* The kernel's half as it is when an I/O enters. */
static __always_inline void record_begin(struct iostrata_record *record, u64 user_data, u64 now)
{
	for (int i = 0; i < IOSTRATA_BOUNDARY_COUNT; i++)
		record->stamp[i] = 0;
	record->kernel_flags = 0;
	record->bios_started = record->bios_done = 0;
	record->flush_ns = 0;
	record->issued_depth = 0;
	record->kernel_bytes = 0;
	record->lock = 0;
	record->last_bio = record->first_bio_ns = 0;
	record->bios_ahead = 0;
	record->stamp[IOSTRATA_ENTERED] = now;
	record->kernel_generation = iostrata_generation(user_data);
}

#endif
