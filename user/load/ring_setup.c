// SPDX-License-Identifier: GPL-2.0-only
// In: how many I/Os may be in flight. Out: the best ring this kernel makes,
// found by trying, or why it makes none.
#include "load/ring_setup.h"

#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "load/ring.h"

/* Best first. TASKRUN_FLAG lets a spinning thread see that completions wait
 * without entering. Never SQPOLL: its thread would hide the submission.
 */
static const unsigned int kinds[] = {
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG |
		IORING_SETUP_SUBMIT_ALL, /* Linux 6.1 */
	IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SUBMIT_ALL, /* 5.19 */
	0,
};

static unsigned int power_of_two(unsigned int at_least)
{
	unsigned int p = RING_SQ_ENTRIES;

	while (p < at_least)
		p *= 2;
	return p;
}

static int try_kinds(struct ring *ring, uint32_t in_flight)
{
	int err = -EINVAL;

	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct io_uring_params params = {
			.flags = kinds[i] | IORING_SETUP_CQSIZE,
			.cq_entries = power_of_two(in_flight + 1),
		};

		err = io_uring_queue_init_params(RING_SQ_ENTRIES, &ring->uring, &params);
		if (!err) {
			ring->setup_flags = params.flags;
			return 0;
		}
		if (err != -EINVAL)
			break;
	}
	return err;
}

/* kernel.io_uring_disabled (Linux 6.6): 0, 1 or 2; -1 where it does not exist. */
static int disabled_by_sysctl(void)
{
	FILE *file = fopen("/proc/sys/kernel/io_uring_disabled", "re");
	int value = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%d", &value) != 1)
		value = -1;
	fclose(file);
	return value;
}

static int refused(int err, struct why *why)
{
	int disabled = disabled_by_sysctl();

	if (err == -EPERM && disabled == 2)
		return why_set(why, err, EXIT_KERNEL_LACKS,
			       "io_uring is disabled (kernel.io_uring_disabled = 2); "
			       "enable it with: sysctl kernel.io_uring_disabled=0");
	if (err == -EPERM && disabled == 1)
		return why_set(why, err, EXIT_PRIVILEGE,
			       "io_uring is for privileged users here (kernel.io_uring_disabled = 1); "
			       "run as root or in the group of kernel.io_uring_group");
	if (err == -EPERM || err == -EACCES)
		return why_set(why, err, EXIT_PRIVILEGE,
			       "io_uring is refused (%s); a container's seccomp profile must allow "
			       "io_uring_setup, _enter and _register", why_text(err));
	if (err == -ENOSYS)
		return why_set(why, err, EXIT_KERNEL_LACKS,
			       "no io_uring: the kernel needs CONFIG_IO_URING, and a container's "
			       "seccomp profile must allow io_uring_setup");
	if (err == -ENOMEM)
		return why_set(why, err, EXIT_FAILED,
			       "no memory for the ring; lower --in-flight-cap or raise ulimit -l");
	return why_set(why, err, EXIT_FAILED, "cannot set up io_uring: %s", why_text(err));
}

/* An unknown flag is refused before anything else is looked at. */
static bool takes_absolute_time(struct ring *ring)
{
	struct __kernel_timespec ts = { 0 };
	struct io_uring_getevents_arg arg = { .ts = (uintptr_t)&ts };

	return syscall(__NR_io_uring_enter, ring->uring.ring_fd, 0, 0,
		       IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG | RING_ENTER_ABS_TIMER, &arg,
		       sizeof(arg)) >= 0;
}

/* The indirection array maps each entry to itself, once and for all. */
static void take_over_queue(struct ring *ring)
{
	struct io_uring_sq *sq = &ring->uring.sq;

	ring->sq_mask = *sq->kring_mask;
	ring->cq_mask = *ring->uring.cq.kring_mask;
	ring->sq_tail = *sq->ktail;
	for (unsigned int i = 0; i <= ring->sq_mask; i++)
		sq->array[i] = i;
}

int ring_open(struct ring *ring, uint32_t in_flight, struct iostrata_control *control,
	      struct why *why)
{
	int err;

	*ring = (struct ring){ .control = control };
	err = try_kinds(ring, in_flight);
	if (err)
		return refused(err, why);
	if (!(ring->uring.features & IORING_FEAT_EXT_ARG)) {
		ring_close(ring, true);
		return why_set(why, -EOPNOTSUPP, EXIT_KERNEL_LACKS,
			       "io_uring here has no wait with a time-out; Linux 5.11 or newer is needed");
	}
	take_over_queue(ring);
	ring->absolute_timer = takes_absolute_time(ring);
	ring->enter_fd = ring->uring.ring_fd;
	if (io_uring_register_ring_fd(&ring->uring) == 1) {
		ring->enter_fd = ring->uring.enter_ring_fd;
		ring->enter_flags = IORING_ENTER_REGISTERED_RING;
	}
	return 0;
}
