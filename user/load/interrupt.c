// SPDX-License-Identifier: GPL-2.0-only
// In: SIGINT, SIGTERM. Out: a signalfd.
#include "load/interrupt.h"

#include <errno.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

int interrupt_open(struct interrupt *interrupt, struct why *why)
{
	sigset_t signals;
	int err;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &signals, &interrupt->before);
	interrupt->fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (interrupt->fd >= 0)
		return 0;
	err = -errno;
	pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
	return why_set(why, err, EXIT_FAILED, "cannot watch for signals: %s; raise ulimit -n",
		       why_text(err));
}

void interrupt_drain(struct interrupt *interrupt)
{
	struct signalfd_siginfo info;

	while (read(interrupt->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		;
}

void interrupt_close(struct interrupt *interrupt)
{
	/* A second Ctrl-C that came while we ended is not to kill the report. */
	interrupt_drain(interrupt);
	close(interrupt->fd);
	pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
}
