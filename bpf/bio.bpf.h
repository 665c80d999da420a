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

#ifndef EEXIST
#define EEXIST 17 /* linux/errno.h */
#endif

/* What a submitter does between queued and allocated, in this order. */
enum bio_wait { WAIT_FROZEN, WAIT_QOS, WAIT_TAG, WAIT_COUNT };

struct bio_flight {
	u64 user_data;
	u64 stamp[IOSTRATA_BOUNDARY_COUNT]; /* BIO to COMPLETED are used */
	u64 wait_from[WAIT_COUNT]; /* each lasts until the next one begins; 0: not seen */
	u64 submitter;	  /* task inside blk_mq_submit_bio with it, where that is seen */
	u64 data_done_ns; /* in a flush sequence: when its data was written */
	u32 bytes;	  /* at issue, before completion consumes it */
	u32 issued_depth;
	u32 queued_depth; /* ours queued and not issued then, this one included */
	u8 is_ahead;	  /* read-ahead: the I/O need not wait for it */
	u8 flush_unseen;  /* in a flush sequence, but not seen when its data was written */
	u16 reserved;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* set before loading */
	__type(key, u64);	/* pointer_key(bio) */
	__type(value, struct bio_flight);
} bios SEC(".maps");

struct iostrata_run_depth called = {};    /* our bios at `bio` and not yet queued */
struct iostrata_run_depth waiting = {};   /* queued and not yet issued */
struct iostrata_run_depth in_flight = {}; /* issued and not yet completed */

static __always_inline u64 rise(struct iostrata_run_depth *depth)
{
	u64 now = atomic_add_get(&depth->now, 1);

	raise(&depth->max, now);
	return now;
}

static __always_inline void fall(struct iostrata_run_depth *depth)
{
	atomic_add(&depth->now, -1ull);
}

static __always_inline struct bio_flight *bio_find(u64 key)
{
	return bpf_map_lookup_elem(&bios, &key);
}

static __always_inline bool is_queued(const struct bio_flight *flight)
{
	return flight->stamp[IOSTRATA_QUEUED] != 0;
}

static __always_inline void bio_forget(u64 key, struct bio_flight *flight)
{
	if (flight->stamp[IOSTRATA_FIRST_ISSUED])
		fall(&in_flight);
	else
		fall(is_queued(flight) ? &waiting : &called);
	bpf_map_delete_elem(&bios, &key);
}

/* Two children of one I/O may end on two CPUs at once: a lock of a few tries,
 * for the copy takes some ns and nobody may wait in an interrupt.
 */
static __always_inline bool record_lock(struct iostrata_record *record)
{
	for (int i = 0; i < 64; i++)
		if (!atomic_cas(&record->lock, 0, 1))
			return true;
	return false;
}

static __always_inline void record_unlock(struct iostrata_record *record)
{
	barrier();
	*(volatile u32 *)&record->lock = 0;
}

static __always_inline u64 wait_ends(const struct bio_flight *flight, enum bio_wait wait, u64 *end)
{
	u64 from = flight->wait_from[wait], ns = from && from < *end ? *end - from : 0;

	if (ns)
		*end = from;
	return ns;
}

/* A merged bio has no `allocated`, and what it waited for no end. */
static __always_inline void copy_waits(struct iostrata_record *record,
				       const struct bio_flight *flight)
{
	u64 end = flight->stamp[IOSTRATA_ALLOCATED];

	record->tag_wait_ns = wait_ends(flight, WAIT_TAG, &end);
	record->qos_ns = wait_ends(flight, WAIT_QOS, &end);
	record->freeze_ns = wait_ends(flight, WAIT_FROZEN, &end);
}

static __always_inline void copy_stamps(struct iostrata_record *record,
					const struct bio_flight *flight)
{
	for (int i = IOSTRATA_BIO; i <= IOSTRATA_COMPLETED; i++)
		record->stamp[i] = flight->stamp[i];
	record->flush_ns = flight->data_done_ns
				   ? flight->stamp[IOSTRATA_COMPLETED] - flight->data_done_ns
				   : 0;
	record->issued_depth = flight->issued_depth;
	copy_waits(record, flight);
}

static __always_inline u32 flags_of(const struct bio_flight *flight)
{
	u32 flags = flight->flush_unseen ? IOSTRATA_K_FLUSH_UNSEEN : 0;

	if (flight->stamp[IOSTRATA_FIRST_ISSUED] && !flight->stamp[IOSTRATA_ALLOCATED])
		flags |= IOSTRATA_K_MERGED;
	if (flight->stamp[IOSTRATA_ISSUED] != flight->stamp[IOSTRATA_FIRST_ISSUED])
		flags |= IOSTRATA_K_REQUEUED;
	return flags;
}

/* The bio's part of the record but its stamps; the lock is held. The submitter
 * takes no lock: what it writes too is changed atomically.
 */
static __always_inline void record_add(struct iostrata_record *record,
				       const struct bio_flight *flight, u32 flags)
{
	(void)atomic_fetch_or(&record->kernel_flags, flags_of(flight) | flags);
	record->kernel_bytes += flight->bytes;
	record->bios_done++;
	if (flight->is_ahead)
		atomic_add(&record->bios_ahead, -1);
}

/* At stamp[COMPLETED]; the lock is held. */
static __always_inline void bio_ended(struct iostrata_record *record, struct bio_flight *flight)
{
	u32 flags = 0;

	/* Never a request, or one that is only a flush, which another one carries. */
	if (!flight->stamp[IOSTRATA_FIRST_ISSUED]) {
		flight->issued_depth = flight->queued_depth;
		flags = flight->stamp[IOSTRATA_ALLOCATED] ? 0 : IOSTRATA_K_BIO_BASED;
	}
	if (flight->stamp[IOSTRATA_COMPLETED] >= record->stamp[IOSTRATA_COMPLETED])
		copy_stamps(record, flight);
	record_add(record, flight, flags);
}

/* The bio ended at stamp[COMPLETED]. Read-ahead may outlive its I/O: that is no
 * loss, and no business of the record's.
 */
static __always_inline void bio_finish(u64 key, struct bio_flight *flight)
{
	struct iostrata_record *record = flight->is_ahead ? record_if_open(flight->user_data)
							  : record_begun(flight->user_data);

	run_count(IOSTRATA_RUN_BIOS_DONE);
	if (record && !record_lock(record)) {
		run_count(IOSTRATA_RUN_CONTENDED);
	} else if (record) {
		/* Again, for now nobody can settle the account of read-ahead. */
		if (!flight->is_ahead || record_if_open(flight->user_data))
			bio_ended(record, flight);
		record_unlock(record);
	}
	bio_forget(key, flight);
}

/* The bio ended, but its completion never came: some kernels withhold events
 * that fire while certain tasks are interrupted (docs/kernels.md). If it is the
 * last child, keep what it has: its `completed` folds into the next boundary.
 * Others stay missing, and the I/O incomplete.
 */
static __always_inline void bio_rescue(u64 key, struct bio_flight *flight,
				       struct iostrata_record *record)
{
	if (record_lock(record)) {
		copy_stamps(record, flight);
		record->flush_ns = 0;
		record_add(record, flight, IOSTRATA_K_END_UNSEEN);
		record_unlock(record);
		run_count(IOSTRATA_RUN_END_UNSEEN);
	} else {
		run_count(IOSTRATA_RUN_CONTENDED);
	}
	bio_forget(key, flight);
}

/* A bio begins its life at `key`. Another that lay there ended without an event
 * for us, and must not get the stamps of this one, whoever's it is.
 */
__noinline int bio_begins(u64 key)
{
	struct bio_flight *stale = bio_find(key);
	struct iostrata_record *record;

	if (!stale)
		return 0;
	if (!is_queued(stale)) { /* refused before: it was never part of the account */
		bio_forget(key, stale);
		return 1;
	}
	record = record_if_open(stale->user_data);
	if (record && record->last_bio == key) {
		bio_rescue(key, stale, record);
		return 1;
	}
	run_count(IOSTRATA_RUN_STALE_BIOS);
	bio_forget(key, stale);
	return 1;
}

/* The same for a stranger's bio: most of them begin where none of ours can be. */
static __always_inline void strange_bio_begins(u64 key)
{
	if (*(volatile u64 *)&waiting.now || *(volatile u64 *)&in_flight.now ||
	    *(volatile u64 *)&called.now)
		bio_begins(key);
}

/* `depth` is that of the state it is in, and has risen. */
static __always_inline void bio_remember(u64 key, struct bio_flight *flight,
					 struct iostrata_run_depth *depth)
{
	long err = bpf_map_update_elem(&bios, &key, flight, BPF_NOEXIST);

	if (err == -EEXIST && bio_begins(key))
		err = bpf_map_update_elem(&bios, &key, flight, BPF_NOEXIST);
	if (!err)
		return;
	fall(depth);
	run_count(IOSTRATA_RUN_MAP_FULL);
}

/* The I/O goes on without a bio that was called for and never queued. */
static __always_inline void forget_unqueued(struct iostrata_record *record, u64 user_data)
{
	u64 key = record->last_bio;
	struct bio_flight *flight;

	if (!*(volatile u64 *)&called.now)
		return;
	flight = bio_find(key);
	if (flight && flight->user_data == user_data && !flight->is_ahead && !is_queued(flight))
		bio_forget(key, flight);
}

/* Read-ahead still under way when its I/O returned was not waited for. */
static __always_inline void leave_read_ahead(struct iostrata_record *record)
{
	if (!record_lock(record)) {
		run_count(IOSTRATA_RUN_CONTENDED);
		return;
	}
	atomic_add(&record->bios_started, -record->bios_ahead);
	record->bios_ahead = 0;
	(void)atomic_fetch_or(&record->kernel_flags, IOSTRATA_K_READ_AHEAD);
	record_unlock(record);
}

/* The I/O returned with bios that are not done as we saw. */
static __always_inline void record_settle(struct iostrata_record *record, u64 user_data)
{
	u64 key = record->last_bio;
	struct bio_flight *flight;

	if (record->bios_ahead)
		leave_read_ahead(record);
	if (record->bios_done == record->bios_started)
		return;
	flight = bio_find(key);
	if (flight && flight->user_data == user_data && !flight->is_ahead)
		bio_rescue(key, flight, record);
}

#endif
