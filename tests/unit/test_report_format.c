// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "report/format.h"

struct number_case {
	uint64_t value;
	const char *word;
};

static void durations_keep_three_digits(void **state)
{
	static const struct number_case cases[] = {
		{ 0, "0 ns" },		      { 1, "1 ns" },
		{ 999, "999 ns" },	      { 1000, "1.00 us" },
		{ 1004, "1.00 us" },	      { 1005, "1.01 us" },
		{ 9994, "9.99 us" },	      { 9995, "10.0 us" },
		{ 99949, "99.9 us" },	      { 99950, "100 us" },
		{ 999499, "999 us" },	      { 999500, "1.00 ms" },
		{ 999600, "1.00 ms" },	      { 1000000, "1.00 ms" },
		{ 83400000, "83.4 ms" },      { 101000000, "101 ms" },
		{ 999499999, "999 ms" },      { 999500000, "1.00 s" },
		{ 20000000000, "20.0 s" },    { 999499999999, "999 s" },
		{ 999500000000, "1,000 s" },  { 1234000000000, "1,234 s" },
		{ UINT64_MAX, "18,446,744,074 s" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(format_duration(cases[i].value, false).text, cases[i].word);
	assert_string_equal(format_duration(1500, true).text, "1.50 \302\265s");
	assert_string_equal(format_duration(1500000, true).text, "1.50 ms");
}

static void cells_align_points_and_units(void **state)
{
	static const struct number_case cases[] = {
		{ 0, "  0    ns" },	    { 999, "999    ns" },
		{ 1000, "  1.00 us" },	    { 83400000, " 83.4  ms" },
		{ 101000000, "101    ms" }, { 2000000000, "  2.00 s " },
		{ 999000000000, "999    s " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(format_duration_cell(cases[i].value, false).text, cases[i].word);
	assert_string_equal(format_duration_cell(1000, true).text, "  1.00 \302\265s");
	assert_string_equal(format_duration_cell(UINT64_MAX, false).text, "18,446,744,074    s ");
}

/* Never more than half a unit of the last digit away, whatever the value. */
static void durations_round_to_the_nearest(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double number, factor;
		char unit[8];
		uint64_t ns;

		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		ns = (seed >> 24) % 999000000000ull >> (seed % 40);
		assert_int_equal(sscanf(format_duration(ns, false).text, "%lf %7s", &number, unit), 2);
		factor = *unit == 'n' ? 1 : *unit == 'u' ? 1e3 : *unit == 'm' ? 1e6 : 1e9;
		assert_true(fabs(number * factor - (double)ns) <= (double)ns * 0.00501);
		assert_true(number < 1000);
	}
}

static void counts_have_commas(void **state)
{
	(void)state;
	assert_string_equal(format_count(0).text, "0");
	assert_string_equal(format_count(999).text, "999");
	assert_string_equal(format_count(1000).text, "1,000");
	assert_string_equal(format_count(1234567).text, "1,234,567");
	assert_string_equal(format_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
}

static void bytes_are_whole_where_they_can(void **state)
{
	static const struct number_case cases[] = {
		{ 0, "0 B" },		      { 512, "512 B" },
		{ 1000, "1,000 B" },	      { 1023, "1,023 B" },
		{ 1024, "1 KiB" },	      { 1536, "1.50 KiB" },
		{ 4096, "4 KiB" },	      { 1ull << 20, "1 MiB" },
		{ (1ull << 20) - 1, "1.00 MiB" }, { 800 * 1024, "800 KiB" },
		{ 1ull << 40, "1 TiB" },      { UINT64_MAX, "16.0 EiB" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(format_bytes(cases[i].value).text, cases[i].word);
}

static void rates_and_means(void **state)
{
	(void)state;
	assert_string_equal(format_rate(100).text, "100/s");
	assert_string_equal(format_rate(99.5).text, "99.5/s");
	assert_string_equal(format_rate(0.25).text, "0.25/s");
	assert_string_equal(format_rate(999.6).text, "1,000/s");
	assert_string_equal(format_rate(12345.6).text, "12,346/s");
	assert_string_equal(format_rate(NAN).text, "unknown");
	assert_string_equal(format_rate(INFINITY).text, "unknown");
	assert_string_equal(format_mean(0).text, "0.00");
	assert_string_equal(format_mean(0.403).text, "0.40");
	assert_string_equal(format_mean(-1).text, "unknown");
	assert_string_equal(format_mean(1e30).text, "18,446,744,073,709,551,615");
}

/* "100" and "0" are claims: nothing else, nothing at all. */
static void percents_do_not_round_to_all_or_nothing(void **state)
{
	(void)state;
	assert_string_equal(format_percent(1).text, "100");
	assert_string_equal(format_percent(0.9999).text, ">99.9");
	assert_string_equal(format_percent(0.981).text, "98.1");
	assert_string_equal(format_percent(0.0005).text, "0.1");
	assert_string_equal(format_percent(0.0004).text, "<0.1");
	assert_string_equal(format_percent(0).text, "0");
	assert_string_equal(format_percent(1 - 1e-14).text, "100");
	assert_string_equal(format_percent(-0.1).text, "unknown");
}

static void times_are_utc(void **state)
{
	(void)state;
	assert_string_equal(format_time(0).text, "1970-01-01 00:00:00 UTC");
	assert_string_equal(format_time(1796074461999999999).text, "2026-11-30 21:34:21 UTC");
	assert_string_equal(format_time(UINT64_MAX).text, "2554-07-21 23:34:33 UTC");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_keep_three_digits),
		cmocka_unit_test(cells_align_points_and_units),
		cmocka_unit_test(durations_round_to_the_nearest),
		cmocka_unit_test(counts_have_commas),
		cmocka_unit_test(bytes_are_whole_where_they_can),
		cmocka_unit_test(rates_and_means),
		cmocka_unit_test(percents_do_not_round_to_all_or_nothing),
		cmocka_unit_test(times_are_utc),
	};

	return cmocka_run_group_tests_name("report format", tests, NULL, NULL);
}
