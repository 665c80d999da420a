// SPDX-License-Identifier: GPL-2.0-only
// In: passes. Out: a bounded series.
#include "load/series.h"

#define FIRST_INTERVAL_NS 10000000ull

struct series series_over(struct load_sample *sample, uint64_t runtime_ns)
{
	uint64_t interval_ns = runtime_ns ? runtime_ns / LOAD_SERIES_MAX + 1 : FIRST_INTERVAL_NS;

	return (struct series){ .sample = sample, .interval_ns = interval_ns,
				.edge_ns = interval_ns };
}

static void join_neighbours(struct series *series)
{
	for (unsigned int i = 0; i < LOAD_SERIES_MAX / 2; i++) {
		struct load_sample *a = &series->sample[2 * i], joined = series->sample[2 * i + 1];

		if (a->backlog_max > joined.backlog_max)
			joined.backlog_max = a->backlog_max;
		if (a->in_flight_max > joined.in_flight_max)
			joined.in_flight_max = a->in_flight_max;
		series->sample[i] = joined;
	}
	series->count = LOAD_SERIES_MAX / 2;
	series->interval_ns *= 2;
}

static void close_at(struct series *series, uint64_t at_ns)
{
	series->sample[series->count++] = (struct load_sample){
		.at_ns = at_ns,
		.backlog_max = series->backlog_max,
		.in_flight_max = series->in_flight_max,
		.planned = series->last.planned,
		.outstanding = series->last.outstanding,
	};
	series->backlog_max = series->last.backlog;
	series->in_flight_max = series->last.in_flight;
}

void series_close_until(struct series *series, uint64_t now_ns)
{
	while (series->edge_ns <= now_ns) {
		if (series->count < LOAD_SERIES_MAX)
			close_at(series, series->edge_ns);
		else
			join_neighbours(series);
		series->edge_ns = series->sample[series->count - 1].at_ns + series->interval_ns;
	}
}

void series_end(struct series *series, uint64_t end_ns, const struct series_state *state)
{
	series_note(series, end_ns, state);
	if (series->count == LOAD_SERIES_MAX)
		join_neighbours(series);
	close_at(series, end_ns);
}
