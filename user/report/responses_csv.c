// SPDX-License-Identifier: GPL-2.0-only
// In: CSV lines. Out: each completed row's response time in ns, exact.
#include "report/responses_csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "model/simulate.h"

enum { COLUMNS_MAX = 32 };

struct reader {
	const char *path;
	unsigned long line;
	int mode, response, outcome; /* column numbers, -1: there is none */
	uint64_t sum_ns;
	struct responses *out;
	struct why *why;
};

static int refuse(const struct reader *reader, const char *what)
{
	return why_set(reader->why, -EINVAL, EXIT_FAILED, "%s:%lu: %s", reader->path, reader->line,
		       what);
}

/* Cuts the line at its commas, in place; the number of cells, at most
 * COLUMNS_MAX.
 */
static int cut(char *line, char *cells[COLUMNS_MAX])
{
	int n = 0;

	line[strcspn(line, "\r\n")] = 0;
	while (line && n < COLUMNS_MAX)
		cells[n++] = strsep(&line, ",");
	return n;
}

static int column(char *cells[], int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(cells[i], name))
			return i;
	return -1;
}

static int read_heading(struct reader *reader, char *line)
{
	char *cells[COLUMNS_MAX];
	int n = cut(line, cells);

	reader->mode = column(cells, n, "mode");
	reader->response = column(cells, n, "responseMs");
	reader->outcome = column(cells, n, "outcome");
	if (reader->mode >= 0 && reader->response >= 0)
		return 0;
	return refuse(reader, "not a file of responses: the heading needs mode and responseMs; "
			      "`iostrata model -f csv -o FILE` writes one");
}

static int parse_ms(const char *cell, uint64_t *out)
{
	char word[48];

	if (snprintf(word, sizeof(word), "%sms", cell) >= (int)sizeof(word))
		return -EINVAL;
	return parse_duration_ns(word, out);
}

static int same_mode(struct reader *reader, const char *mode)
{
	char *known = reader->out->mode;

	if (!known[0])
		snprintf(known, sizeof(reader->out->mode), "%s", mode);
	if (mode[0] && !strcmp(known, mode))
		return 0;
	return refuse(reader, "a second mode (or none): pool open and closed runs apart, "
			      "written with --arrival open or --arrival closed");
}

static int add(struct reader *reader, uint64_t response_ns)
{
	if (reader->out->dist.hist.count == MODEL_REQUESTS_MAX)
		return refuse(reader, "more than 1000000 responses, the most that are kept exact");
	if (__builtin_add_overflow(reader->sum_ns, response_ns, &reader->sum_ns))
		return refuse(reader, "the responses do not add up in 64 bits");
	dist_add(&reader->out->dist, response_ns);
	return 0;
}

static int read_row(struct reader *reader, char *line)
{
	char *cells[COLUMNS_MAX];
	int n = cut(line, cells);
	uint64_t response_ns;

	if (reader->mode >= n || reader->response >= n || reader->outcome >= n)
		return refuse(reader, "fewer cells than the heading has");
	if (same_mode(reader, cells[reader->mode]))
		return -EINVAL;
	if (!cells[reader->response][0] ||
	    (reader->outcome >= 0 && strcmp(cells[reader->outcome], "completed"))) {
		reader->out->unfinished++;
		return 0;
	}
	if (parse_ms(cells[reader->response], &response_ns))
		return refuse(reader, "responseMs is no time in ms such as 1 or 0.25");
	return add(reader, response_ns);
}

static int read_lines(struct reader *reader, FILE *in)
{
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	while (!err && getline(&line, &room, in) >= 0) {
		reader->line++;
		err = reader->line == 1 ? read_heading(reader, line) : read_row(reader, line);
	}
	free(line);
	if (!err && ferror(in))
		err = why_set(reader->why, -EIO, EXIT_FAILED, "%s: cannot be read to its end",
			      reader->path);
	if (!err && reader->line < 2)
		err = refuse(reader, "holds no responses; `iostrata model -f csv -o FILE` writes some");
	return err;
}

int responses_read(const char *path, struct responses *out, struct why *why)
{
	struct reader reader = { .path = path, .out = out, .why = why };
	FILE *in = fopen(path, "re");
	int err;

	*out = (struct responses){ 0 };
	if (!in)
		return why_set(why, -errno, EXIT_FAILED,
			       "%s: %s; name a file that `iostrata model -f csv -o FILE` wrote", path,
			       why_text(errno));
	err = dist_init(&out->dist, DIST_SUB_BITS, MODEL_REQUESTS_MAX);
	if (err)
		why_set(why, err, EXIT_FAILED, "%s: %s", path, why_text(err));
	else
		err = read_lines(&reader, in);
	fclose(in);
	if (err)
		responses_free(out);
	return err;
}

void responses_free(struct responses *responses)
{
	dist_free(&responses->dist);
}
