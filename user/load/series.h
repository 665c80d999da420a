/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Backlog and in-flight count over time, in at most LOAD_SERIES_MAX points. In:
 * what each pass of the generator saw. Out: intervals of equal length. When
 * the points are used up, neighbours are joined and intervals get twice as
 * long. Pure.
 */
#ifndef IOSTRATA_LOAD_SERIES_H
#define IOSTRATA_LOAD_SERIES_H

#include "load/load.h"

struct series_state { /* as one pass saw it */
	uint64_t backlog, in_flight;
	uint64_t planned, outstanding;
};

struct series {
	struct load_sample *sample; /* LOAD_SERIES_MAX of them */
	unsigned int count;
	uint64_t interval_ns, edge_ns; /* edge: the open interval's end */
	struct series_state last;
	uint64_t backlog_max, in_flight_max; /* in the open interval */
};

/* runtime_ns 0: not known. */
struct series series_over(struct load_sample *sample, uint64_t runtime_ns);
void series_close_until(struct series *series, uint64_t now_ns);
/* The run ends at end_ns: the open interval ends there too. */
void series_end(struct series *series, uint64_t end_ns, const struct series_state *state);

/* Between two passes what the earlier one left behind is taken to hold. */
static inline void series_note(struct series *series, uint64_t now_ns,
			       const struct series_state *state)
{
	if (now_ns >= series->edge_ns)
		series_close_until(series, now_ns);
	series->last = *state;
	if (state->backlog > series->backlog_max)
		series->backlog_max = state->backlog;
	if (state->in_flight > series->in_flight_max)
		series->in_flight_max = state->in_flight;
}

#endif
