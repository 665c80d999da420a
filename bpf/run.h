/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What the `run` programs and the loader share beside the flight record: the
 * counts that tell whether both clocks saw the same I/Os. Free of libc.
 */
#ifndef IOSTRATA_RUN_H
#define IOSTRATA_RUN_H

#include "record.h"

enum iostrata_run_count {
	IOSTRATA_RUN_ENTERED,	   /* our I/Os the kernel took from the ring */
	IOSTRATA_RUN_RETURNED,	   /* our CQEs posted */
	IOSTRATA_RUN_PUNTED,	   /* first tries refused */
	IOSTRATA_RUN_BIOS_OURS,	   /* bios of ours queued on the target's device, retries too */
	IOSTRATA_RUN_BIOS_SPLIT,   /* children split off them */
	IOSTRATA_RUN_BIOS_REFUSED, /* ended before they were a request, with -EAGAIN */
	IOSTRATA_RUN_BIOS_DONE,
	IOSTRATA_RUN_BIOS_THEIRS,  /* bios of others on the target's device */
	IOSTRATA_RUN_BY_WORKER,	   /* ours identified by the io-wq worker's current work */
	IOSTRATA_RUN_BY_IOCB,	   /* …by the direct I/O's iocb */
	IOSTRATA_RUN_BY_THREAD,	   /* …by the submitting thread's current request */
	IOSTRATA_RUN_REQUESTS_OURS, /* completed requests that held a bio of ours */
	IOSTRATA_RUN_END_UNSEEN,   /* CQE posted, the completion event never given to us */
	/* Losses. */
	IOSTRATA_RUN_STALE_BIOS,   /* a bio's memory was reused before we saw it end */
	IOSTRATA_RUN_UNIDENTIFIED, /* queued by our threads, but whose? */
	IOSTRATA_RUN_SLOT_REUSED,  /* an event for a generation that is gone: refused */
	IOSTRATA_RUN_MAP_FULL,	   /* no room to remember a bio */
	IOSTRATA_RUN_WALK_CUT,	   /* a request with more bios than we walk */
	IOSTRATA_RUN_CONTENDED,	   /* a child's stamps lost to a concurrent one */
	IOSTRATA_RUN_COUNT = 32,
};

/* One CPU's counts, on cache lines of their own. */
struct iostrata_run_counts {
	iostrata_u64 count[IOSTRATA_RUN_COUNT];
} __attribute__((aligned(64)));

/* Bios in some state, now and at most. */
struct iostrata_run_depth {
	iostrata_u64 now, max;
	iostrata_u64 spent_ns; /* by those that left the state; where it is kept */
	iostrata_u64 reserved[5];
} __attribute__((aligned(64)));

/* What the submitting thread's events leave for each other. */
struct iostrata_run_current {
	iostrata_u64 user_data; /* of the request that thread submits right now; 0: none */
	iostrata_u64 reserved[7];
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct iostrata_run_counts) == IOSTRATA_RUN_COUNT * 8, "no implicit padding");
_Static_assert(sizeof(struct iostrata_run_depth) == 64, "a cache line");
_Static_assert(sizeof(struct iostrata_run_current) == 64, "a cache line");

/* Functions that end a direct I/O's bio; from each the iocb can be found. */
enum iostrata_end_io {
	IOSTRATA_END_IO_BLKDEV_ASYNC, /* blkdev_bio_end_io_async: bio lies in the dio */
	IOSTRATA_END_IO_BLKDEV,	      /* blkdev_bio_end_io: bi_private is the dio */
	IOSTRATA_END_IO_IOMAP,	      /* iomap_dio_bio_end_io: bi_private is the dio */
	IOSTRATA_END_IO_COUNT,
};

enum { IOSTRATA_WALK_MAX = 512 }; /* bios of one request that are walked */

#endif
