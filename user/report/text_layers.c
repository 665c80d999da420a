// SPDX-License-Identifier: GPL-2.0-only
// In: the layers of a report. Out: where the slowest 1 % went, as a chart; the
// layers in the order of an I/O's life, as a table; and how they follow each
// other, for a table too narrow to say it.
#include "report/text_out.h"

#include <string.h>

enum { CHART_NUMBERS = 10, SPAN_MAX = 48, PART_INDENT = 2 };

/* Flush and unattributed time lie between no two boundaries. */
static bool has_span(const struct report_layer *layer)
{
	return layer->from[0] && layer->to[0];
}

static void span(const struct text *text, const struct report_layer *layer, char out[SPAN_MAX])
{
	out[0] = '\0';
	if (has_span(layer))
		snprintf(out, SPAN_MAX, "%s %s %s", layer->from, text_arrow(text), layer->to);
}

static unsigned int name_width(const struct report *report)
{
	unsigned int width = 5; /* "layer" */

	for (unsigned int i = 0; i < report->layer_count; i++) {
		const struct report_layer *layer = &report->layers[i];

		if (text_width(layer->layer) > width)
			width = text_width(layer->layer);
		for (unsigned int n = 0; n < layer->part_count; n++)
			if (PART_INDENT + text_width(layer->parts[n].name) > width)
				width = PART_INDENT + text_width(layer->parts[n].name);
	}
	return width;
}

static void slowest(struct text *text, const struct report *report)
{
	text_phrase(text, "%s of %s and more",
		    text_plural(report->tail_count, "I/O", "I/Os").text,
		    text_duration(text, report->tail_from_ns).text);
}

/* Layers below half a percent of the tail would only hide the answer. */
static void chart(struct text *text, const struct report *report)
{
	unsigned int names = name_width(report);
	unsigned int room = text->style->columns - 2 - names - CHART_NUMBERS;

	text_gap(text);
	text_begin(text, "", 0);
	text_tone(text, TONE_STRONG);
	text_phrase(text, "Where the slowest 1 %% spent its time:");
	text_tone(text, TONE_PLAIN);
	slowest(text, report);
	text_end(text);
	for (unsigned int i = 0; i < report->layer_count; i++) {
		const struct report_layer *layer = &report->layers[i];

		if (layer->tail_share < 0.005)
			continue;
		fputs("  ", text->out);
		text_padded(text, layer->layer, names);
		fprintf(text->out, " %5s %%  ", format_percent(layer->tail_share).text);
		text_bar(text, layer->tail_share, room < 60 ? room : 60);
		fputc('\n', text->out);
	}
}

static void from_to(struct text *text, const struct report_layer *layer, const char *from)
{
	bool new_chain = !from || strcmp(from, layer->from);

	if (new_chain)
		text_phrase(text, "%s%s", from ? "and " : "", layer->from);
	text_phrase(text, text->style->unicode ? "\342\224\200%s\342\206\222 %s" : "-%s-> %s",
		    layer->layer, layer->to);
}

/* What follows `at`, most I/Os first; else what comes first in the table. */
static bool better(const struct report_layer *a, const struct report_layer *b, const char *at)
{
	bool a_follows = at && !strcmp(a->from, at), b_follows = at && !strcmp(b->from, at);

	if (a_follows != b_follows)
		return a_follows;
	return a_follows && a->dist->hist.count > b->dist->hist.count;
}

/* "planned -backlog-> submitted -submit-> entered …": each row once, and a new
 * chain ("and entered -fs+return-> returned") where a fold leaves the main one.
 */
static void chains(struct text *text, const struct report *report)
{
	bool told[64] = { false };
	const char *at = NULL;
	unsigned int left = report->layer_count < 64 ? report->layer_count : 64;

	for (unsigned int n = left; n--;) {
		const struct report_layer *next = NULL;

		for (unsigned int i = 0; i < left; i++) {
			const struct report_layer *layer = &report->layers[i];

			if (told[i] || !has_span(layer))
				continue;
			if (!next || better(layer, next, at))
				next = layer;
		}
		if (!next)
			return;
		told[next - report->layers] = true;
		from_to(text, next, at);
		at = next->to;
	}
}

static void life(struct text *text, const struct report *report)
{
	text_tone(text, TONE_QUIET);
	text_begin(text, "", 2);
	chains(text, report);
	text_end(text);
	text_tone(text, TONE_PLAIN);
}

/* Layers keep samples as long as they fit: say when they did not. */
static void method(struct text *text, const struct report *report)
{
	double worst = 0;

	for (unsigned int i = 0; i < report->layer_count; i++) {
		struct dist_summary s = dist_summarize(report->layers[i].dist);

		if (s.rel_error > worst)
			worst = s.rel_error;
	}
	if (worst > 0)
		text_phrase(text, "; quantiles at most %s%% too high", format_percent(worst).text);
}

/* Within the layer above: what it consisted of. */
static void part_rows(struct text *text, const struct report_layer *layer,
		      const struct text_table *table)
{
	char name[32];

	text_tone(text, TONE_QUIET);
	for (unsigned int i = 0; i < layer->part_count; i++) {
		const struct report_part *part = &layer->parts[i];
		struct text_row row = { .name = name, .span = "", .share = part->share,
					.tail_share = part->tail_share };

		snprintf(name, sizeof(name), "%*s%s", PART_INDENT, "", part->name);
		row.summary = dist_summarize(part->dist);
		text_table_row(text, table, &row);
	}
	text_tone(text, TONE_PLAIN);
}

static void rows(struct text *text, const struct report *report, const struct text_table *table)
{
	char where[SPAN_MAX];

	text_table_head(text, table, "layer");
	for (unsigned int i = 0; i < report->layer_count; i++) {
		const struct report_layer *layer = &report->layers[i];
		struct text_row row = { .name = layer->layer, .span = where,
					.share = layer->share, .tail_share = layer->tail_share };

		span(text, layer, where);
		row.summary = dist_summarize(layer->dist);
		text_table_row(text, table, &row);
		if (layer->part_count)
			part_rows(text, layer, table);
	}
}

static unsigned int count_width(const struct report *report)
{
	unsigned int width = 5; /* "count" */

	for (unsigned int i = 0; i < report->layer_count; i++) {
		struct word count = format_count(report->layers[i].dist->hist.count);

		if (strlen(count.text) > width)
			width = (unsigned int)strlen(count.text);
	}
	return width;
}

static unsigned int span_width(const struct text *text, const struct report *report)
{
	unsigned int width = 0;
	char where[SPAN_MAX];

	for (unsigned int i = 0; i < report->layer_count; i++) {
		span(text, &report->layers[i], where);
		if (text_width(where) > width)
			width = text_width(where);
	}
	return width;
}

/* Wide enough: with a column of boundaries. Too narrow: with less room for
 * names, so that long ones move to lines of their own.
 */
static struct text_table layout(const struct text *text, const struct report *report)
{
	struct text_table table = { .name_width = name_width(report),
				    .count_width = count_width(report),
				    .span_width = span_width(text, report),
				    .shares = true };
	unsigned int wide;

	if (text_table_width(&table) > text->style->columns)
		table.span_width = 0;
	wide = text_table_width(&table);
	if (wide > text->style->columns) {
		unsigned int excess = wide - text->style->columns;

		table.name_width = table.name_width > excess + 8 ? table.name_width - excess : 8;
	}
	return table;
}

/* The target's own queue, seen in the kernel by all of its users. */
static void depth_of_target(struct text *text, const struct report *report)
{
	for (unsigned int i = 0; i < report->device_count; i++) {
		const struct report_device *device = &report->devices[i];

		if (!report->device_state ||
		    strcmp(device->state.name, report->device_state->name))
			continue;
		text_begin(text, "  Depth", TEXT_LABEL);
		text_phrase(text, "of %s:", device->state.name);
		text_depth(text, "capacity (nr_requests)", &device->depth);
		text_end(text);
	}
}

static uint64_t unattributed(const struct report *report)
{
	for (unsigned int i = report->layer_count; i--;)
		if (!strcmp(report->layers[i].layer, "unattributed"))
			return report->layers[i].dist->hist.count;
	return 0;
}

void text_layers(struct text *text, const struct report *report)
{
	struct text_table table;

	if (!report->layer_count)
		return;
	if (text->style->bars && report->tail_count)
		chart(text, report);
	table = layout(text, report);
	text_gap(text);
	text_begin(text, "Layers", TEXT_LABEL);
	text_phrase(text, "%s attributed, %s not;",
		    text_plural(report->attributed, "I/O", "I/Os").text,
		    format_count(unattributed(report)).text);
	text_phrase(text, "all%%: share of all time;");
	text_phrase(text, "tail%%: of the slowest 1 %%'s,");
	slowest(text, report);
	method(text, report);
	text_end(text);
	rows(text, report, &table);
	if (!table.span_width)
		life(text, report);
	depth_of_target(text, report);
}
