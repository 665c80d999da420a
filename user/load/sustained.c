// SPDX-License-Identifier: GPL-2.0-only
// In: the series. Out: sustained or not, and the limit by name.
#include "load/sustained.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURE_PERCENT = 1, GROWTH_PERCENT = 1, GROWTH_FLOOR = 2 };

/* The second half of the run, as two quarters. A quarter's median is deaf to a
 * pause shorter than half of it; a trend moves both.
 */
struct half {
	uint64_t outstanding_early, outstanding_late;
	uint64_t backlog_early, backlog_late;
	uint64_t in_flight_early, in_flight_late;
	uint64_t arrivals;
	bool cap_reached;
};

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t median_of(const struct load_sample *sample, unsigned int count, size_t field)
{
	uint64_t value[LOAD_SERIES_MAX];

	if (!count)
		return 0;
	for (unsigned int i = 0; i < count; i++)
		memcpy(&value[i], (const char *)&sample[i] + field, sizeof(value[i]));
	qsort(value, count, sizeof(*value), ascending);
	return value[(count - 1) / 2];
}

#define MEDIAN(sample, count, name) median_of(sample, count, offsetof(struct load_sample, name))

/* Up to the last arrival: a run by --requests then drains, which tells nothing
 * about the rate.
 */
static unsigned int while_arriving(const struct sustained_input *in)
{
	unsigned int n = in->series_count;

	while (n > 1 && in->series[n - 2].planned == in->series[in->series_count - 1].planned)
		n--;
	return n;
}

static struct half second_half(const struct sustained_input *in)
{
	const struct load_sample *s = in->series;
	unsigned int n = while_arriving(in), from = n / 2, mid = from + (n - from) / 2;
	struct half half = {
		.outstanding_early = MEDIAN(s + from, mid - from, outstanding),
		.outstanding_late = MEDIAN(s + mid, n - mid, outstanding),
		.backlog_early = MEDIAN(s + from, mid - from, backlog_max),
		.backlog_late = MEDIAN(s + mid, n - mid, backlog_max),
		.in_flight_early = MEDIAN(s + from, mid - from, in_flight_max),
		.in_flight_late = MEDIAN(s + mid, n - mid, in_flight_max),
	};

	if (n)
		half.arrivals = s[n - 1].planned - (from ? s[from - 1].planned : 0);
	for (unsigned int i = from; i < n; i++)
		half.cap_reached |= s[i].in_flight_max >= in->in_flight_cap;
	return half;
}

uint64_t sustained_allowance(uint64_t arrivals, bool poisson)
{
	uint64_t allowance = GROWTH_FLOOR + arrivals * GROWTH_PERCENT / 100;

	return poisson ? allowance + (uint64_t)(3 * sqrt((double)arrivals)) : allowance;
}

static uint64_t growth(uint64_t early, uint64_t late)
{
	return late > early ? late - early : 0;
}

static double per_s(uint64_t count, uint64_t duration_ns)
{
	return duration_ns ? (double)count * 1e9 / (double)duration_ns : 0;
}

static void name_limit(const struct sustained_input *in, const struct half *half,
		       struct sustained_verdict *out)
{
	double offered = per_s(in->counts->planned, in->duration_ns);
	double completed = per_s(in->counts->completed, in->duration_ns);
	uint64_t backlog = growth(half->backlog_early, half->backlog_late);
	uint64_t in_flight = growth(half->in_flight_early, half->in_flight_late);

	if (half->cap_reached) {
		out->limit = LOAD_LIMIT_CAP;
		snprintf(out->text, sizeof(out->text),
			 "in-flight cap of %lu reached (target behind it): %.0f/s completed of %.0f/s offered",
			 in->in_flight_cap, completed, offered);
	} else if (backlog > in_flight) {
		out->limit = LOAD_LIMIT_GENERATOR;
		snprintf(out->text, sizeof(out->text),
			 "generator: %.0f/s submitted of %.0f/s offered with at most %lu of %lu in flight",
			 per_s(in->counts->submitted, in->duration_ns), offered,
			 half->in_flight_late, in->in_flight_cap);
	} else {
		out->limit = LOAD_LIMIT_TARGET;
		snprintf(out->text, sizeof(out->text),
			 "target: %.0f/s completed of %.0f/s offered; in flight grew from %lu to %lu",
			 completed, offered, half->in_flight_early, half->in_flight_late);
	}
}

/* Failed I/Os are no served load, whatever the outstanding count says. */
static bool too_many_failed(const struct sustained_input *in, struct sustained_verdict *out)
{
	const struct load_counts *counts = in->counts;
	uint64_t failed = counts->errors + counts->timeouts;

	if (in->failing_err)
		snprintf(out->text, sizeof(out->text),
			 "target: ended early because nothing succeeds any more, the last failure was %s (%s)",
			 strerrorname_np(in->failing_err), strerrordesc_np(in->failing_err));
	else if (failed * 100 > counts->planned * FAILURE_PERCENT)
		snprintf(out->text, sizeof(out->text),
			 "target: of %lu I/Os %lu failed and %lu timed out", counts->planned,
			 counts->errors, counts->timeouts);
	else
		return false;
	out->sustained = false;
	out->limit = LOAD_LIMIT_TARGET;
	return true;
}

struct sustained_verdict sustained_judge(const struct sustained_input *in)
{
	struct sustained_verdict out = { .sustained = true, .limit = LOAD_LIMIT_NONE };
	struct half half;
	uint64_t grown;

	/* Closed clients wait for the target: they offer what it takes. */
	if (too_many_failed(in, &out) || in->arrival == LOAD_CLOSED)
		return out;
	half = second_half(in);
	/* From the middle of one quarter to that of the next is half of the half. */
	grown = 2 * growth(half.outstanding_early, half.outstanding_late);
	if (grown <= sustained_allowance(half.arrivals, in->arrival == LOAD_POISSON))
		return out;
	out.sustained = false;
	name_limit(in, &half, &out);
	return out;
}
