// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flight records of our own generator: each I/O's whole life. In: io_uring
 * and block events. Out: stamps in the records the generator shares with us,
 * and counts that tell whether every event found its I/O.
 *
 * The order of events of one I/O, on request-based devices:
 *   submit_req, [queue_async_work,] [submit_bio,] bio_queue, getrq, [split,] [insert,] issue,
 *   complete, io_uring_complete
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "access.bpf.h"
#include "bio.bpf.h"
#include "drift.bpf.h"
#include "run.h"
#include "run_uring.bpf.h"
#include "slot.bpf.h"
#include "whose.bpf.h"

char LICENSE[] SEC("license") = "GPL";

enum { BLK_STS_AGAIN = 12 };

const volatile __u32 cfg_dev = 0;	/* the target's disk, major << 20 | minor */
const volatile __u32 cfg_bio_based = 0; /* it makes no requests itself */

/* One more bio that the I/O is not done without. */
static __always_inline void expect_bio(struct iostrata_record *record,
				       struct bio_flight *flight)
{
	atomic_add(&record->bios_started, 1);
	if (flight->is_ahead)
		atomic_add(&record->bios_ahead, 1);
	flight->queued_depth = rise(&waiting);
}

/* The I/O's bios are handed in one after the other: this one at `now`. */
static __always_inline void note_bio(struct iostrata_record *record, u64 key, u64 now)
{
	if (!record->first_bio_ns)
		record->first_bio_ns = now;
	record->last_bio = key;
}

/* It was seen at `bio`, and so was whose it is. Read-ahead that io.max held back
 * for longer than its I/O took is nobody's any more.
 */
static __always_inline void queue_known(u64 key, struct bio_flight *flight)
{
	struct iostrata_record *record = flight->is_ahead ? record_if_open(flight->user_data)
							  : record_begun(flight->user_data);

	run_count(IOSTRATA_RUN_BIOS_OURS);
	if (!record) {
		bio_forget(key, flight);
		return;
	}
	record->last_bio = key;
	fall(&called);
	flight->stamp[IOSTRATA_QUEUED] = bpf_ktime_get_ns();
	expect_bio(record, flight);
}

/* Where `bio` was not seen: whose it is, is asked here. Without room to remember
 * it the account stays open, and the I/O incomplete.
 */
static __always_inline void queue_unknown(struct bio *bio, u64 key)
{
	struct bio_flight flight = {};
	struct iostrata_record *record;

	flight.user_data = whose(bio, (u64)GET(bio, bi_end_io), GET(bio, bi_private));
	if (!flight.user_data) {
		strange_bio_begins(key);
		run_count(IOSTRATA_RUN_BIOS_THEIRS);
		if (is_by_our_thread())
			run_count(IOSTRATA_RUN_UNIDENTIFIED);
		return;
	}
	run_count(IOSTRATA_RUN_BIOS_OURS);
	record = record_begun(flight.user_data);
	if (!record) {
		bio_begins(key);
		return;
	}
	flight.stamp[IOSTRATA_QUEUED] = bpf_ktime_get_ns();
	flight.is_ahead = (GET(bio, bi_opf) & read_ahead_mask()) != 0;
	note_bio(record, key, flight.stamp[IOSTRATA_QUEUED]);
	expect_bio(record, &flight);
	bio_remember(key, &flight, &waiting);
}

/* Strangers pass here too, and on other devices: their bios come from the same
 * memory as ours.
 */
HOOK("block_bio_queue")
int on_block_bio_queue(u64 *ctx)
{
	struct bio *bio = (void *)argument(ctx, cfg_bio_arg);
	u64 key = pointer_key(bio);
	struct bio_flight *flight;

	if (!ring_context)
		return 0;
	if (disk_dev(bio_disk(bio)) != cfg_dev) {
		strange_bio_begins(key);
		return 0;
	}
	flight = bio_find(key);
	if (flight && !is_queued(flight))
		queue_known(key, flight);
	else
		queue_unknown(bio, key);
	return 0;
}

/* `child` is the front part, a new bio that is never queued by itself; its
 * parent, which keeps the rest, is its bi_private (bio_chain).
 */
HOOK("block_split")
int on_block_split(u64 *ctx)
{
	struct bio *child = (void *)argument(ctx, cfg_bio_arg);
	u64 key = pointer_key(child);
	struct bio_flight *parent, flight;
	struct iostrata_record *record;

	if (!ring_context)
		return 0;
	strange_bio_begins(key);
	parent = bio_find(number_key(GET(child, bi_private)));
	if (!parent)
		return 0;
	flight = *parent;
	run_count(IOSTRATA_RUN_BIOS_SPLIT);
	record = record_begun(flight.user_data);
	if (!record)
		return 0;
	(void)atomic_fetch_or(&record->kernel_flags, IOSTRATA_K_SPLIT);
	expect_bio(record, &flight);
	bio_remember(key, &flight, &waiting);
	return 0;
}

HOOK("block_getrq")
int on_block_getrq(u64 *ctx)
{
	struct bio_flight *flight = bio_find(pointer_key((void *)argument(ctx, cfg_bio_arg)));

	/* Not again, as when a path of a multipath device failed. */
	if (flight && !flight->stamp[IOSTRATA_FIRST_ISSUED])
		flight->stamp[IOSTRATA_ALLOCATED] = bpf_ktime_get_ns();
	return 0;
}

/* A request of the target; of a bio-based one, any that may hold a bio of ours
 * which it passed on as it was (NVMe multipath): each bio tells for itself.
 */
static __always_inline bool is_target(struct request *rq)
{
	if (!ring_context)
		return false;
	if (cfg_bio_based)
		return *(volatile u64 *)&waiting.now || *(volatile u64 *)&in_flight.now;
	return disk_dev(request_disk(rq)) == cfg_dev;
}

/* Global functions are verified by themselves, once: the walks below would
 * otherwise multiply their paths beyond what the verifier tries.
 */
__noinline int stamp_bio(u64 key, u32 boundary, u64 now)
{
	struct bio_flight *flight = bio_find(key);

	if (!flight || boundary >= IOSTRATA_BOUNDARY_COUNT)
		return 0;
	/* nvme-pci prepares before the first issue; later ones are retries, as is
	 * what a requeued request goes through again.
	 */
	if (boundary <= IOSTRATA_PREPARED && flight->stamp[IOSTRATA_FIRST_ISSUED])
		return 0;
	flight->stamp[boundary] = now;
	return 0;
}

__noinline int issue_bio(u64 key, u32 bytes, u64 now)
{
	struct bio_flight *flight = bio_find(key);

	if (!flight)
		return 0;
	flight->stamp[IOSTRATA_ISSUED] = now;
	if (flight->stamp[IOSTRATA_FIRST_ISSUED]) {
		/* What answered the earlier try is none of this one's. */
		flight->stamp[IOSTRATA_ANSWERED] = flight->stamp[IOSTRATA_DRIVER_DONE] = 0;
		return 0;
	}
	flight->stamp[IOSTRATA_FIRST_ISSUED] = now;
	flight->bytes = bytes;
	fall(&waiting);
	atomic_add(&waiting.spent_ns, now - flight->stamp[IOSTRATA_QUEUED]);
	flight->issued_depth = rise(&in_flight);
	return 0;
}

/* The final completion of a flush sequence has no bytes left. A request that
 * was never issued itself had none before: it was all flush.
 */
static __always_inline void end_flush(struct bio_flight *flight)
{
	if (flight->data_done_ns)
		return;
	if (flight->stamp[IOSTRATA_FIRST_ISSUED])
		flight->flush_unseen = flight->bytes != 0;
	else
		flight->data_done_ns = flight->stamp[IOSTRATA_ALLOCATED];
}

/* In a flush sequence the data's completion is not the end: the block layer
 * completes the write once more after the post-flush.
 */
__noinline int complete_bio(u64 key, u32 flush_goes_on, u32 bytes, u64 now)
{
	struct bio_flight *flight = bio_find(key);

	if (!flight)
		return 0;
	if (flush_goes_on) {
		flight->data_done_ns = now;
		return 0;
	}
	flight->stamp[IOSTRATA_COMPLETED] = now;
	if (!bytes)
		end_flush(flight);
	bio_finish(key, flight);
	return 1;
}

/* Stamps all bios of a request: merged ones hang on bi_next. */
static __always_inline void stamp_all(struct request *rq, enum iostrata_boundary boundary)
{
	u64 now = bpf_ktime_get_ns();
	struct bio *bio = GET(rq, bio);

	for (int i = 0; i < IOSTRATA_WALK_MAX && bio; i++) {
		if (boundary == IOSTRATA_ISSUED)
			issue_bio(pointer_key(bio), GET(bio, bi_iter.bi_size), now);
		else
			stamp_bio(pointer_key(bio), boundary, now);
		bio = GET(bio, bi_next);
	}
	if (bio)
		run_count(IOSTRATA_RUN_WALK_CUT);
}

HOOK("block_rq_insert")
int on_block_rq_insert(u64 *ctx)
{
	struct request *rq = (void *)argument(ctx, cfg_rq_arg);

	if (is_target(rq))
		stamp_all(rq, IOSTRATA_INSERTED);
	return 0;
}

HOOK("block_rq_issue")
int on_block_rq_issue(u64 *ctx)
{
	struct request *rq = (void *)argument(ctx, cfg_rq_arg);

	if (is_target(rq))
		stamp_all(rq, IOSTRATA_ISSUED);
	return 0;
}

/* A partial completion ends only the bios it covers whole. */
static __always_inline bool complete_covered(struct request *rq, u32 left, u32 flush_goes_on)
{
	u64 now = bpf_ktime_get_ns();
	struct bio *bio = GET(rq, bio);
	bool ours = false;

	for (int i = 0; i < IOSTRATA_WALK_MAX && bio; i++) {
		u32 bytes = GET(bio, bi_iter.bi_size);

		if (bytes > left)
			break;
		ours |= complete_bio(pointer_key(bio), flush_goes_on, bytes, now);
		left -= bytes;
		bio = GET(bio, bi_next);
	}
	return ours;
}

HOOK("block_rq_complete")
int on_block_rq_complete(u64 *ctx)
{
	struct request *rq = (void *)ctx[0];

	if (is_target(rq) &&
	    complete_covered(rq, (u32)ctx[2], GET(rq, rq_flags) & cfg_flush_seq_mask))
		run_count(IOSTRATA_RUN_REQUESTS_OURS);
	return 0;
}

/* Fires for bios that never became a request: of bio-based devices, and those
 * refused in a non-blocking try, whose pointer will serve a stranger next.
 */
HOOK("block_bio_complete")
int on_block_bio_complete(struct bio **ctx)
{
	struct bio *bio = ctx[1];
	u64 key = pointer_key(bio);
	struct bio_flight *flight = bio_find(key);
	struct iostrata_record *record;

	if (!flight)
		return 0;
	if (GET(bio, bi_status) != BLK_STS_AGAIN) {
		flight->stamp[IOSTRATA_COMPLETED] = bpf_ktime_get_ns();
		bio_finish(key, flight);
		return 0;
	}
	run_count(IOSTRATA_RUN_BIOS_REFUSED);
	record = record_begun(flight->user_data);
	if (record) {
		(void)atomic_fetch_or(&record->kernel_flags, IOSTRATA_K_REFUSED);
		atomic_add(&record->bios_started, -1);
		if (flight->is_ahead)
			atomic_add(&record->bios_ahead, -1);
	}
	bio_forget(key, flight);
	return 0;
}

#include "run_bio.bpf.h"
#include "run_nvme.bpf.h"
#include "run_waits.bpf.h"
