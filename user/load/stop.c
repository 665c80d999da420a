// SPDX-License-Identifier: GPL-2.0-only
// In: SIGINT, SIGTERM. Out: a signalfd.
#include "load/stop.h"

#include <errno.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

int stop_open(struct stop *stop, struct why *why)
{
	sigset_t signals;
	int err;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &signals, &stop->before);
	stop->fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (stop->fd >= 0)
		return 0;
	err = -errno;
	pthread_sigmask(SIG_SETMASK, &stop->before, NULL);
	return why_set(why, err, EXIT_FAILED, "cannot watch for signals: %s; raise ulimit -n",
		       why_text(err));
}

void stop_drain(struct stop *stop)
{
	struct signalfd_siginfo info;

	while (read(stop->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		;
}

void stop_close(struct stop *stop)
{
	/* A second Ctrl-C that came while we ended is not to kill the report. */
	stop_drain(stop);
	close(stop->fd);
	pthread_sigmask(SIG_SETMASK, &stop->before, NULL);
}
