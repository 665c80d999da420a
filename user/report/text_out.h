/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What the parts of the text view write through: labelled paragraphs that wrap
 * at the style's width, rows of durations, bars. In: words. Out: lines on a
 * stream. Control characters in words (a device's model, a file's name) come
 * out as '?': a report must not be able to steer the terminal.
 */
#ifndef IOSTRATA_REPORT_TEXT_OUT_H
#define IOSTRATA_REPORT_TEXT_OUT_H

#include "report/format.h"
#include "report/report.h"

enum { TEXT_LABEL = 10 }; /* columns of a paragraph's label */

enum text_tone { TONE_PLAIN, TONE_STRONG, TONE_BAD, TONE_QUIET };

struct text {
	FILE *out;
	const struct text_style *style;
	unsigned int column, indent; /* of the paragraph being written */
	bool fresh;		     /* nothing written since the label */
	bool some;		     /* anything written at all */
	enum text_tone tone;
};

void text_tone(struct text *text, enum text_tone tone); /* until the next, or text_end() */
/* A blank line, unless nothing stands above it. */
void text_gap(struct text *text);
/* A gap, then the title of a section. */
void text_heading(struct text *text, const char *title);

/* A paragraph: label (may be ""), phrases, end. A phrase is kept on one line
 * where it fits on one; else it breaks at its spaces.
 */
void text_begin(struct text *text, const char *label, unsigned int indent);
void text_phrase(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_words(struct text *text, const char *words); /* breaks at any space */
void text_sentence(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3))); /* so does this */
void text_end(struct text *text);

/* `share` (0 to 1) of `width` columns; something above 0 never shows nothing.
 * Returns the columns used.
 */
unsigned int text_bar(struct text *text, double share, unsigned int width);
/* Columns that a UTF-8 string takes (every code point one). */
unsigned int text_width(const char *string);
/* Printed, then spaces up to `width`. */
void text_padded(struct text *text, const char *string, unsigned int width);
const char *text_arrow(const struct text *text);

struct word text_duration(const struct text *text, uint64_t ns);

/* "3 I/Os" or "1 I/O" */
struct word text_plural(uint64_t count, const char *one, const char *many);
/* in flight, waiting, capacity: three phrases, with numbers or "unknown". */
void text_depth(struct text *text, const char *capacity, const struct report_depth *depth);

/* The sections, in the order in which report_text() writes them. */
void text_alarms(struct text *text, const struct report *report);
void text_target(struct text *text, const struct report *report);
void text_load(struct text *text, const struct report *report);
void text_latency(struct text *text, const struct report *report);
void text_layers(struct text *text, const struct report *report);
void text_devices(struct text *text, const struct report *report);
void text_nvme(struct text *text, const struct report_device *device); /* if it has such a part */
void text_histogram(struct text *text, const struct report_op *op);
void text_checks(struct text *text, const struct report *report);
void text_overhead(struct text *text, const struct report *report);
void text_probe_effect(struct text *text, const struct report *report);

/* Rows of count and five durations, as layers and ops show them. */
struct text_table {
	unsigned int name_width, count_width, span_width; /* span 0: no from -> to column */
	bool shares;
};
void text_table_head(struct text *text, const struct text_table *table, const char *name);
struct text_row {
	const char *name, *span;
	struct dist_summary summary;
	double share, tail_share;
};
void text_table_row(struct text *text, const struct text_table *table, const struct text_row *row);
/* Columns that a table of these takes. */
unsigned int text_table_width(const struct text_table *table);

#endif
