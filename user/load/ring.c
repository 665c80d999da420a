// SPDX-License-Identifier: GPL-2.0-only
// In: prepared submissions, a deadline. Out: the kernel has them; completions
// that are there by then can be taken.
#include "load/ring.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "load/ring_setup.h"

static struct __kernel_timespec until(const struct ring *ring, uint64_t deadline_ns)
{
	uint64_t now_ns, ns = deadline_ns;

	if (!ring->absolute_timer) {
		/* Relative, so read the clock as late as can be. */
		now_ns = clock_monotonic_ns();
		ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
	}
	return (struct __kernel_timespec){ (int64_t)(ns / NS_PER_S), (long long)(ns % NS_PER_S) };
}

static unsigned int publish(struct ring *ring)
{
	struct io_uring_sq *sq = &ring->uring.sq;

	__atomic_store_n(sq->ktail, ring->sq_tail, __ATOMIC_RELEASE);
	return ring->sq_tail - __atomic_load_n(sq->khead, __ATOMIC_ACQUIRE);
}

static long enter(struct ring *ring, bool wait, unsigned int flags, void *arg, size_t size)
{
	unsigned int submit = publish(ring);
	long ret;

	ring->enters++;
	__atomic_store_n(&ring->control->in_enter, 1, __ATOMIC_RELAXED);
	ret = syscall(__NR_io_uring_enter, ring->enter_fd, submit, wait ? 1 : 0,
		      IORING_ENTER_GETEVENTS | ring->enter_flags | flags, arg, size);
	__atomic_store_n(&ring->control->in_enter, 0, __ATOMIC_RELAXED);
	return ret < 0 ? -errno : ret;
}

int ring_enter(struct ring *ring, bool wait, uint64_t deadline_ns)
{
	struct __kernel_timespec ts;
	struct io_uring_getevents_arg arg = { .ts = (uintptr_t)&ts };
	unsigned int flags = ring->absolute_timer ? RING_ENTER_ABS_TIMER : 0;
	long ret;

	if (wait && deadline_ns != RING_NO_DEADLINE) {
		ts = until(ring, deadline_ns);
		ret = enter(ring, true, flags | IORING_ENTER_EXT_ARG, &arg, sizeof(arg));
	} else {
		ret = enter(ring, wait, 0, NULL, 0);
	}
	/* The caller looks at the rings and the clock anyway: what was not
	 * submitted stays prepared and goes with the next call.
	 */
	if (ret >= 0 || ret == -ETIME || ret == -EINTR || ret == -EAGAIN || ret == -EBUSY)
		return 0;
	return (int)ret;
}

void ring_watch(struct ring *ring, int fd)
{
	/* A full queue is submitting still; a second signal can do without. */
	if (!ring_has_room(ring))
		return;
	*ring_sqe(ring) = (struct io_uring_sqe){ .opcode = IORING_OP_POLL_ADD, .fd = fd,
						 .poll32_events = POLLIN, .user_data = RING_SIGNAL };
}

void ring_use(struct ring *ring, int fd, void *buffers, uint64_t bytes)
{
	struct iovec pool = { buffers, bytes };

	ring->file = fd;
	if (!io_uring_register_files(&ring->uring, &fd, 1)) {
		ring->file_registered = true;
		ring->file = 0;
	}
	ring->buffers_registered = !io_uring_register_buffers(&ring->uring, &pool, 1);
}

void ring_close(struct ring *ring, bool idle)
{
	if (idle && ring->file_registered)
		io_uring_unregister_files(&ring->uring);
	io_uring_queue_exit(&ring->uring);
}
