// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "buckets.h"
#include "stat/dist.h"

static void every_value_lies_in_its_bucket(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (unsigned int sub_bits = 0; sub_bits <= 8; sub_bits++) {
		for (int i = 0; i < 20000; i++) {
			uint64_t v;
			unsigned int at;

			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			v = seed >> (seed % 64);
			at = iostrata_hist_index(v, sub_bits);
			assert_true(at < (unsigned int)IOSTRATA_HIST_BUCKETS(sub_bits));
			assert_true(iostrata_hist_low(at, sub_bits) <= v);
			assert_true(iostrata_hist_high(at, sub_bits) >= v);
		}
		assert_int_equal(iostrata_hist_index(UINT64_MAX, sub_bits),
				 IOSTRATA_HIST_BUCKETS(sub_bits) - 1);
		assert_true(iostrata_hist_high(IOSTRATA_HIST_BUCKETS(sub_bits) - 1, sub_bits) ==
			    UINT64_MAX);
	}
}

static void buckets_are_contiguous(void **state)
{
	(void)state;
	for (unsigned int i = 1; i < IOSTRATA_KERNEL_BUCKETS; i++)
		assert_true(iostrata_hist_low(i, 3) == iostrata_hist_high(i - 1, 3) + 1);
}

static void a4_ranks(void **state)
{
	(void)state;
	assert_int_equal(quantile_rank(100, 700), 7);
	assert_int_equal(quantile_rank(100, 5500), 55);
	assert_int_equal(quantile_rank(50, 1400), 7);
	assert_int_equal(quantile_rank(1, 1), 1);
	assert_int_equal(quantile_rank(UINT64_MAX, 10000), UINT64_MAX);
}

static void fill(struct dist *dist, int count, uint64_t value)
{
	while (count--)
		dist_add(dist, value);
}

static void a3_pooling(void **state)
{
	struct dist a, b;

	(void)state;
	dist_init(&a, 6, 1000);
	dist_init(&b, 6, 1000);
	fill(&a, 99, 1000000);
	fill(&a, 1, 100000000);
	fill(&b, 100, 100000000);
	assert_int_equal(dist_quantile(&a, 9900), 1000000);
	assert_int_equal(dist_quantile(&b, 9900), 100000000);
	hist_merge(&a.hist, &b.hist);
	assert_int_equal(hist_quantile(&a.hist, 9900), 100000000);
	assert_int_equal(a.hist.count, 200);
	dist_free(&a);
	dist_free(&b);
}

static void exact_until_full_then_bounded_error(void **state)
{
	struct dist dist;
	struct dist_summary summary;

	(void)state;
	dist_init(&dist, 6, 100);
	for (uint64_t i = 1; i <= 100; i++)
		dist_add(&dist, i * 1000);
	summary = dist_summarize(&dist);
	assert_true(summary.exact);
	assert_int_equal(summary.p99_ns, 99000);
	assert_int_equal(dist_above(&dist, 90000), 10);
	dist_add(&dist, 101000);
	summary = dist_summarize(&dist);
	assert_false(summary.exact);
	assert_in_range(summary.p99_ns, 100000, 100000 + 100000 / 64);
	assert_int_equal(summary.max_ns, 101000);
	dist_free(&dist);
}

static void fold_is_exact(void **state)
{
	struct hist fine, coarse, direct;

	(void)state;
	hist_init(&fine, 3);
	hist_init(&coarse, 0);
	hist_init(&direct, 0);
	for (uint64_t v = 1; v < 5000000; v += v / 7 + 1) {
		hist_add(&fine, v);
		hist_add(&direct, v);
	}
	assert_int_equal(hist_fold(&coarse, &fine), 0);
	assert_int_equal(coarse.count, direct.count);
	assert_int_equal(coarse.sum, direct.sum);
	assert_memory_equal(coarse.bucket, direct.bucket, direct.size * sizeof(uint64_t));
	hist_free(&fine);
	hist_free(&coarse);
	hist_free(&direct);
}

static void a_window_is_a_difference(void **state)
{
	struct hist before, after, window;

	(void)state;
	hist_init(&before, 3);
	hist_init(&after, 3);
	hist_init(&window, 3);
	hist_add(&before, 5000);
	hist_merge(&after, &before);
	hist_add(&after, 100);
	hist_add(&after, 200);
	assert_int_equal(hist_window(&window, &after, &before), 0);
	assert_int_equal(window.count, 2);
	assert_int_equal(window.sum, 300);
	assert_int_equal(window.min, 100);
	assert_in_range(window.max, 200, 207);
	hist_free(&before);
	hist_free(&after);
	hist_free(&window);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_lies_in_its_bucket),
		cmocka_unit_test(buckets_are_contiguous),
		cmocka_unit_test(a4_ranks),
		cmocka_unit_test(a3_pooling),
		cmocka_unit_test(exact_until_full_then_bounded_error),
		cmocka_unit_test(fold_is_exact),
		cmocka_unit_test(a_window_is_a_difference),
	};

	return cmocka_run_group_tests_name("stat", tests, NULL, NULL);
}
