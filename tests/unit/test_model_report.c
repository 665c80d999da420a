// SPDX-License-Identifier: GPL-2.0-only
// Decimals, the CSV there and back, files that appear whole or not at all.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/output.h"
#include "report/decimal.h"
#include "report/model_report.h"
#include "report/pool.h"

static void decimals_are_exact(void **state)
{
	char out[DECIMAL_SIZE];

	(void)state;
	assert_string_equal(decimal_text(out, 0, 6), "0");
	assert_string_equal(decimal_ms(out, 1500000), "1.5");
	assert_string_equal(decimal_ms(out, 1), "0.000001");
	assert_string_equal(decimal_ms(out, 100000000), "100");
	assert_string_equal(decimal_ms(out, UINT64_MAX), "18446744073709.551615");
	assert_string_equal(decimal_mean_ms(out, 290000000, 190), "1.5263");
	assert_string_equal(decimal_mean_ms(out, 806000000, 200), "4.03");
	assert_string_equal(decimal_mean_ms(out, 5, 2), "0.000003");
	assert_string_equal(decimal_rate(out, 190, 2000000000), "95");
	assert_string_equal(decimal_rate(out, 1, 3000000000), "0.333");
}

static void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static int in_scratch(void **state)
{
	char *directory = strdup("/tmp/iostrata-unit.XXXXXX");

	*state = directory;
	return !directory || !mkdtemp(directory) || chdir(directory);
}

static int out_of_scratch(void **state)
{
	int err = chdir("/") | rmdir(*state);

	free(*state);
	return err;
}

static void csv_there_and_back(void **state)
{
	struct model_config config = model_defaults();
	struct model_report report = { .run_count = 1 };
	struct model_result result;
	struct responses back;
	struct why why = { 0 };
	FILE *out;

	(void)state;
	config.period_ns = 800001; /* times with six decimals */
	config.cutoff_ns = 500000000;
	assert_int_equal(model_simulate(&config, &result, &why), 0);
	report.runs[0] = (struct model_run){ "open", &config, &result, NULL };
	out = fopen("run.csv", "w");
	assert_non_null(out);
	model_csv(&report, true, out);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(responses_read("run.csv", &back, &why), 0);
	assert_string_equal(back.mode, "open");
	assert_int_equal(back.dist.hist.count, result.counts.completed);
	assert_int_equal(back.unfinished, result.counts.outstanding);
	assert_true(result.counts.outstanding > 0);
	assert_memory_equal(back.dist.exact, result.planned_to_completed.exact,
			    result.counts.completed * sizeof(uint64_t));
	responses_free(&back);
	model_result_free(&result);
	unlink("run.csv");
}

static void bad_csv_is_refused_by_line(void **state)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{ "", "no responses" },
		{ "mode,index\nopen,1\n", "bad.csv:1: not a file of responses" },
		{ "mode,responseMs\nopen,1\nopen\n", "bad.csv:3: fewer cells" },
		{ "mode,responseMs\nopen,1\nopen,12abc\n", "bad.csv:3: responseMs is no time" },
		{ "mode,responseMs\nopen,-1\n", "bad.csv:2: responseMs is no time" },
		{ "mode,responseMs\nopen,1\nclosed,1\n", "bad.csv:3: a second mode" },
		{ "mode,responseMs\n,1\n", "bad.csv:2: a second mode (or none)" },
		{ "mode,responseMs\nopen,18000000000000\nopen,18000000000000\n", "do not add up" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct responses out;
		struct why why = { 0 };

		write_file("bad.csv", bad[i].text);
		assert_true(responses_read("bad.csv", &out, &why) < 0);
		assert_non_null(strstr(why.text, bad[i].says));
	}
	unlink("bad.csv");
}

static void pool_of_two_modes_is_refused(void **state)
{
	char *paths[] = { (char *)"b.csv", (char *)"a.csv" };
	struct pool pool;
	struct why why = { 0 };

	(void)state;
	write_file("a.csv", "mode,responseMs\nopen,1\n");
	write_file("b.csv", "mode,responseMs\nclosed,2\n");
	assert_int_equal(pool_read(paths, 2, &pool, &why), -EINVAL);
	assert_non_null(strstr(why.text, "a.csv is open, b.csv is closed"));
	why.text[0] = 0;
	paths[1] = paths[0];
	assert_int_equal(pool_read(paths, 2, &pool, &why), -EINVAL);
	assert_non_null(strstr(why.text, "named twice"));
	unlink("a.csv");
	unlink("b.csv");
}

static void a_file_appears_whole_or_not_at_all(void **state)
{
	struct output output;
	struct why why = { 0 };

	(void)state;
	write_file("kept", "old\n");
	assert_int_equal(output_open(&output, "kept", &why), 0);
	assert_true(fputs("new\n", output.stream) >= 0);
	output_discard(&output);
	assert_int_equal(access("kept", F_OK), 0);
	assert_int_equal(output_open(&output, "made", &why), 0);
	assert_int_not_equal(access("made", F_OK), 0);
	assert_int_equal(output_finish(&output, &why), 0);
	assert_int_equal(access("made", F_OK), 0);
	assert_int_equal(output_open(&output, "no/such", &why), -ENOENT);
	assert_int_equal(why.status, EXIT_FAILED);
	unlink("kept");
	unlink("made"); /* out_of_scratch fails if anything else is left */
}

static void a_full_device_is_an_error(void **state)
{
	struct output output;
	struct why why = { 0 };

	(void)state;
	assert_int_equal(output_open(&output, "/dev/full", &why), 0);
	assert_true(fputs("text\n", output.stream) >= 0);
	assert_int_equal(output_finish(&output, &why), -ENOSPC);
	assert_non_null(strstr(why.text, "/dev/full: No space left on device"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decimals_are_exact),
		cmocka_unit_test(csv_there_and_back),
		cmocka_unit_test(bad_csv_is_refused_by_line),
		cmocka_unit_test(pool_of_two_modes_is_refused),
		cmocka_unit_test(a_file_appears_whole_or_not_at_all),
		cmocka_unit_test(a_full_device_is_an_error),
	};

	return cmocka_run_group_tests_name("model_report", tests, in_scratch, out_of_scratch);
}
