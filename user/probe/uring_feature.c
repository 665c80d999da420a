// SPDX-License-Identifier: GPL-2.0-only
// In: nothing. Out: which parts of io_uring this kernel and these limits give.
#include "probe/uring_feature.h"

#include <errno.h>
#include <liburing.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Newer than the oldest liburing we build with. */
#ifndef IORING_ENTER_ABS_TIMER
#define IORING_ENTER_ABS_TIMER (1U << 5)
#endif

enum { ENTRIES = 4, MANY_ENTRIES = 1 << 20 };

static int try_setup(unsigned int flags)
{
	struct io_uring ring;
	int err = io_uring_queue_init(ENTRIES, &ring, flags);

	if (!err)
		io_uring_queue_exit(&ring);
	return err;
}

/* Asks for far more than any kernel gives and lets it cut that down. */
static uint32_t find_max_entries(void)
{
	struct io_uring_params params = { .flags = IORING_SETUP_CLAMP };
	int fd = (int)syscall(__NR_io_uring_setup, MANY_ENTRIES, &params);

	if (fd < 0)
		return 0;
	close(fd);
	return params.sq_entries;
}

/* Waits for a completion that never comes, until one nanosecond after start
 * (or after boot): over at once either way. An unknown flag is EINVAL.
 */
static int try_wait(const struct io_uring *ring, unsigned int flags)
{
	struct __kernel_timespec past = { .tv_nsec = 1 };
	struct io_uring_getevents_arg arg = { .ts = (uintptr_t)&past };
	long done = syscall(__NR_io_uring_enter, ring->ring_fd, 0, 1,
			    IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG | flags, &arg, sizeof(arg));

	return done < 0 && errno != ETIME ? -errno : 0;
}

static int try_buffers(struct io_uring *ring)
{
	char page[4096];
	struct iovec iov = { page, sizeof(page) };

	return io_uring_register_buffers(ring, &iov, 1) ?: io_uring_unregister_buffers(ring);
}

static int try_files(struct io_uring *ring)
{
	int fds[2], err;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	err = io_uring_register_files(ring, fds, 1);
	close(fds[0]);
	close(fds[1]);
	return err;
}

static void find_missing_ops(struct io_uring *ring, char *out, size_t size)
{
	static const struct { int op; const char *name; } used[] = {
		{ IORING_OP_NOP, "NOP" },	     { IORING_OP_READ, "READ" },
		{ IORING_OP_WRITE, "WRITE" },	     { IORING_OP_READ_FIXED, "READ_FIXED" },
		{ IORING_OP_WRITE_FIXED, "WRITE_FIXED" }, { IORING_OP_FSYNC, "FSYNC" },
		{ IORING_OP_TIMEOUT, "TIMEOUT" },    { IORING_OP_ASYNC_CANCEL, "ASYNC_CANCEL" },
	};
	struct io_uring_probe *probe = io_uring_get_probe_ring(ring);
	size_t length = 0;

	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]) && length < size; i++)
		if (!probe || !io_uring_opcode_supported(probe, used[i].op))
			length += (size_t)snprintf(out + length, size - length, "%s%s",
						   length ? " " : "", used[i].name);
	io_uring_free_probe(probe);
}

static void try_on(struct io_uring *ring, struct uring_features *out)
{
	out->features = ring->features;
	out->ext_arg = ring->features & IORING_FEAT_EXT_ARG ? try_wait(ring, 0) : -EOPNOTSUPP;
	out->abs_timer = out->ext_arg ? out->ext_arg : try_wait(ring, IORING_ENTER_ABS_TIMER);
	out->buffers = try_buffers(ring);
	out->files = try_files(ring);
	find_missing_ops(ring, out->missing_ops, sizeof(out->missing_ops));
}

struct uring_features uring_features_try(void)
{
	struct uring_features out = { .ext_arg = -ENODATA, .abs_timer = -ENODATA,
				      .buffers = -ENODATA, .files = -ENODATA };
	struct io_uring ring;

	out.ring = io_uring_queue_init(ENTRIES, &ring, 0);
	if (!out.ring) {
		try_on(&ring, &out);
		io_uring_queue_exit(&ring);
	}
	out.defer_taskrun = try_setup(IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
	out.coop_taskrun = try_setup(IORING_SETUP_COOP_TASKRUN);
	out.max_entries = find_max_entries();
	return out;
}
