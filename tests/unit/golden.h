/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A report's text or JSON held byte for byte against a file in tests/golden/.
 * Include after cmocka.h. UPDATE_GOLDEN=1 rewrites the files.
 */
#ifndef TEST_GOLDEN_H
#define TEST_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

static inline char *read_all(const char *path, size_t *size)
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

static inline void write_all(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	if (!file)
		fail_msg("%s: can't be written; run from the top of the tree", path);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static inline void same_as_golden(const char *name, const char *bytes, size_t size)
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

static inline void text_is(const char *name, const struct report *report, const struct text_style *style)
{
	char *bytes;
	size_t size;
	FILE *out = open_memstream(&bytes, &size);

	report_text(report, style, out);
	fclose(out);
	same_as_golden(name, bytes, size);
	free(bytes);
}

static inline void json_is(const char *name, const struct report *report)
{
	char *bytes;
	size_t size;
	FILE *out = open_memstream(&bytes, &size);

	assert_int_equal(report_json(report, out), 0);
	fclose(out);
	same_as_golden(name, bytes, size);
	free(bytes);
}

#endif
