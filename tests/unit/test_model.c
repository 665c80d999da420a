// SPDX-License-Identifier: GPL-2.0-only
// Cases with known answers: A1 to A5, and the generator stalled (B2, B3).
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/clock.h"
#include "model/correct.h"
#include "model/simulate.h"

#define MS(n) ((uint64_t)(n) * NS_PER_MS)
#define US(n) ((uint64_t)(n) * NS_PER_US)

static void simulate(const struct model_config *config, struct model_result *result)
{
	struct why why = { 0 };

	assert_int_equal(model_simulate(config, result, &why), 0);
	assert_int_equal(result->counts.planned, result->counts.completed +
			 result->counts.outstanding + result->counts.unsubmitted);
}

struct expected {
	uint64_t count, p50, p90, p95, p99, p999, max, sum, above_10ms; /* ns */
};

static void check_dist(struct dist *dist, const struct expected *want)
{
	struct dist_summary got = dist_summarize(dist);

	assert_true(got.exact);
	assert_int_equal(got.count, want->count);
	assert_int_equal(got.p50_ns, want->p50);
	assert_int_equal(got.p90_ns, want->p90);
	assert_int_equal(got.p95_ns, want->p95);
	assert_int_equal(got.p99_ns, want->p99);
	assert_int_equal(got.p999_ns, want->p999);
	assert_int_equal(got.max_ns, want->max);
	assert_int_equal(got.sum_ns, want->sum);
	assert_int_equal(dist_above(dist, MS(10)), want->above_10ms);
}

static uint64_t response(const struct model_result *result, int i)
{
	return result->requests[i].completed_ns - result->requests[i].planned_ns;
}

static void a1_open(void **state)
{
	static const uint64_t first[] = { 101, 92, 83, 74, 65, 56, 47, 38, 29, 20, 11, 2, 1, 1, 1 };
	const struct expected want = { 200, MS(1), MS(1), MS(11), MS(83), MS(101), MS(101), MS(806), 11 };
	struct model_config config = model_defaults();
	struct model_result result;

	(void)state;
	simulate(&config, &result);
	for (int i = 0; i < 15; i++)
		assert_int_equal(response(&result, i), MS(first[i]));
	for (int i = 15; i < 200; i++)
		assert_int_equal(response(&result, i), MS(1));
	check_dist(&result.planned_to_completed, &want);
	check_dist(&result.submitted_to_completed, &want);
	assert_int_equal(dist_summarize(&result.planned_to_completed).mean_ns, 4030000);
	assert_int_equal(result.in_system_max, 11);
	assert_int_equal(result.in_flight_max, 11);
	assert_int_equal(result.backlog_max, 0);
	assert_int_equal(result.window_ns, MS(2000));
	assert_int_equal(result.counts.planned, 200);
	assert_true(result.sustained);
	model_result_free(&result);
}

static void a1_closed(void **state)
{
	const struct expected want = { 190, MS(1), MS(1), MS(1), MS(1), MS(101), MS(101), MS(290), 1 };
	struct model_config config = model_defaults();
	struct model_result result;

	(void)state;
	config.arrival = MODEL_CLOSED;
	simulate(&config, &result);
	assert_int_equal(response(&result, 0), MS(101));
	assert_int_equal(result.requests[1].planned_ns, MS(110));
	for (int i = 1; i < 190; i++)
		assert_int_equal(response(&result, i), MS(1));
	check_dist(&result.planned_to_completed, &want);
	assert_int_equal(dist_summarize(&result.planned_to_completed).mean_ns, 1526315);
	assert_int_equal(result.in_system_max, 1);
	assert_int_equal(result.window_ns, MS(2000));
	model_result_free(&result);
}

static struct model_config a2(void)
{
	struct model_config config = model_defaults();

	config.period_ns = US(800);
	config.pause.extra_ns = 0;
	config.cutoff_ns = MS(2000);
	return config;
}

static void a2_overload_at_the_cutoff(void **state)
{
	struct model_config config = a2();
	struct model_result result;

	(void)state;
	simulate(&config, &result);
	assert_int_equal(result.counts.planned, 2500);
	assert_int_equal(result.counts.completed, 2000);
	assert_int_equal(result.counts.outstanding, 500);
	assert_int_equal(result.counts.unsubmitted, 0);
	assert_int_equal(dist_quantile(&result.planned_to_completed, 5000), US(200800));
	assert_int_equal(dist_quantile(&result.planned_to_completed, 9900), US(396800));
	assert_int_equal(dist_summarize(&result.planned_to_completed).max_ns, US(400800));
	assert_int_equal(dist_quantile(&result.drained, 5000), US(250800));
	assert_int_equal(dist_quantile(&result.drained, 9900), US(495800));
	assert_int_equal(dist_summarize(&result.drained).max_ns, US(500800));
	assert_int_equal(result.ended_ns, MS(2500));
	assert_false(result.sustained);
	assert_int_equal(result.limit, MODEL_LIMIT_TARGET);
	assert_int_equal(result.requests[1999].completed_ns, MS(2000));
	assert_int_equal(result.requests[1999].outcome, MODEL_COMPLETED);
	assert_int_equal(result.requests[2000].outcome, MODEL_OUTSTANDING);
	model_result_free(&result);
}

static void a2_capped_leaves_some_unsubmitted(void **state)
{
	struct model_config config = a2();
	struct model_result result;

	(void)state;
	config.in_flight_cap = 64;
	simulate(&config, &result);
	assert_int_equal(result.counts.planned, 2500);
	assert_int_equal(result.counts.completed, 2000);
	/* A completion at the cutoff itself lets nothing in any more. */
	assert_int_equal(result.counts.outstanding, 63);
	assert_int_equal(result.counts.unsubmitted, 437);
	assert_int_equal(result.in_flight_max, 64);
	assert_int_equal(result.limit, MODEL_LIMIT_CAP);
	assert_int_equal(dist_summarize(&result.submitted_to_completed).max_ns, MS(64));
	assert_int_equal(result.ended_ns, MS(2063));
	model_result_free(&result);
}

static void fill(struct dist *dist, int count, uint64_t value)
{
	while (count--)
		dist_add(dist, value);
}

static void pool(struct dist *into, const struct dist *first, const struct dist *second)
{
	assert_int_equal(dist_init(into, DIST_SUB_BITS, 200), 0);
	assert_int_equal(dist_merge(into, first), 0);
	assert_int_equal(dist_merge(into, second), 0);
}

static void a3_pooling_in_either_order(void **state)
{
	struct dist a, b, ab, ba;
	struct dist_summary of_ab, of_ba;

	(void)state;
	assert_int_equal(dist_init(&a, DIST_SUB_BITS, 100), 0);
	assert_int_equal(dist_init(&b, DIST_SUB_BITS, 100), 0);
	fill(&a, 99, MS(1));
	fill(&a, 1, MS(100));
	fill(&b, 100, MS(100));
	assert_int_equal(dist_quantile(&a, 9900), MS(1));
	assert_int_equal(dist_quantile(&b, 9900), MS(100));
	pool(&ab, &a, &b);
	pool(&ba, &b, &a);
	of_ab = dist_summarize(&ab);
	of_ba = dist_summarize(&ba);
	assert_true(of_ab.exact);
	assert_int_equal(of_ab.count, 200);
	assert_int_equal(of_ab.p99_ns, MS(100));
	assert_memory_equal(&of_ab, &of_ba, sizeof(of_ab));
	assert_memory_equal(ab.exact, ba.exact, 200 * sizeof(*ab.exact));
	assert_memory_equal(ab.hist.bucket, ba.hist.bucket, ab.hist.size * sizeof(*ab.hist.bucket));
	dist_free(&a);
	dist_free(&b);
	dist_free(&ab);
	dist_free(&ba);
}

static void a3_more_than_fits_is_no_longer_exact(void **state)
{
	struct dist a, small;

	(void)state;
	assert_int_equal(dist_init(&a, DIST_SUB_BITS, 100), 0);
	assert_int_equal(dist_init(&small, DIST_SUB_BITS, 150), 0);
	fill(&a, 100, MS(1));
	assert_int_equal(dist_merge(&small, &a), 0);
	assert_true(dist_summarize(&small).exact);
	assert_int_equal(dist_merge(&small, &a), 0);
	assert_false(dist_summarize(&small).exact);
	assert_int_equal(dist_summarize(&small).count, 200);
	dist_free(&a);
	dist_free(&small);
}

static void a4_ranks(void **state)
{
	struct dist dist;

	(void)state;
	assert_int_equal(dist_init(&dist, DIST_SUB_BITS, 100), 0);
	for (int i = 1; i <= 100; i++)
		dist_add(&dist, i);
	assert_int_equal(dist_quantile(&dist, 700), 7);
	assert_int_equal(dist_quantile(&dist, 5500), 55);
	dist_free(&dist);
	assert_int_equal(dist_init(&dist, DIST_SUB_BITS, 50), 0);
	for (int i = 1; i <= 50; i++)
		dist_add(&dist, i);
	assert_int_equal(dist_quantile(&dist, 1400), 7);
	dist_free(&dist);
}

static void a5_correction(void **state)
{
	struct model_config config = model_defaults();
	struct model_correction correction;
	struct model_result result;
	struct why why = { 0 };

	(void)state;
	config.arrival = MODEL_CLOSED;
	simulate(&config, &result);
	assert_int_equal(model_correct(&result.planned_to_completed, MS(10), &correction, &why), 0);
	assert_int_equal(correction.measured, 190);
	assert_int_equal(correction.synthetic, 9);
	assert_int_equal(dist_summarize(&correction.dist).count, 199);
	assert_int_equal(dist_quantile(&correction.dist, 9900), MS(91));
	/* Sorted by now: 11, 21 … 91 and the one that was measured. */
	for (int i = 0; i < 9; i++)
		assert_int_equal(correction.dist.exact[189 + i], MS(11 + 10 * i));
	assert_int_equal(correction.dist.exact[198], MS(101));
	model_correction_free(&correction);
	model_result_free(&result);
}

static void a5_too_small_an_interval_is_refused(void **state)
{
	struct model_config config = model_defaults();
	struct model_correction correction;
	struct model_result result;
	struct why why = { 0 };

	(void)state;
	simulate(&config, &result);
	assert_int_equal(model_correct(&result.planned_to_completed, 1, &correction, &why), -E2BIG);
	assert_int_equal(why.status, EXIT_USAGE);
	why.text[0] = 0;
	assert_int_equal(model_correct(&result.planned_to_completed, 0, &correction, &why), -EINVAL);
	model_result_free(&result);
}

static struct model_config stalled(void)
{
	struct model_config config = model_defaults();

	config.pause.extra_ns = 0;
	config.stall_ns = MS(100);
	return config;
}

static void b2_a_stalled_generator_bursts(void **state)
{
	struct model_config config = stalled();
	struct model_result result;

	(void)state;
	simulate(&config, &result);
	for (int i = 0; i <= 10; i++) {
		const struct model_request *request = &result.requests[i];

		assert_int_equal(request->submitted_ns - request->planned_ns, MS(100 - 10 * i));
		assert_int_equal(request->completed_ns - request->submitted_ns, MS(1 + i));
		assert_int_equal(response(&result, i), MS(101 - 9 * i));
	}
	/* Planned at 0 … 90; the one at 100 is just in time. */
	assert_int_equal(result.backlog_max, 10);
	assert_int_equal(result.in_flight_max, 11);
	model_result_free(&result);
}

static void b3_where_the_clock_starts(void **state)
{
	struct model_config config = stalled();
	struct model_result result;

	(void)state;
	config.in_flight_cap = 1;
	simulate(&config, &result);
	for (int i = 0; i <= 11; i++) {
		const struct model_request *request = &result.requests[i];

		assert_int_equal(request->submitted_ns - request->planned_ns, MS(100 + i - 10 * i));
		assert_int_equal(request->completed_ns - request->submitted_ns, MS(1));
	}
	assert_int_equal(dist_quantile(&result.planned_to_completed, 9900), MS(83));
	assert_int_equal(dist_quantile(&result.submitted_to_completed, 9900), MS(1));
	assert_int_equal(result.in_flight_max, 1);
	model_result_free(&result);
}

static void a_rate_does_not_drift(void **state)
{
	struct model_config config = model_defaults();
	struct model_result result;

	(void)state;
	config.pause.extra_ns = 0;
	config.period_ns = NS_PER_S;
	config.per_period = 3;
	simulate(&config, &result);
	assert_int_equal(result.counts.planned, 6);
	assert_int_equal(result.requests[1].planned_ns, 333333333);
	assert_int_equal(result.requests[3].planned_ns, NS_PER_S);
	model_result_free(&result);
}

static void pauses_can_repeat(void **state)
{
	struct model_config config = model_defaults();
	struct model_result result;

	(void)state;
	config.pause = (struct model_pause){ .extra_ns = MS(5), .at_request = 3, .every = 10 };
	simulate(&config, &result);
	for (int i = 0; i < 200; i++)
		assert_int_equal(response(&result, i), i % 10 == 2 ? MS(6) : MS(1));
	model_result_free(&result);
}

static void requests_alone_end_a_run(void **state)
{
	struct model_config config = model_defaults();
	struct model_result result;

	(void)state;
	config.runtime_ns = 0;
	config.requests = 50;
	simulate(&config, &result);
	assert_int_equal(result.counts.planned, 50);
	assert_int_equal(result.window_ns, MS(500));
	model_result_free(&result);
	config.arrival = MODEL_CLOSED;
	config.clients = 60;
	simulate(&config, &result);
	assert_int_equal(result.counts.planned, 50);
	assert_int_equal(result.window_ns, result.ended_ns);
	model_result_free(&result);
}

static void refuse(const struct model_config *config, int err)
{
	struct model_result result;
	struct why why = { 0 };

	assert_int_equal(model_simulate(config, &result, &why), err);
	assert_int_equal(why.status, EXIT_USAGE);
	assert_true(why.text[0]);
}

static void bad_parameters_are_refused(void **state)
{
	struct model_config config = model_defaults();

	(void)state;
	config.period_ns = 0;
	refuse(&config, -EINVAL);
	config.period_ns = 1; /* two thousand million requests */
	refuse(&config, -E2BIG);
	config = model_defaults();
	config.service_ns = 0;
	refuse(&config, -EINVAL);
	config.service_ns = UINT64_MAX;
	refuse(&config, -EINVAL);
	config.service_ns = MODEL_TIME_MAX_NS; /* the second one ends too late */
	refuse(&config, -ERANGE);
	config = model_defaults();
	config.runtime_ns = 0;
	refuse(&config, -EINVAL);
	config.requests = MODEL_REQUESTS_MAX + 1;
	refuse(&config, -EINVAL);
	config = model_defaults();
	config.arrival = MODEL_CLOSED;
	config.clients = 0;
	refuse(&config, -EINVAL);
	config.clients = MODEL_REQUESTS_MAX;
	config.pause.extra_ns = 0;
	config.service_ns = MODEL_TIME_MAX_NS / MODEL_REQUESTS_MAX / 2; /* the sum does not fit */
	refuse(&config, -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a1_open),
		cmocka_unit_test(a1_closed),
		cmocka_unit_test(a2_overload_at_the_cutoff),
		cmocka_unit_test(a2_capped_leaves_some_unsubmitted),
		cmocka_unit_test(a3_pooling_in_either_order),
		cmocka_unit_test(a3_more_than_fits_is_no_longer_exact),
		cmocka_unit_test(a4_ranks),
		cmocka_unit_test(a5_correction),
		cmocka_unit_test(a5_too_small_an_interval_is_refused),
		cmocka_unit_test(b2_a_stalled_generator_bursts),
		cmocka_unit_test(b3_where_the_clock_starts),
		cmocka_unit_test(a_rate_does_not_drift),
		cmocka_unit_test(pauses_can_repeat),
		cmocka_unit_test(requests_alone_end_a_run),
		cmocka_unit_test(bad_parameters_are_refused),
	};

	return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
