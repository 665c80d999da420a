// SPDX-License-Identifier: GPL-2.0-only
// Random parameters; what must hold of every run, each request's times against
// an oracle that looks at the rows alone, and depths counted by brute force.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/due.h"
#include "model/simulate.h"

enum { RUNS = 3000 };

static uint64_t random_below(uint64_t *seed, uint64_t bound)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (*seed >> 33) % bound;
}

static uint64_t sometimes(uint64_t *seed, uint64_t bound)
{
	return random_below(seed, 2) ? random_below(seed, bound) : 0;
}

static struct model_config random_config(uint64_t *seed)
{
	struct model_config config = {
		.arrival = random_below(seed, 2) ? MODEL_OPEN : MODEL_CLOSED,
		.period_ns = 1 + random_below(seed, 200),
		.per_period = 1 + random_below(seed, 5),
		.clients = 1 + random_below(seed, 12),
		.think_ns = sometimes(seed, 100),
		.runtime_ns = sometimes(seed, 3000),
		.requests = sometimes(seed, 150),
		.in_flight_cap = sometimes(seed, 10),
		.stall_at_ns = sometimes(seed, 500),
		.stall_ns = sometimes(seed, 500),
		.service_ns = 1 + random_below(seed, 60),
		.pause = { sometimes(seed, 800), 1 + random_below(seed, 20), sometimes(seed, 20) },
		.cutoff_ns = sometimes(seed, 3000),
	};

	if (!config.runtime_ns && !config.cutoff_ns && !config.requests)
		config.requests = 100;
	return config;
}

static uint64_t later_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t expected_submission(const struct model_config *config,
				    const struct model_request *rows, uint64_t i)
{
	uint64_t cap = config->in_flight_cap, at = rows[i].planned_ns;

	if (i)
		at = later_of(at, rows[i - 1].submitted_ns);
	/* One server: the i-th waits for the (i - cap)-th to complete. */
	if (cap && i >= cap)
		at = later_of(at, rows[i - cap].completed_ns);
	if (at >= config->stall_at_ns && at < config->stall_at_ns + config->stall_ns)
		at = config->stall_at_ns + config->stall_ns;
	return at;
}

static uint64_t expected_service(const struct model_config *config, uint64_t nth)
{
	const struct model_pause *pause = &config->pause;
	uint64_t paused = nth == pause->at_request;

	for (uint64_t k = pause->at_request; pause->every && k <= nth; k += pause->every)
		paused |= k == nth;
	return config->service_ns + (paused ? pause->extra_ns : 0);
}

static void check_submitted(const struct model_config *config, const struct model_request *rows,
			    uint64_t i)
{
	uint64_t free_at = i ? rows[i - 1].completed_ns : 0;

	assert_int_equal(rows[i].submitted_ns, expected_submission(config, rows, i));
	assert_int_equal(rows[i].started_ns, later_of(rows[i].submitted_ns, free_at));
	assert_int_equal(rows[i].completed_ns, rows[i].started_ns + expected_service(config, i + 1));
	assert_int_equal(rows[i].outcome,
			 config->cutoff_ns && rows[i].completed_ns > config->cutoff_ns
				 ? MODEL_OUTSTANDING : MODEL_COMPLETED);
	if (config->cutoff_ns)
		assert_true(rows[i].submitted_ns < config->cutoff_ns);
}

static void check_rows(const struct model_config *config, const struct model_result *result)
{
	const struct model_request *rows = result->requests;

	for (uint64_t i = 0; i < result->counts.planned; i++) {
		if (i)
			assert_true(rows[i].planned_ns >= rows[i - 1].planned_ns);
		/* Equal: the first arrival not taken came at the same moment. */
		assert_true(rows[i].planned_ns <= result->window_ns);
		if (i < result->counts.submitted)
			check_submitted(config, rows, i);
		else
			assert_int_equal(rows[i].outcome, MODEL_UNSUBMITTED);
	}
	if (result->counts.unsubmitted)
		assert_true(expected_submission(config, rows, result->counts.submitted) >=
			    config->cutoff_ns);
}

/* Each request of a client but its first is planned `think` after its last. */
static void check_closed(const struct model_config *config, const struct model_result *result)
{
	uint64_t next[16] = { 0 };

	for (uint64_t i = 0; i < result->counts.planned; i++) {
		const struct model_request *row = &result->requests[i];

		assert_true(row->client < config->clients);
		assert_int_equal(row->planned_ns, next[row->client]);
		next[row->client] = row->completed_ns + config->think_ns;
	}
}

static void check_open(const struct model_config *config, const struct model_result *result)
{
	for (uint64_t i = 0; i < result->counts.planned; i++)
		assert_int_equal(result->requests[i].planned_ns,
				 i * config->period_ns / config->per_period);
}

static void check_counts(const struct model_config *config, struct model_result *result)
{
	const struct model_counts *counts = &result->counts;

	assert_int_equal(counts->planned,
			 counts->completed + counts->outstanding + counts->unsubmitted);
	assert_int_equal(counts->submitted, counts->completed + counts->outstanding);
	assert_int_equal(result->planned_to_completed.hist.count, counts->completed);
	assert_int_equal(result->submitted_to_completed.hist.count, counts->completed);
	assert_int_equal(result->planned_to_submitted.hist.count, counts->submitted);
	assert_int_equal(result->drained.hist.count, counts->submitted);
	if (counts->completed)
		assert_true(dist_summarize(&result->submitted_to_completed).min_ns >=
			    config->service_ns);
	if (config->in_flight_cap)
		assert_true(result->in_flight_max <= config->in_flight_cap);
	if (!config->cutoff_ns)
		assert_int_equal(counts->completed, counts->planned);
}

/* The depth seen by each arrival, itself included: the maximum is at one. */
static uint64_t brute_in_system(const struct model_config *config,
				const struct model_result *result)
{
	uint64_t most = 0;

	for (uint64_t i = 0; i < result->counts.planned; i++) {
		uint64_t at = result->requests[i].planned_ns, depth = 0;

		for (uint64_t k = 0; k < result->counts.planned; k++) {
			const struct model_request *row = &result->requests[k];
			uint64_t end = row->outcome == MODEL_UNSUBMITTED ? config->cutoff_ns
									 : row->completed_ns;
			depth += row->planned_ns <= at && end > at;
		}
		most = depth > most ? depth : most;
	}
	return most;
}

static void every_run_keeps_the_rules(void **state)
{
	uint64_t seed = 20240229, closed = 0, unsubmitted = 0, outstanding = 0;

	(void)state;
	for (int run = 0; run < RUNS; run++) {
		struct model_config config = random_config(&seed);
		struct model_result result;
		struct why why = { 0 };

		assert_int_equal(model_simulate(&config, &result, &why), 0);
		check_rows(&config, &result);
		check_counts(&config, &result);
		if (config.arrival == MODEL_CLOSED && !result.counts.unsubmitted)
			check_closed(&config, &result);
		if (config.arrival == MODEL_OPEN)
			check_open(&config, &result);
		assert_int_equal(result.in_system_max, brute_in_system(&config, &result));
		closed += config.arrival == MODEL_CLOSED;
		unsubmitted += result.counts.unsubmitted > 0;
		outstanding += result.counts.outstanding > 0;
		model_result_free(&result);
	}
	/* The draw must reach every kind of run, or the rules were not tried. */
	assert_in_range(closed, RUNS / 3, 2 * RUNS / 3);
	assert_true(unsubmitted > RUNS / 100);
	assert_true(outstanding > RUNS / 10);
}

static void due_comes_out_sorted_and_stable(void **state)
{
	struct due_heap heap;
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 200; round++) {
		size_t n = 1 + random_below(&seed, 100);
		struct due last = { 0 };

		assert_int_equal(due_init(&heap, n), 0);
		for (size_t i = 0; i < n; i++)
			due_push(&heap, random_below(&seed, 20), (uint32_t)i);
		for (size_t i = 0; i < n; i++) {
			struct due due = due_pop(&heap);

			assert_true(due.at_ns >= last.at_ns);
			if (i && due.at_ns == last.at_ns)
				assert_true(due.client > last.client);
			last = due;
		}
		assert_int_equal(heap.count, 0);
		due_free(&heap);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_run_keeps_the_rules),
		cmocka_unit_test(due_comes_out_sorted_and_stable),
	};

	return cmocka_run_group_tests_name("model_property", tests, NULL, NULL);
}
