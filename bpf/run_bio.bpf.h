/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The boundary `bio`, where the function can be hooked. In: submit_bio_noacct.
 * Out: a bio of ours remembered, with whose it is, before blk-throttle may hold
 * it back: it is queued by a kernel thread then, which can't be asked.
 * Included after what run.bpf.c notes bios with.
 */
#ifndef IOSTRATA_RUN_BIO_BPF_H
#define IOSTRATA_RUN_BIO_BPF_H

#include "access.bpf.h"
#include "bio.bpf.h"
#include "drift.bpf.h"
#include "whose.bpf.h"

/* The same bio passes here again, and keeps its first stamp: what a split left
 * of it and what a stacked device passed on were queued before; what io.max
 * held back carries a mark of that, in kernels whose throttle comes here again.
 */
static __always_inline bool is_repeated(struct bio *bio, const struct bio_flight *flight)
{
	u32 flags = BPF_CORE_READ(bio, bi_flags);

	return flags & cfg_bio_queued_mask ||
	       (flight && !is_queued(flight) && flags & cfg_bio_throttled_mask);
}

static __always_inline void call_ours(struct bio *bio, u64 key, u64 user_data)
{
	struct iostrata_record *record = record_begun(user_data);
	struct bio_flight flight = { .user_data = user_data };

	if (!record)
		return;
	flight.stamp[IOSTRATA_BIO] = bpf_ktime_get_ns();
	flight.is_ahead = (BPF_CORE_READ(bio, bi_opf) & read_ahead_mask()) != 0;
	note_bio(record, key, flight.stamp[IOSTRATA_BIO]);
	(void)rise(&called);
	bio_remember(key, &flight, &called);
}

/* A stranger's is asked about again when it is queued, and counted there. */
static __always_inline int bio_called(u64 number)
{
	struct bio *bio = (void *)number;
	u64 key = number_key(bio), user_data;
	struct gendisk *disk;

	if (!ring_context)
		return 0;
	disk = bio_disk_by(BPF_CORE_READ, bio);
	if (disk_dev_by(BPF_CORE_READ, disk) != cfg_dev)
		return 0;
	if (is_repeated(bio, bio_find(key)))
		return 0;
	user_data = whose(bio, (u64)BPF_CORE_READ(bio, bi_end_io), BPF_CORE_READ(bio, bi_private));
	if (user_data)
		call_ours(bio, key, user_data);
	else
		strange_bio_begins(key);
	return 0;
}

HOOK_FUNCTION(submit_bio_noacct, 0, bio_called)

#endif
