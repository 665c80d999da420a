/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Waiting while a trace goes on. In: a deadline. Out: whether an early end was
 * asked for; meanwhile the NVMe driver is noticed if it is loaded.
 */
#ifndef IOSTRATA_TRACE_WAIT_H
#define IOSTRATA_TRACE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/trace_session.h"

struct trace_wait {
	struct trace_session *session;
	int stop_fd;
	uint64_t started_ns;
	bool given_up;	/* the driver came, and could not be attached to */
	char note[192]; /* what became of it; "": nothing happened */
};

/* Until `end_ns` (CLOCK_MONOTONIC; UINT64_MAX: for ever). */
bool trace_wait(struct trace_wait *wait, uint64_t end_ns);

#endif
