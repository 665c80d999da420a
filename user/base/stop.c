// SPDX-License-Identifier: GPL-2.0-only
// In: signals. Out: a readable descriptor, or "not yet" at a deadline.
#include "base/stop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>

#include "base/clock.h"

int stop_open(struct why *why)
{
	sigset_t signals;
	int fd;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return why_set(why, -errno, EXIT_FAILED, "cannot wait for signals: %s",
			       why_text(errno));
	return fd;
}

bool stop_wait(int stop_fd, uint64_t deadline_ns)
{
	struct pollfd pollfd = { .fd = stop_fd, .events = POLLIN };

	for (;;) {
		uint64_t now_ns = clock_monotonic_ns();
		uint64_t left_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
		struct timespec left = { .tv_sec = (time_t)(left_ns / NS_PER_S),
					 .tv_nsec = (long)(left_ns % NS_PER_S) };
		int ready = ppoll(&pollfd, 1, deadline_ns == UINT64_MAX ? NULL : &left, NULL);

		if (ready > 0)
			return true;
		if (!ready || errno != EINTR)
			return false;
	}
}
