// SPDX-License-Identifier: GPL-2.0-only
// Text and JSON of fixed reports, byte for byte as in tests/golden/. Run from
// the top of the tree. After a wanted change of a view: UPDATE_GOLDEN=1, then
// read the difference before committing it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "golden.h"
#include "test_report_nvme.h"
#include "test_report_run.h"
#include "test_report_trace.h"

static const struct text_style plain = { .columns = 80 };
static const struct text_style histograms = { .columns = 80, .histograms = true };
static const struct text_style terminal = { .columns = 120, .colour = true, .bars = true,
					    .unicode = true, .histograms = true };
static const struct text_style narrow = { .columns = 60, .bars = true };

static void run_open_a1(void **state)
{
	struct fixture f;

	(void)state;
	fix_run(&f);
	text_is("report-run.txt", &f.report, &plain);
	text_is("report-run-terminal.txt", &f.report, &terminal);
	text_is("report-run-narrow.txt", &f.report, &narrow);
	json_is("report-run.json", &f.report);
	fix_free(&f);
}

static void trace_two_devices(void **state)
{
	struct fixture f;

	(void)state;
	fix_trace(&f);
	text_is("report-trace.txt", &f.report, &plain);
	text_is("report-trace-histograms.txt", &f.report, &histograms);
	json_is("report-trace.json", &f.report);
	fix_free(&f);
}

static void trace_nvme(void **state)
{
	struct nvme_fixture n = { 0 };
	struct fixture f;

	(void)state;
	fix_nvme(&f, &n);
	text_is("report-nvme.txt", &f.report, &plain);
	json_is("report-nvme.json", &f.report);
	fix_nvme_free(&n);
	fix_free(&f);
}

static void load_not_sustained(void **state)
{
	struct fixture f;

	(void)state;
	fix_load(&f);
	text_is("report-load.txt", &f.report, &plain);
	json_is("report-load.json", &f.report);
	fix_free(&f);
}

static void windows(void **state)
{
	struct fixture f;
	char *bytes;
	size_t size;
	FILE *out = open_memstream(&bytes, &size);

	(void)state;
	fix_trace(&f);
	f.report.duration_ns = 1000000000;
	report_text_window_head(&plain, out);
	for (f.report.window = 1; f.report.window <= 2; f.report.window++) {
		report_text_window(&f.report, &plain, out);
		f.report.started_realtime_ns += 1000000000;
	}
	f.report.device_count = f.report.loss_count = 0;
	report_text_window(&f.report, &plain, out);
	fclose(out);
	same_as_golden("report-windows.txt", bytes, size);
	free(bytes);
	fix_free(&f);
}

static void window_lines(void **state)
{
	struct fixture f;
	char *bytes;
	size_t size, lines = 0;
	FILE *out = open_memstream(&bytes, &size);

	(void)state;
	fix_trace(&f);
	for (f.report.window = 1; f.report.window <= 2; f.report.window++)
		assert_int_equal(report_json_line(&f.report, out), 0);
	fclose(out);
	for (size_t i = 0; i < size; i++)
		lines += bytes[i] == '\n';
	assert_int_equal(lines, 2);
	same_as_golden("report-windows.jsonl", bytes, size);
	free(bytes);
	fix_free(&f);
}

/* No I/O completed, nothing known: still a report, and no division by 0. */
static void empty_reports(void **state)
{
	struct fixture f;

	(void)state;
	fix_load(&f);
	fix_free(&f);
	f.result = (struct load_result){ .rate_offered = 2000, .in_flight_mean = -1 };
	fix_result_init(&f.result);
	f.report.target = NULL;
	f.report.verdict_text[0] = '\0';
	report_default_verdict(&f.report);
	text_is("report-empty.txt", &f.report, &plain);
	json_is("report-empty.json", &f.report);
	fix_result_free(&f.result);
}

/* Nothing that isn't a terminal gets more than 80 columns. */
static void lines_fit(void **state)
{
	static const char *const names[] = { "report-run.txt", "report-trace.txt", "report-load.txt",
					     "report-trace-histograms.txt", "report-windows.txt",
					     "report-nvme.txt" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[128];
		size_t size, column = 0;
		char *bytes;

		snprintf(path, sizeof(path), "tests/golden/%s", names[i]);
		bytes = read_all(path, &size);
		assert_non_null(bytes);
		for (size_t at = 0; at < size; at++) {
			column = bytes[at] == '\n' ? 0 : column + 1;
			if (column > 80)
				fail_msg("%s has a line of more than 80 columns", path);
		}
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_open_a1),	      cmocka_unit_test(trace_two_devices),
		cmocka_unit_test(trace_nvme),
		cmocka_unit_test(load_not_sustained), cmocka_unit_test(windows),
		cmocka_unit_test(window_lines),	      cmocka_unit_test(empty_reports),
		cmocka_unit_test(lines_fit),
	};

	return cmocka_run_group_tests_name("report golden", tests, NULL, NULL);
}
