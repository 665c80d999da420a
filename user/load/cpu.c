// SPDX-License-Identifier: GPL-2.0-only
// In: getrusage and /proc/thread-self/schedstat. Out: this thread's CPU time.
#include "load/cpu.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"

static uint64_t ns_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * NS_PER_S + (uint64_t)t->tv_usec * NS_PER_US;
}

/* Second field: ns spent runnable but not running. */
static uint64_t waited_ns(int fd)
{
	unsigned long long ran, waited;
	char text[96];
	ssize_t got = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);

	if (got <= 0)
		return UINT64_MAX;
	text[got] = '\0';
	return sscanf(text, "%llu %llu", &ran, &waited) == 2 ? waited : UINT64_MAX;
}

static void read_times(struct cpu_meter *meter)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_THREAD, &usage);
	meter->wall_ns = clock_monotonic_ns();
	meter->user_ns = ns_of(&usage.ru_utime);
	meter->system_ns = ns_of(&usage.ru_stime);
	meter->waited_ns = waited_ns(meter->schedstat);
}

void cpu_meter_start(struct cpu_meter *meter)
{
	meter->schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	read_times(meter);
}

void cpu_meter_stop(struct cpu_meter *meter, struct load_cpu *out)
{
	struct cpu_meter now = { .schedstat = meter->schedstat };

	read_times(&now);
	out->wall_ns = now.wall_ns - meter->wall_ns;
	out->user_ns = now.user_ns - meter->user_ns;
	out->system_ns = now.system_ns - meter->system_ns;
	out->run_queue_wait_ns = now.waited_ns == UINT64_MAX || meter->waited_ns == UINT64_MAX
					 ? UINT64_MAX : now.waited_ns - meter->waited_ns;
	if (meter->schedstat >= 0)
		close(meter->schedstat);
	meter->schedstat = -1;
}
