// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/parse.h"

struct row {
	const char *word;
	int err;
	uint64_t value;
};

static void check(int (*parse)(const char *, uint64_t *), const struct row *rows)
{
	for (; rows->word; rows++) {
		uint64_t value = 77;

		assert_int_equal(parse(rows->word, &value), rows->err);
		assert_int_equal(value, rows->err ? 77 : rows->value);
	}
}

static void whole_numbers(void **state)
{
	static const struct row rows[] = {
		{ "0", 0, 0 }, { "12", 0, 12 }, { "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 }, { "12abc", -EINVAL, 0 }, { "-1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 }, { "", -EINVAL, 0 }, { " 1", -EINVAL, 0 }, { "1 ", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 }, { "4k", -EINVAL, 0 }, { NULL, 0, 0 },
	};

	(void)state;
	check(parse_u64, rows);
}

static void sizes(void **state)
{
	static const struct row rows[] = {
		{ "4096", 0, 4096 }, { "4k", 0, 4096 }, { "1M", 0, 1 << 20 }, { "16t", 0, 16ull << 40 },
		{ "16777216t", -ERANGE, 0 }, { "4kb", -EINVAL, 0 }, { "k", -EINVAL, 0 },
		{ "1.5k", -EINVAL, 0 }, { "-4k", -EINVAL, 0 }, { NULL, 0, 0 },
	};

	(void)state;
	check(parse_bytes, rows);
}

static void durations(void **state)
{
	static const struct row rows[] = {
		{ "0", 0, 0 }, { "1ms", 0, 1000000 }, { "1.5ms", 0, 1500000 }, { "2s", 0, 2000000000 },
		{ "0.000000001s", 0, 1 }, { "0.0000000001s", -EINVAL, 0 }, { "0.0000000000s", 0, 0 },
		{ "10", -EINVAL, 0 }, { "1m", 0, 60000000000 }, { "1.m", -EINVAL, 0 },
		{ "1.5", -EINVAL, 0 }, { "12abc", -EINVAL, 0 }, { "1ns", 0, 1 }, { "1.5ns", -EINVAL, 0 },
		{ "99999999999999s", -ERANGE, 0 }, { NULL, 0, 0 },
	};

	(void)state;
	check(parse_duration_ns, rows);
}

static void rates(void **state)
{
	static const char *const bad[] = { "", "-1", "12abc", "0x10", "inf", "nan", "1e999", " 1", NULL };
	double value;

	(void)state;
	assert_int_equal(parse_rate("20k", &value), 0);
	assert_true(value == 20000);
	assert_int_equal(parse_rate("0.5", &value), 0);
	assert_true(value == 0.5);
	for (int i = 0; bad[i]; i++)
		assert_int_not_equal(parse_rate(bad[i], &value), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(sizes),
		cmocka_unit_test(durations),
		cmocka_unit_test(rates),
	};

	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
