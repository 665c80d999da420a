// SPDX-License-Identifier: GPL-2.0-only
// In: pids. Out: their ends, watched or brought about.
#include "target/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { KILL_ROUND_MS = 5 };

int process_open(pid_t pid)
{
	int fd = pidfd_open(pid, 0);

	return fd < 0 ? -errno : fd;
}

int process_signal(int pidfd, int signal)
{
	return pidfd_send_signal(pidfd, signal, NULL, 0) ? -errno : 0;
}

bool process_ended(int pidfd, int timeout_ms)
{
	struct pollfd wait = { .fd = pidfd, .events = POLLIN };
	uint64_t until_ns = clock_monotonic_ns() + (uint64_t)timeout_ms * NS_PER_MS;
	uint64_t now;

	while (poll(&wait, 1, timeout_ms) < 0) {
		now = clock_monotonic_ns();
		if (errno != EINTR || now >= until_ns)
			return false;
		timeout_ms = (int)((until_ns - now) / NS_PER_MS);
	}
	return wait.revents & POLLIN;
}

int process_collect(int pidfd)
{
	siginfo_t info;

	while (waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED)) {
		if (errno != EINTR)
			return -errno;
	}
	return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
}

/* The parent of a pid, -1 if it is gone. Its name may hold spaces and ')'. */
static pid_t parent_of(const char *pid)
{
	char path[300], line[512], *after;
	FILE *file;
	int parent = -1;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return -1;
	if (fgets(line, sizeof(line), file)) {
		after = strrchr(line, ')');
		if (!after || sscanf(after + 1, " %*c %d", &parent) != 1)
			parent = -1;
	}
	fclose(file);
	return parent;
}

/* Signals each child but `spare`; returns how many there were. */
static unsigned int kill_each_child(pid_t spare)
{
	DIR *proc = opendir("/proc");
	unsigned int count = 0;
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;

		if (!pid || pid == spare || parent_of(entry->d_name) != getpid())
			continue;
		/* Our own child: its pid can't be reused before we collect it. */
		kill(pid, SIGKILL);
		waitpid(pid, NULL, WNOHANG);
		count++;
	}
	if (proc)
		closedir(proc);
	return count;
}

void process_kill_children(pid_t spare, int timeout_ms)
{
	static const struct timespec round = { .tv_nsec = KILL_ROUND_MS * (long)NS_PER_MS };

	for (; kill_each_child(spare) && timeout_ms > 0; timeout_ms -= KILL_ROUND_MS)
		nanosleep(&round, NULL);
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

void process_close_others(const int *keep, unsigned int count)
{
	int sorted[8];
	unsigned int next = 3;

	memcpy(sorted, keep, count * sizeof(*keep));
	qsort(sorted, count, sizeof(*sorted), by_number);
	for (unsigned int i = 0; i < count; i++) {
		if (sorted[i] < (int)next)
			continue;
		if (sorted[i] > (int)next)
			close_range(next, (unsigned int)sorted[i] - 1, 0);
		next = (unsigned int)sorted[i] + 1;
	}
	close_range(next, ~0u, 0);
}

void process_detach_stdio(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

static void *run_call(void *argument)
{
	struct process_call *call = argument;

	call->call(call->context);
	return NULL;
}

bool process_rejoin(struct process_call *call, int timeout_ms)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += timeout_ms / 1000;
	until.tv_nsec += timeout_ms % 1000 * 1000000l;
	if (until.tv_nsec >= (long)NS_PER_S) {
		until.tv_nsec -= (long)NS_PER_S;
		until.tv_sec++;
	}
	return !pthread_clockjoin_np(call->thread, NULL, CLOCK_MONOTONIC, &until);
}

bool process_try(struct process_call *call, int timeout_ms)
{
	if (pthread_create(&call->thread, NULL, run_call, call)) {
		call->call(call->context);
		return true;
	}
	return process_rejoin(call, timeout_ms);
}
