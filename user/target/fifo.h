/* SPDX-License-Identifier: GPL-2.0-only
 *
 * First in, first out, one at a time, by absolute deadlines. In: arrivals and
 * stalls. Out: when each one's turn starts and when its answer is due. Pure:
 * reads no clock, so that a late thread delays one answer, never the schedule.
 */
#ifndef IOSTRATA_TARGET_FIFO_H
#define IOSTRATA_TARGET_FIFO_H

#include <stdint.h>

enum { FIFO_STALLS_MAX = 8 };

struct fifo_stall {
	uint64_t from_ns, until_ns; /* nothing is served in [from, until) */
};

struct fifo {
	uint64_t free_ns; /* due time of the last one taken */
	struct fifo_stall stalls[FIFO_STALLS_MAX]; /* by time, apart from each other */
	unsigned int stall_count;
};

struct fifo_turn {
	uint64_t start_ns, due_ns;
};

/* The turn of the next request. A stall before its start moves the start, one
 * within its service lengthens that. Changes nothing: ask again after a stall.
 */
struct fifo_turn fifo_turn(const struct fifo *fifo, uint64_t arrived_ns, uint64_t service_ns);

/* The turn was served: later ones start when it was due. */
void fifo_take(struct fifo *fifo, const struct fifo_turn *turn);

/* Adds a stall, joined with those it touches. 0; -ENOSPC when too many are
 * outstanding; -ERANGE when it ends beyond the clock.
 */
int fifo_add_stall(struct fifo *fifo, uint64_t from_ns, uint64_t length_ns);

/* Drops the stalls that begin after now_ns. */
void fifo_cancel_stalls(struct fifo *fifo, uint64_t now_ns);

#endif
