/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The flight record: one I/O's stamps from both clocks' sides, in memory the
 * generator and the BPF programs share. In: the generator's slots. Out: what
 * the attribution reads once the slot's CQE was reaped.
 *
 * Life of a slot: the generator fills its half, publishes `generation` with
 * release order and submits user_data = iostrata_user_data(slot, generation).
 * BPF clears the kernel half at `entered`, stamps it with the same generation
 * and refuses any later write whose generation is not the slot's. Only the CQE
 * frees a slot; a time-out never does.
 *
 * The halves lie on cache lines of their own. Fixed widths, no implicit
 * padding; sizes and offsets asserted below.
 */
#ifndef IOSTRATA_RECORD_H
#define IOSTRATA_RECORD_H

#ifdef __bpf__
typedef unsigned char iostrata_u8;
typedef unsigned short iostrata_u16;
typedef unsigned int iostrata_u32;
typedef signed int iostrata_s32;
typedef unsigned long long iostrata_u64;
#else
#include <stdint.h>
typedef uint8_t iostrata_u8;
typedef uint16_t iostrata_u16;
typedef uint32_t iostrata_u32;
typedef int32_t iostrata_s32;
typedef uint64_t iostrata_u64;
#endif

#include "boundary.h"

#define IOSTRATA_SLOT_BITS 20
#define IOSTRATA_SLOTS_MAX (1u << IOSTRATA_SLOT_BITS)
#define IOSTRATA_GENERATION_BITS 28
#define IOSTRATA_GENERATION_MASK ((1ull << IOSTRATA_GENERATION_BITS) - 1)
/* Top 16 bits of every user_data of ours; other io_uring users count from 0
 * or store pointers, so neither collides.
 */
#define IOSTRATA_MAGIC 0xB10Cull

/* user_data of slot (< IOSTRATA_SLOTS_MAX) in its generation (1 and up; kept
 * modulo 2^28).
 */
static inline iostrata_u64 iostrata_user_data(iostrata_u32 slot, iostrata_u64 generation)
{
	return IOSTRATA_MAGIC << 48 |
	       (generation & IOSTRATA_GENERATION_MASK) << IOSTRATA_SLOT_BITS | slot;
}

static inline int iostrata_is_ours(iostrata_u64 user_data)
{
	return user_data >> 48 == IOSTRATA_MAGIC;
}

static inline iostrata_u32 iostrata_slot(iostrata_u64 user_data)
{
	return user_data & (IOSTRATA_SLOTS_MAX - 1);
}

static inline iostrata_u32 iostrata_generation(iostrata_u64 user_data)
{
	return user_data >> IOSTRATA_SLOT_BITS & IOSTRATA_GENERATION_MASK;
}

enum iostrata_record_flag {
	IOSTRATA_F_WARMUP = 1u << 0, /* user: planned within the warm-up */
	IOSTRATA_F_WRITE = 1u << 1,  /* user: a write */
};

enum iostrata_kernel_flag {
	IOSTRATA_K_PUNTED = 1u << 0,	/* went to an io-wq worker */
	IOSTRATA_K_MERGED = 1u << 1,	/* some bio was merged into a request */
	IOSTRATA_K_SPLIT = 1u << 2,	/* became several bios */
	IOSTRATA_K_REFUSED = 1u << 3,	/* a bio ended before it was a request */
	IOSTRATA_K_REQUEUED = 1u << 4,	/* a request was issued more than once */
	IOSTRATA_K_CONTENDED = 1u << 5, /* a stamp was lost to a concurrent one */
	IOSTRATA_K_BIO_BASED = 1u << 6, /* completed by bio, never a request */
	IOSTRATA_K_END_UNSEEN = 1u << 7, /* the last child's completion event was not given to us */
	IOSTRATA_K_READ_AHEAD = 1u << 8, /* started read-ahead that it did not wait for */
	IOSTRATA_K_FLUSH_UNSEEN = 1u << 9, /* where its data ended and the flush began was not seen */
};

struct iostrata_record {
	/* The generator's half. */
	iostrata_u64 generation;   /* low 28 bits as in user_data; published last */
	iostrata_u64 planned_ns;
	iostrata_u64 submitted_ns;
	iostrata_u64 reaped_ns;
	iostrata_u64 sequence;	   /* 0, 1, … in planned order */
	iostrata_u64 offset_bytes; /* on the target */
	iostrata_u32 length_bytes;
	iostrata_u32 flags;	   /* iostrata_record_flag */
	iostrata_s32 result;	   /* bytes or -errno, once reaped */
	iostrata_u32 client;	   /* closed arrivals: which client; else 0 */

	/* The kernel's half. stamp[] is indexed by iostrata_boundary; 0: not
	 * seen. Those of PLANNED, SUBMITTED and REAPED stand above: their places
	 * here hold the parts of queued to allocated that could be told apart.
	 */
	union {
		iostrata_u64 stamp[IOSTRATA_BOUNDARY_COUNT];
		struct {
			iostrata_u64 freeze_ns;	  /* at the door of a frozen queue */
			iostrata_u64 qos_ns;	  /* rq_qos: wbt, io.cost, io.latency */
			iostrata_u64 between[IOSTRATA_REAPED - 2];
			iostrata_u64 tag_wait_ns; /* taking a tag, or waiting for one */
		};
	};
	iostrata_u32 kernel_generation; /* 0: the kernel never saw this one */
	iostrata_u32 kernel_flags;	/* iostrata_kernel_flag */
	iostrata_u32 bios_started;	/* bios queued and split children */
	iostrata_u32 bios_done;
	iostrata_u64 flush_ns;		/* time in flushes asked for by this I/O */
	iostrata_u32 issued_depth;	/* our bios in flight on the device at issue, this one included */
	iostrata_u32 lock;		/* held while a child's stamps are copied in */
	iostrata_u64 kernel_bytes;	/* bytes of the bios that completed */
	iostrata_u64 last_bio;		/* key of the bio queued last */
	iostrata_u64 first_bio_ns;	/* when the first one was at `bio` (unseen: queued), of the last try */
	iostrata_u32 bios_ahead;	/* read-ahead among those started and not done */
	iostrata_u32 reserved;
} __attribute__((aligned(64)));

_Static_assert(IOSTRATA_BOUNDARY_COUNT == 16, "stamp[] fills two cache lines");
_Static_assert(__builtin_offsetof(struct iostrata_record, stamp) == 64, "kernel half on its own line");
_Static_assert(__builtin_offsetof(struct iostrata_record, qos_ns) ==
		       __builtin_offsetof(struct iostrata_record, stamp[IOSTRATA_SUBMITTED]),
	       "no kernel stamp before");
_Static_assert(__builtin_offsetof(struct iostrata_record, tag_wait_ns) ==
		       __builtin_offsetof(struct iostrata_record, stamp[IOSTRATA_REAPED]),
	       "nor behind");
_Static_assert(__builtin_offsetof(struct iostrata_record, kernel_generation) == 192, "kernel state on one line");
_Static_assert(sizeof(struct iostrata_record) == 256, "no implicit padding");

/* One word the generator writes and BPF reads: set while the generator's
 * thread is inside io_uring_enter, so that a bio queued by that thread outside
 * of it (its own buffered or direct writes) is never taken for a ring's.
 */
struct iostrata_control {
	iostrata_u32 in_enter;
	iostrata_u32 reserved[15];
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct iostrata_control) == 64, "one cache line");

#endif
