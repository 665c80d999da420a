// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "load/arrivals.h"
#include "load/offsets.h"
#include "load/schedule.h"

static void constant_is_exact_over_a_thousand_million(void **state)
{
	/* Sampled in closed form: stepping 10^9 times would only take longer. */
	static const uint64_t at[] = { 0, 1, 2, 3, 299999, 300000, 999999999, 1000000000 };
	static const uint64_t third[] = { 0, 3333333, 6666666, 10000000, 999996666666, 1000000000000,
					  3333333330000000, 3333333333333333 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		assert_true(schedule_constant_ns(300, at[i]) == third[i]);
		assert_true(schedule_constant_ns(0.1, at[i]) == at[i] * 10000000000ull);
	}
}

static void stepping_never_leaves_the_closed_form(void **state)
{
	static const double rates[] = { 300, 0.1, 333.25, 7, 100000, 300000, 999983, 1e6, 1e9, 0 };

	(void)state;
	for (int r = 0; rates[r] > 0; r++) {
		struct schedule s = schedule_constant(rates[r]);

		for (uint64_t k = 0; k < 2000000; k++, schedule_step(&s))
			if (s.next_ns != schedule_constant_ns(rates[r], k) || s.index != k)
				fail_msg("rate %g, arrival %lu: %lu", rates[r], k, s.next_ns);
	}
}

static void a_thousand_million_steps(void **state)
{
	struct schedule s = schedule_constant(300007);

	(void)state;
	while (s.index < 1000000000)
		schedule_step(&s);
	assert_true(s.next_ns == schedule_constant_ns(300007, 1000000000));
}

static void counting_is_the_inverse_of_the_schedule(void **state)
{
	static const double rates[] = { 300, 0.1, 333.25, 999983, 1e9, 0 };

	(void)state;
	for (int r = 0; rates[r] > 0; r++) {
		struct schedule s = schedule_constant(rates[r]);

		for (uint64_t k = 1; (double)k / rates[r] < 1e9; k = k * 3 + 1) {
			uint64_t at_ns = schedule_constant_ns(rates[r], k);

			assert_true(schedule_constant_count(&s, at_ns) == k + 1);
			assert_true(schedule_constant_count(&s, at_ns - 1) == k);
		}
	}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

enum { N = 200000 };

struct moments {
	double mean, cv, median, p99, ks;
};

/* Gaps over their mean against the exponential of mean 1. Gaps are whole ns,
 * so that the distance is taken half a ns around each of them.
 */
static double ks_distance(const double *gap, double mean_ns)
{
	double worst = 0;

	for (int i = 0; i < N; i++) {
		double low = 1 - exp(-fmax(0, gap[i] - 1) / mean_ns);
		double high = 1 - exp(-(gap[i] + 1) / mean_ns);

		worst = fmax(worst, fmax((double)i / N - high, low - (double)(i + 1) / N));
	}
	return worst;
}

static struct moments measure(double rate, uint64_t seed)
{
	struct schedule s = schedule_poisson(rate, seed);
	double *gap = malloc(N * sizeof(*gap)), sum = 0, square = 0;
	struct moments m;
	uint64_t before = 0;

	for (int i = 0; i < N; i++, schedule_step(&s)) {
		gap[i] = (double)(s.next_ns - before);
		before = s.next_ns;
		sum += gap[i];
		square += gap[i] * gap[i];
	}
	qsort(gap, N, sizeof(*gap), ascending);
	m.mean = sum / N;
	m.cv = sqrt(square / N - m.mean * m.mean) / m.mean;
	m.median = gap[N / 2];
	m.p99 = gap[N / 100 * 99];
	m.ks = ks_distance(gap, 1e9 / rate);
	free(gap);
	return m;
}

#define NEAR(value, wanted, within) assert_true(fabs((value) / (wanted) - 1) < (within))

static void b5_poisson_is_poisson(void **state)
{
	static const double rates[] = { 1e3, 1e5, 3e5, 1e6, 0 };

	(void)state;
	for (int r = 0; rates[r] > 0; r++) {
		for (uint64_t seed = 0; seed < 5; seed++) {
			double mean_ns = 1e9 / rates[r];
			struct moments m = measure(rates[r], seed);

			NEAR(m.mean, mean_ns, 4 / sqrt(N));
			NEAR(m.cv, 1, 4 / sqrt(N) * 1.5);
			NEAR(m.median, 0.693147 * mean_ns, 4 / sqrt(N) / 0.693 + 1 / mean_ns);
			NEAR(m.p99, 4.60517 * mean_ns, 4 * sqrt(0.99 / 0.01 / N) / 4.605 + 1 / mean_ns);
			/* Kolmogorov's 99.9 % point, each seed alone. */
			assert_true(m.ks < 1.95 / sqrt(N));
		}
	}
}

static void same_seed_same_schedule(void **state)
{
	struct schedule a = schedule_poisson(1e4, 7), b = a, c = schedule_poisson(1e4, 8);
	int differ = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		assert_true(a.next_ns == b.next_ns);
		differ += a.next_ns != c.next_ns;
		schedule_step(&a);
		schedule_step(&b);
		schedule_step(&c);
	}
	assert_true(differ > 990);
}

static struct arrivals arrivals_of(int model, double rate, uint64_t runtime_ns, uint64_t requests)
{
	struct load_config config = load_defaults();
	struct arrivals arrivals;

	config.arrival = model;
	config.rate_per_s = rate;
	config.runtime_ns = runtime_ns;
	config.requests = requests;
	config.clients = 3;
	config.think_ns = 9;
	assert_int_equal(load_arrivals_init(&arrivals, &config), 0);
	return arrivals;
}

static uint64_t take_all(struct arrivals *arrivals)
{
	while (arrivals->next_ns != UINT64_MAX)
		arrivals_take(arrivals);
	return arrivals->taken;
}

static void arrivals_are_half_open(void **state)
{
	struct arrivals a = arrivals_of(LOAD_CONSTANT, 100, 2000000000, 0);

	(void)state;
	assert_int_equal(take_all(&a), 200);
	a = arrivals_of(LOAD_CONSTANT, 100, 2000000001, 0);
	assert_int_equal(take_all(&a), 201);
	a = arrivals_of(LOAD_CONSTANT, 100, 0, 17);
	assert_int_equal(take_all(&a), 17);
	assert_int_equal(arrivals_planned_by(&a, UINT64_MAX - 1), 17);
	a = arrivals_of(LOAD_CONSTANT, 100, 100000000, 17);
	assert_int_equal(take_all(&a), 10);
}

static void counting_ahead_takes_nothing(void **state)
{
	struct arrivals a = arrivals_of(LOAD_POISSON, 1e6, 1000000000, 0), b = a;
	uint64_t by_half;

	(void)state;
	by_half = arrivals_planned_by(&a, 500000000);
	while (b.next_ns <= 500000000)
		arrivals_take(&b);
	assert_int_equal(by_half, b.taken);
	assert_int_equal(a.taken, 0);
	assert_int_equal(take_all(&a), arrivals_planned_by(&a, UINT64_MAX - 1));
}

static void closed_clients_think(void **state)
{
	struct arrivals a = arrivals_of(LOAD_CLOSED, 0, 100, 0);

	(void)state;
	for (uint32_t client = 0; client < 3; client++) {
		assert_int_equal(a.next_ns, 0);
		assert_int_equal(arrivals_take(&a), client);
	}
	assert_true(a.next_ns == UINT64_MAX);
	arrivals_finished(&a, 2, 10);
	arrivals_finished(&a, 0, 30);
	assert_int_equal(a.next_ns, 19);
	assert_int_equal(arrivals_planned_by(&a, 18), 3);
	assert_int_equal(arrivals_planned_by(&a, 19), 4);
	assert_int_equal(arrivals_take(&a), 2);
	assert_int_equal(a.next_ns, 39);
	arrivals_finished(&a, 1, 91);
	assert_int_equal(arrivals_take(&a), 0);
	/* 91 + 9 = 100 is no longer in [0, 100). */
	assert_true(a.next_ns == UINT64_MAX);
	assert_int_equal(arrivals_planned_by(&a, 1000), 5);
	load_arrivals_free(&a);
}

static void offsets_cover_the_target_and_nothing_else(void **state)
{
	struct offsets sequential = offsets_over(10 * 4096 + 5, 4096, false, 1);
	struct offsets random = offsets_over(10 * 4096 + 5, 4096, true, 1);
	int seen[10] = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 25; i++)
		assert_int_equal(offsets_next(&sequential), i % 10 * 4096);
	for (int i = 0; i < 10000; i++) {
		uint64_t offset = offsets_next(&random);

		assert_int_equal(offset % 4096, 0);
		assert_in_range(offset / 4096, 0, 9);
		seen[offset / 4096]++;
	}
	for (int i = 0; i < 10; i++)
		assert_in_range(seen[i], 880, 1120); /* 4 standard deviations */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constant_is_exact_over_a_thousand_million),
		cmocka_unit_test(stepping_never_leaves_the_closed_form),
		cmocka_unit_test(a_thousand_million_steps),
		cmocka_unit_test(counting_is_the_inverse_of_the_schedule),
		cmocka_unit_test(b5_poisson_is_poisson),
		cmocka_unit_test(same_seed_same_schedule),
		cmocka_unit_test(arrivals_are_half_open),
		cmocka_unit_test(counting_ahead_takes_nothing),
		cmocka_unit_test(closed_clients_think),
		cmocka_unit_test(offsets_cover_the_target_and_nothing_else),
	};

	return cmocka_run_group_tests_name("load schedule", tests, NULL, NULL);
}
