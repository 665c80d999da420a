/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The io_uring: in go prepared I/Os and waits with a deadline, out come
 * completions. The submission queue is driven directly: every
 * io_uring_enter passes through ring_enter, which marks control->in_enter.
 *
 * With DEFER_TASKRUN no completion shows without entering with GETEVENTS.
 * ring_enter always does; ring_pending tells when it is worth it.
 */
#ifndef IOSTRATA_LOAD_RING_H
#define IOSTRATA_LOAD_RING_H

#include <liburing.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"
#include "record.h"

/* user_data of the poll on the signal descriptor; never that of an I/O. */
#define RING_SIGNAL 1ull
#define RING_NO_DEADLINE UINT64_MAX

enum { RING_SQ_ENTRIES = 64 }; /* a larger burst goes in several batches */

struct ring {
	struct io_uring uring;
	struct iostrata_control *control;
	uint32_t setup_flags;	/* IORING_SETUP_* as the kernel took them */
	unsigned int enter_flags;
	int enter_fd;
	unsigned int sq_tail, sq_mask, cq_mask;
	bool absolute_timer, file_registered, buffers_registered;
	int file;		/* index of the registered one, or descriptor */
	uint64_t enters;
};

/* A ring whose completion queue holds `in_flight` I/Os and the signal's poll.
 * -errno and *why, with the remedy.
 */
int ring_open(struct ring *ring, uint32_t in_flight, struct iostrata_control *control,
	      struct why *why);
/* `idle`: nothing is in flight, and the target is let go of at once; else the
 * kernel does so when the last I/O is back.
 */
void ring_close(struct ring *ring, bool idle);
/* Registers them; where that is forbidden (RLIMIT_MEMLOCK) works without. */
void ring_use(struct ring *ring, int fd, void *buffers, uint64_t bytes);
/* A completion RING_SIGNAL when fd becomes readable, once. */
void ring_watch(struct ring *ring, int fd);
/* Submits what was prepared. Waits for a completion until deadline_ns
 * (CLOCK_MONOTONIC) when `wait`; may return early. 0 or -errno.
 */
int ring_enter(struct ring *ring, bool wait, uint64_t deadline_ns);

static inline bool ring_has_room(const struct ring *ring)
{
	return ring->sq_tail - __atomic_load_n(ring->uring.sq.khead, __ATOMIC_ACQUIRE) <
	       RING_SQ_ENTRIES;
}

/* Prepared, or left over when the kernel took fewer than it was offered. */
static inline bool ring_unsubmitted(const struct ring *ring)
{
	return ring->sq_tail != __atomic_load_n(ring->uring.sq.khead, __ATOMIC_ACQUIRE);
}

/* The next submission entry; ring_has_room must hold. */
static inline struct io_uring_sqe *ring_sqe(struct ring *ring)
{
	return &ring->uring.sq.sqes[ring->sq_tail++ & ring->sq_mask];
}

struct ring_io {
	bool write;
	uint32_t length;
	uint64_t offset, user_data;
	void *buffer;
};

static inline void ring_prepare(struct ring *ring, const struct ring_io *io)
{
	bool fixed = ring->buffers_registered;

	*ring_sqe(ring) = (struct io_uring_sqe){
		.opcode = io->write ? (fixed ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE)
				    : (fixed ? IORING_OP_READ_FIXED : IORING_OP_READ),
		.flags = ring->file_registered ? IOSQE_FIXED_FILE : 0,
		.fd = ring->file,
		.off = io->offset,
		.addr = (uintptr_t)io->buffer,
		.len = io->length,
		.user_data = io->user_data,
	};
}

/* The oldest completion that was not taken yet, or NULL. */
static inline struct io_uring_cqe *ring_completion(struct ring *ring)
{
	unsigned int head = *ring->uring.cq.khead;

	if (head == __atomic_load_n(ring->uring.cq.ktail, __ATOMIC_ACQUIRE))
		return NULL;
	return &ring->uring.cq.cqes[head & ring->cq_mask];
}

static inline void ring_take(struct ring *ring)
{
	__atomic_store_n(ring->uring.cq.khead, *ring->uring.cq.khead + 1, __ATOMIC_RELEASE);
}

/* Completions are there, or entering would bring some. */
static inline bool ring_pending(struct ring *ring)
{
	return ring_completion(ring) ||
	       __atomic_load_n(ring->uring.sq.kflags, __ATOMIC_RELAXED) &
		       (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW);
}

#endif
