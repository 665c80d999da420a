// SPDX-License-Identifier: GPL-2.0-only
// In: summaries. Out: aligned rows of count, five durations and two shares:
//
//   layer         count      mean       p50       p99     p99.9       max  all% tail%
//   device          200   4.02 ms   1.00 ms  83.0  ms 101    ms 101    ms  99.8  99.9
#include "report/text_out.h"

#include <string.h>

enum { CELL = 9, SHARE = 6, INDENT = 2 };

unsigned int text_table_width(const struct text_table *table)
{
	return INDENT + table->name_width + (table->span_width ? table->span_width + 1 : 0) + 1 +
	       table->count_width + 5 * (CELL + 1) + (table->shares ? 2 * SHARE : 0);
}

void text_table_head(struct text *text, const struct text_table *table, const char *name)
{
	static const char *const heads[] = { "mean", "p50", "p99", "p99.9", "max" };

	text_tone(text, TONE_QUIET);
	fprintf(text->out, "%*s%-*s", INDENT, "", (int)table->name_width, name);
	if (table->span_width)
		fprintf(text->out, " %-*s", (int)table->span_width, "from, to");
	fprintf(text->out, " %*s", (int)table->count_width, "count");
	for (unsigned int i = 0; i < 5; i++)
		fprintf(text->out, " %*s", CELL, heads[i]);
	if (table->shares)
		fprintf(text->out, " %*s %*s", SHARE - 1, "all%", SHARE - 1, "tail%");
	text_tone(text, TONE_PLAIN);
	fputc('\n', text->out);
}

static void cells(struct text *text, const struct dist_summary *s)
{
	const uint64_t values[] = { s->mean_ns, s->p50_ns, s->p99_ns, s->p999_ns, s->max_ns };

	for (unsigned int i = 0; i < 5; i++) {
		struct word cell = format_duration_cell(values[i], text->style->unicode);

		fprintf(text->out, " %s", s->count ? cell.text : "  -      ");
	}
}

/* A name too long for its column has a line of its own: never cut. */
static void row_name(struct text *text, const struct text_table *table, const char *name)
{
	fprintf(text->out, "%*s", INDENT, "");
	if (text_width(name) > table->name_width) {
		text_padded(text, name, 0);
		fprintf(text->out, "\n%*s", INDENT, "");
		name = "";
	}
	text_padded(text, name, table->name_width);
}

void text_table_row(struct text *text, const struct text_table *table, const struct text_row *row)
{
	row_name(text, table, row->name);
	if (table->span_width) {
		fputc(' ', text->out);
		text_padded(text, row->span, table->span_width);
	}
	fprintf(text->out, " %*s", (int)table->count_width, format_count(row->summary.count).text);
	cells(text, &row->summary);
	if (table->shares)
		fprintf(text->out, " %*s %*s", SHARE - 1, format_percent(row->share).text, SHARE - 1,
			format_percent(row->tail_share).text);
	fputc('\n', text->out);
}
