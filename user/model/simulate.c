// SPDX-License-Identifier: GPL-2.0-only
// In: parameters. Out: each request's planned, submitted, started and completed
// time. Requests are taken in planned order; since both the generator and the
// server are first in first out, each one's times follow from those before it.
#include "model/simulate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "model/arrivals.h"
#include "model/check.h"
#include "model/service.h"
#include "model/summarize.h"

struct simulation {
	const struct model_config *config;
	struct model_result *result;
	struct arrivals arrivals;
	struct service service;
	struct due_heap in_flight; /* completions, when there is a cap */
	uint64_t until_ns;	   /* arrivals before this */
	uint64_t submitted_ns;	   /* the last submission */
	uint64_t server_free_ns;
	size_t room;		   /* rows allocated */
};

struct model_config model_defaults(void)
{
	return (struct model_config){
		.arrival = MODEL_OPEN,
		.period_ns = 10 * NS_PER_MS,
		.per_period = 1,
		.clients = 1,
		.think_ns = 9 * NS_PER_MS,
		.runtime_ns = 2 * NS_PER_S,
		.service_ns = 1 * NS_PER_MS,
		.pause = { .extra_ns = 100 * NS_PER_MS, .at_request = 1 },
	};
}

static uint64_t later_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* With a cap that is reached, the earliest completion makes room. */
static uint64_t wait_for_room(struct simulation *sim, uint64_t at_ns)
{
	if (!sim->in_flight.capacity || sim->in_flight.count < sim->in_flight.capacity)
		return at_ns;
	return later_of(at_ns, due_pop(&sim->in_flight).at_ns);
}

static uint64_t wait_for_stall(const struct model_config *config, uint64_t at_ns)
{
	uint64_t end = config->stall_at_ns + config->stall_ns;

	return at_ns >= config->stall_at_ns && at_ns < end ? end : at_ns;
}

static uint64_t submission_of(struct simulation *sim, uint64_t planned_ns)
{
	uint64_t at = later_of(planned_ns, sim->submitted_ns);

	at = wait_for_room(sim, at);
	sim->submitted_ns = wait_for_stall(sim->config, at);
	return sim->submitted_ns;
}

static enum model_outcome outcome_of(const struct model_config *config, uint64_t completed_ns)
{
	return config->cutoff_ns && completed_ns > config->cutoff_ns ? MODEL_OUTSTANDING
								     : MODEL_COMPLETED;
}

static int serve(struct simulation *sim, struct model_request *request)
{
	request->started_ns = later_of(request->submitted_ns, sim->server_free_ns);
	request->completed_ns = request->started_ns + service_next(&sim->service);
	if (request->completed_ns > MODEL_TIME_MAX_NS)
		return -ERANGE;
	request->outcome = outcome_of(sim->config, request->completed_ns);
	sim->server_free_ns = request->completed_ns;
	if (sim->in_flight.capacity)
		due_push(&sim->in_flight, request->completed_ns, 0);
	return 0;
}

static struct model_request *new_row(struct simulation *sim)
{
	struct model_result *result = sim->result;
	struct model_request *rows;
	size_t room;

	if (result->counts.planned < sim->room)
		return &result->requests[result->counts.planned++];
	room = sim->room ? 2 * sim->room : 1024;
	rows = reallocarray(result->requests, room, sizeof(*rows));
	if (!rows)
		return NULL;
	result->requests = rows;
	sim->room = room;
	return &rows[result->counts.planned++];
}

static int take(struct simulation *sim, const struct arrival *arrival)
{
	struct model_request *request = new_row(sim);
	uint64_t at;
	int err;

	if (!request)
		return -ENOMEM;
	*request = (struct model_request){ .planned_ns = arrival->planned_ns,
					   .client = arrival->client,
					   .outcome = MODEL_UNSUBMITTED };
	at = submission_of(sim, arrival->planned_ns);
	if (sim->config->cutoff_ns && at >= sim->config->cutoff_ns)
		return 0;
	request->submitted_ns = at;
	err = serve(sim, request);
	if (err)
		return err;
	return sim->arrivals.kind->completed(&sim->arrivals, arrival, request->completed_ns);
}

/* The window ends at `until`, or where the first arrival not taken would be:
 * N requests at a fixed interval then offer exactly that rate.
 */
static int take_all(struct simulation *sim)
{
	uint64_t most = sim->config->requests ? sim->config->requests : UINT64_MAX;
	struct arrival arrival;
	int more, err;

	sim->result->window_ns = sim->until_ns;
	while ((more = sim->arrivals.kind->next(&sim->arrivals, &arrival)) > 0) {
		if (arrival.planned_ns >= sim->until_ns)
			return 0;
		if (sim->result->counts.planned == most) {
			sim->result->window_ns = arrival.planned_ns;
			return 0;
		}
		if (sim->result->counts.planned == MODEL_REQUESTS_MAX)
			return -E2BIG;
		err = take(sim, &arrival);
		if (err)
			return err;
	}
	return more;
}

static int start(struct simulation *sim, const struct model_config *config)
{
	uint64_t cap = config->in_flight_cap;
	uint64_t runtime = config->runtime_ns ? config->runtime_ns : UINT64_MAX;
	uint64_t cutoff = config->cutoff_ns ? config->cutoff_ns : UINT64_MAX;
	int err = model_arrivals_init(&sim->arrivals, config);

	sim->until_ns = runtime < cutoff ? runtime : cutoff;
	service_init(&sim->service, config);
	/* More than ever run at once is no cap. */
	if (!err && cap && cap < MODEL_REQUESTS_MAX)
		err = due_init(&sim->in_flight, cap);
	return err;
}

static int explain(int err, struct why *why)
{
	switch (err) {
	case -E2BIG:
		return why_set(why, err, EXIT_USAGE,
			       "the run needs more than %llu requests, the most a model keeps in "
			       "memory: shorten --runtime, set --requests or lower the rate",
			       MODEL_REQUESTS_MAX);
	case -ERANGE:
		return why_set(why, err, EXIT_USAGE,
			       "the run goes past %llu s of simulated time, or its times do not add "
			       "up in 64 bits: shorten --service, --pause, --interval or --think",
			       MODEL_TIME_MAX_NS / NS_PER_S);
	default:
		return why_set(why, err, EXIT_FAILED, "model: %s", why_text(err));
	}
}

int model_simulate(const struct model_config *config, struct model_result *result, struct why *why)
{
	struct simulation sim = { .config = config, .result = result };
	int err;

	*result = (struct model_result){ 0 };
	err = model_check(config, why);
	if (err)
		return err;
	err = start(&sim, config);
	if (!err)
		err = take_all(&sim);
	if (!err)
		err = model_summarize(config, result);
	model_arrivals_free(&sim.arrivals);
	due_free(&sim.in_flight);
	if (!err)
		return 0;
	model_result_free(result);
	return explain(err, why);
}
