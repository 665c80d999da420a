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

#include "test_report_fixture.h"

/* The words of load.h, for as long as no generator is linked in. */
__attribute__((weak)) const char *const load_rw_names[] = { "read", "randread", "write",
							    "randwrite", NULL };
__attribute__((weak)) const char *const load_arrival_names[] = { "constant", "poisson", "closed",
								 NULL };
__attribute__((weak)) const char *const load_sync_names[] = { "none", "dsync", NULL };
__attribute__((weak)) const char *const load_limit_names[] = { "none", "target", "in-flight cap",
							       "generator", NULL };

static const struct text_style plain = { .columns = 80 };
static const struct text_style histograms = { .columns = 80, .histograms = true };
static const struct text_style terminal = { .columns = 120, .colour = true, .bars = true,
					    .unicode = true, .histograms = true };
static const struct text_style narrow = { .columns = 60, .bars = true };

static char *read_all(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *bytes = NULL;

	*size = 0;
	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	*size = (size_t)ftell(file);
	rewind(file);
	bytes = calloc(1, *size + 1);
	assert_int_equal(fread(bytes, 1, *size, file), *size);
	fclose(file);
	return bytes;
}

static void write_all(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	if (!file)
		fail_msg("%s: can't be written; run from the top of the tree", path);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void same_as_golden(const char *name, const char *bytes, size_t size)
{
	char path[128];
	size_t golden_size, line = 1, at = 0;
	char *golden;

	snprintf(path, sizeof(path), "tests/golden/%s", name);
	if (getenv("UPDATE_GOLDEN")) {
		write_all(path, bytes, size);
		return;
	}
	golden = read_all(path, &golden_size);
	while (golden && at < size && at < golden_size && bytes[at] == golden[at])
		line += bytes[at++] == '\n';
	if (golden && at == size && at == golden_size) {
		free(golden);
		return;
	}
	while (at && bytes[at - 1] != '\n')
		at--;
	print_error("got:  %.*s\n", (int)strcspn(bytes + at, "\n"), bytes + at);
	if (golden && at < golden_size)
		print_error("want: %.*s\n", (int)strcspn(golden + at, "\n"), golden + at);
	free(golden);
	fail_msg("%s differs from line %zu on; if that is meant: UPDATE_GOLDEN=1, then git diff",
		 path, line);
}

static void text_is(const char *name, const struct report *report, const struct text_style *style)
{
	char *bytes;
	size_t size;
	FILE *out = open_memstream(&bytes, &size);

	report_text(report, style, out);
	fclose(out);
	same_as_golden(name, bytes, size);
	free(bytes);
}

static void json_is(const char *name, const struct report *report)
{
	char *bytes;
	size_t size;
	FILE *out = open_memstream(&bytes, &size);

	assert_int_equal(report_json(report, out), 0);
	fclose(out);
	same_as_golden(name, bytes, size);
	free(bytes);
}

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
	fix_result_init(&f.result);
	f.result.counts = (struct load_counts){ 0 };
	f.result.duration_ns = 0;
	f.report.target = NULL;
	text_is("report-empty.txt", &f.report, &plain);
	json_is("report-empty.json", &f.report);
	fix_result_free(&f.result);
}

/* Nothing that isn't a terminal gets more than 80 columns. */
static void lines_fit(void **state)
{
	static const char *const names[] = { "report-run.txt", "report-trace.txt", "report-load.txt",
					     "report-trace-histograms.txt", "report-windows.txt" };

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
		cmocka_unit_test(load_not_sustained), cmocka_unit_test(windows),
		cmocka_unit_test(window_lines),	      cmocka_unit_test(empty_reports),
		cmocka_unit_test(lines_fit),
	};

	return cmocka_run_group_tests_name("report golden", tests, NULL, NULL);
}
