// SPDX-License-Identifier: GPL-2.0-only
// In: every request's times. Out: the counts that add up, the latencies from
// both clocks, how many there were at once, and whether the load was sustained.
#include "model/summarize.h"

#include <errno.h>
#include <stdlib.h>

static void count(struct model_result *result)
{
	struct model_counts *counts = &result->counts;

	for (uint64_t i = 0; i < counts->planned; i++) {
		const struct model_request *request = &result->requests[i];

		counts->completed += request->outcome == MODEL_COMPLETED;
		counts->outstanding += request->outcome == MODEL_OUTSTANDING;
		counts->unsubmitted += request->outcome == MODEL_UNSUBMITTED;
		if (request->completed_ns > result->ended_ns)
			result->ended_ns = request->completed_ns;
	}
	counts->submitted = counts->completed + counts->outstanding;
	/* As many clients as requests, all planned at 0: no later arrival ends it. */
	if (!result->window_ns || result->window_ns == UINT64_MAX)
		result->window_ns = result->ended_ns;
}

/* Room for every sample: a model's quantiles are never estimates. */
static int init_exact(struct dist *dist, uint64_t samples)
{
	return dist_init(dist, DIST_SUB_BITS, samples ? samples : 1);
}

static int init_dists(struct model_result *result)
{
	const struct model_counts *counts = &result->counts;
	int err = init_exact(&result->planned_to_completed, counts->completed);

	if (!err)
		err = init_exact(&result->submitted_to_completed, counts->completed);
	if (!err)
		err = init_exact(&result->planned_to_submitted, counts->submitted);
	if (!err)
		err = init_exact(&result->drained, counts->submitted);
	return err;
}

static void add(struct model_result *result, const struct model_request *request)
{
	dist_add(&result->planned_to_submitted, request->submitted_ns - request->planned_ns);
	dist_add(&result->drained, request->completed_ns - request->planned_ns);
	if (request->outcome != MODEL_COMPLETED)
		return;
	dist_add(&result->planned_to_completed, request->completed_ns - request->planned_ns);
	dist_add(&result->submitted_to_completed, request->completed_ns - request->submitted_ns);
}

/* Drained responses are the largest of all: when their sum fits, all do. */
static int fill_dists(struct model_result *result)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < result->counts.submitted; i++) {
		const struct model_request *request = &result->requests[i];

		if (__builtin_add_overflow(sum, request->completed_ns - request->planned_ns, &sum))
			return -ERANGE;
		add(result, request);
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Most intervals [begin, end) that hold one moment. Both arrays are sorted
 * here; which end belongs to which beginning does not matter.
 */
static uint64_t most_at_once(uint64_t *begin, uint64_t *end, uint64_t n)
{
	uint64_t most = 0, ended = 0;

	qsort(begin, n, sizeof(*begin), compare);
	qsort(end, n, sizeof(*end), compare);
	for (uint64_t i = 0; i < n; i++) {
		while (end[ended] <= begin[i])
			ended++;
		if (i + 1 - ended > most)
			most = i + 1 - ended;
	}
	return most;
}

enum moment { PLANNED, SUBMITTED, COMPLETED };

/* What was never submitted waits until the cutoff. */
static uint64_t moment_of(const struct model_request *request, enum moment moment,
			  uint64_t cutoff_ns)
{
	if (moment == PLANNED)
		return request->planned_ns;
	if (request->outcome == MODEL_UNSUBMITTED)
		return cutoff_ns;
	return moment == SUBMITTED ? request->submitted_ns : request->completed_ns;
}

static uint64_t depth_between(const struct model_result *result, uint64_t cutoff_ns,
			      enum moment from, enum moment to, uint64_t *scratch)
{
	uint64_t *begin = scratch, *end = scratch + result->counts.planned, n = 0;

	for (uint64_t i = 0; i < result->counts.planned; i++) {
		begin[n] = moment_of(&result->requests[i], from, cutoff_ns);
		end[n] = moment_of(&result->requests[i], to, cutoff_ns);
		n += end[n] > begin[n];
	}
	return most_at_once(begin, end, n);
}

static int measure_depths(const struct model_config *config, struct model_result *result)
{
	uint64_t cutoff = config->cutoff_ns;
	uint64_t *scratch = calloc(2 * result->counts.planned + 1, sizeof(*scratch));

	if (!scratch)
		return -ENOMEM;
	result->in_system_max = depth_between(result, cutoff, PLANNED, COMPLETED, scratch);
	result->backlog_max = depth_between(result, cutoff, PLANNED, SUBMITTED, scratch);
	result->in_flight_max = depth_between(result, cutoff, SUBMITTED, COMPLETED, scratch);
	free(scratch);
	return 0;
}

static uint64_t count_unfinished(const struct model_result *result)
{
	uint64_t unfinished = 0;

	for (uint64_t i = 0; i < result->counts.planned; i++)
		unfinished += result->requests[i].outcome == MODEL_UNSUBMITTED ||
			      result->requests[i].completed_ns > result->window_ns;
	return unfinished;
}

static void judge(const struct model_config *config, struct model_result *result)
{
	uint64_t unfinished = count_unfinished(result);

	result->unfinished = unfinished;
	/* Closed arrivals slow down with the target: they offer what it takes. */
	result->sustained = config->arrival == MODEL_CLOSED || unfinished <= 1 ||
			    unfinished <= result->counts.planned / 100;
	if (result->sustained)
		return;
	result->limit = config->in_flight_cap && result->in_flight_max == config->in_flight_cap
				? MODEL_LIMIT_CAP
				: MODEL_LIMIT_TARGET;
}

int model_summarize(const struct model_config *config, struct model_result *result)
{
	int err;

	count(result);
	err = init_dists(result);
	if (!err)
		err = fill_dists(result);
	if (!err)
		err = measure_depths(config, result);
	if (!err)
		judge(config, result);
	return err;
}

void model_result_free(struct model_result *result)
{
	free(result->requests);
	result->requests = NULL;
	dist_free(&result->planned_to_completed);
	dist_free(&result->submitted_to_completed);
	dist_free(&result->planned_to_submitted);
	dist_free(&result->drained);
}
