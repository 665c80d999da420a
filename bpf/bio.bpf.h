/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A bio of ours on its way: its stamps until it ends, then into the record.
 * In: block events of one bio. Out: the stamps of the child that finished
 * last, since that is the one the I/O waited for.
 */
#ifndef IOSTRATA_BIO_BPF_H
#define IOSTRATA_BIO_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "atomic.bpf.h"
#include "key.bpf.h"
#include "slot.bpf.h"

struct bio_flight {
	u64 user_data;
	u64 stamp[IOSTRATA_BOUNDARY_COUNT]; /* QUEUED to COMPLETED are used */
	u64 data_done_ns; /* in a flush sequence: when its data was written */
	u32 bytes;	  /* at issue, before completion consumes it */
	u32 issued_depth;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* set before loading */
	__type(key, u64);	/* pointer_key(bio) */
	__type(value, struct bio_flight);
} bios SEC(".maps");

struct iostrata_run_depth waiting;   /* our bios queued and not yet issued */
struct iostrata_run_depth in_flight; /* issued and not yet completed */

static __always_inline u64 rise(struct iostrata_run_depth *depth)
{
	u64 now = __sync_fetch_and_add(&depth->now, 1) + 1;

	raise(&depth->max, now);
	return now;
}

static __always_inline void fall(struct iostrata_run_depth *depth)
{
	__sync_fetch_and_sub(&depth->now, 1);
}

static __always_inline struct bio_flight *bio_find(u64 key)
{
	return bpf_map_lookup_elem(&bios, &key);
}

static __always_inline void bio_forget(u64 key, struct bio_flight *flight)
{
	fall(flight->stamp[IOSTRATA_FIRST_ISSUED] ? &in_flight : &waiting);
	bpf_map_delete_elem(&bios, &key);
}

/* Two children of one I/O may end on two CPUs at once: a lock of a few tries,
 * for the copy takes some ns and nobody may wait in an interrupt.
 */
static __always_inline bool record_lock(struct iostrata_record *record)
{
	for (int i = 0; i < 64; i++)
		if (!__sync_val_compare_and_swap(&record->lock, 0, 1))
			return true;
	return false;
}

static __always_inline void record_unlock(struct iostrata_record *record)
{
	barrier();
	*(volatile u32 *)&record->lock = 0;
}

static __always_inline void copy_stamps(struct iostrata_record *record,
					const struct bio_flight *flight)
{
	for (int i = IOSTRATA_QUEUED; i <= IOSTRATA_COMPLETED; i++)
		record->stamp[i] = flight->stamp[i];
	record->flush_ns = flight->data_done_ns
				   ? flight->stamp[IOSTRATA_COMPLETED] - flight->data_done_ns
				   : 0;
	record->issued_depth = flight->issued_depth;
}

static __always_inline u32 flags_of(const struct bio_flight *flight)
{
	u32 flags = 0;

	if (!flight->stamp[IOSTRATA_FIRST_ISSUED])
		flags |= IOSTRATA_K_BIO_BASED;
	else if (!flight->stamp[IOSTRATA_ALLOCATED])
		flags |= IOSTRATA_K_MERGED;
	if (flight->stamp[IOSTRATA_ISSUED] != flight->stamp[IOSTRATA_FIRST_ISSUED])
		flags |= IOSTRATA_K_REQUEUED;
	return flags;
}

/* The bio ended at stamp[COMPLETED]. */
static __always_inline void bio_finish(u64 key, struct bio_flight *flight)
{
	struct iostrata_record *record = record_begun(flight->user_data);

	run_count(IOSTRATA_RUN_BIOS_DONE);
	if (!record) {
		bio_forget(key, flight);
		return;
	}
	if (record_lock(record)) {
		if (flight->stamp[IOSTRATA_COMPLETED] >= record->stamp[IOSTRATA_COMPLETED])
			copy_stamps(record, flight);
		record->kernel_flags |= flags_of(flight);
		record->kernel_bytes += flight->bytes;
		record->bios_done++;
		record_unlock(record);
	} else {
		run_count(IOSTRATA_RUN_CONTENDED);
	}
	bio_forget(key, flight);
}

/* A child's completion never came: some kernels withhold events that fire while
 * certain tasks are interrupted (docs/kernels.md). If it is the last child, keep
 * what it has: its `completed` folds into the next boundary. Others stay missing,
 * and the I/O incomplete.
 */
static __always_inline bool bio_rescue(struct iostrata_record *record, u64 key,
				       struct bio_flight *flight)
{
	if (record->last_bio != key || !record_lock(record))
		return false;
	copy_stamps(record, flight);
	record->kernel_flags |= flags_of(flight) | IOSTRATA_K_END_UNSEEN;
	record->flush_ns = 0;
	record->bios_done++;
	record_unlock(record);
	run_count(IOSTRATA_RUN_END_UNSEEN);
	bio_forget(key, flight);
	return true;
}

/* The CQE is there, but not all children's ends. */
static __always_inline void bio_rescue_last(struct iostrata_record *record, u64 user_data)
{
	struct bio_flight *flight = bio_find(record->last_bio);

	if (flight && flight->user_data == user_data)
		bio_rescue(record, record->last_bio, flight);
}

/* The bio that lay here ended without an event for us, and its memory serves
 * another already; with deferred task work that may come before its CQE.
 */
static __always_inline void bio_evict(u64 key, struct bio_flight *stale)
{
	struct iostrata_record *record = record_begun(stale->user_data);

	if (record && !record->stamp[IOSTRATA_RETURNED] && stale->stamp[IOSTRATA_ISSUED] &&
	    bio_rescue(record, key, stale))
		return;
	run_count(IOSTRATA_RUN_STALE_BIOS);
	bio_forget(key, stale);
}

static __always_inline bool bio_remember(u64 key, const struct bio_flight *flight)
{
	struct bio_flight *stale;

	if (!bpf_map_update_elem(&bios, &key, flight, BPF_NOEXIST)) {
		rise(&waiting);
		return true;
	}
	stale = bio_find(key);
	if (stale)
		bio_evict(key, stale);
	if (!stale || bpf_map_update_elem(&bios, &key, flight, BPF_NOEXIST)) {
		run_count(IOSTRATA_RUN_MAP_FULL);
		return false;
	}
	rise(&waiting);
	return true;
}

#endif
