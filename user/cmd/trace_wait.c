// SPDX-License-Identifier: GPL-2.0-only
// In: a trace session, a deadline. Out: the deadline or a signal came; the NVMe
// programs are attached if the driver came.
#include "cmd/trace_wait.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/stop.h"
#include "kernel/privilege.h"

/* sysfs tells of no new module: a look costs a microsecond. */
enum { LOOK_EVERY_MS = 100 };

static bool goes_on_awaiting(const struct trace_wait *wait)
{
	return !wait->given_up && trace_session_awaits_nvme(wait->session);
}

static void look_for_driver(struct trace_wait *wait)
{
	struct why why = { 0 };
	double after_s = (double)(clock_monotonic_ns() - wait->started_ns) / NS_PER_S;

	if (trace_session_attach_nvme(wait->session, &why)) {
		wait->given_up = true;
		snprintf(wait->note, sizeof(wait->note), "The NVMe driver came after %.1f s: %.120s.",
			 after_s, why.text);
		return;
	}
	if (trace_session_awaits_nvme(wait->session))
		return;
	privilege_drop(&why);
	snprintf(wait->note, sizeof(wait->note),
		 "The NVMe driver came after %.1f s: layers are of what it did since.", after_s);
}

bool trace_wait(struct trace_wait *wait, uint64_t end_ns)
{
	while (goes_on_awaiting(wait)) {
		uint64_t next_ns = clock_monotonic_ns() + LOOK_EVERY_MS * NS_PER_MS;

		if (next_ns >= end_ns)
			break;
		if (stop_wait(wait->stop_fd, next_ns))
			return true;
		look_for_driver(wait);
	}
	return stop_wait(wait->stop_fd, end_ns);
}
