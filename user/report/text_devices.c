// SPDX-License-Identifier: GPL-2.0-only
// In: per-device, per-op kernel histograms. Out: for each device its state and
// depth, and for each op how much it did, and its queue and service time.
#include "report/text_out.h"

#include <string.h>

static void span_phrase(struct text *text, const char *name, const struct report_span *span)
{
	if (span->from && span->to)
		text_phrase(text, "%s: %s %s %s;", name, span->from, text_arrow(text), span->to);
}

/* All kernel histograms have the same buckets, but the model does not say so. */
static double worst_error(const struct report *report)
{
	double worst = 0;

	for (unsigned int i = 0; i < report->device_count; i++)
		for (unsigned int j = 0; j < report->devices[i].op_count; j++) {
			const struct hist *service = report->devices[i].ops[j].service;

			if (service && hist_rel_error(service) > worst)
				worst = hist_rel_error(service);
		}
	return worst;
}

static void heading(struct text *text, const struct report *report)
{
	double error = worst_error(report);

	text_heading(text, "Devices");
	text_tone(text, TONE_QUIET);
	text_begin(text, "", 2);
	text_phrase(text, "All requests, whoever asked for them, timed in the kernel.");
	span_phrase(text, "queue", &report->queue);
	span_phrase(text, "service", &report->service);
	if (error > 0)
		text_phrase(text, "quantiles at most %s%% too high.", format_percent(error).text);
	text_end(text);
	text_tone(text, TONE_PLAIN);
}

static void op_line(struct text *text, const struct report_op *op)
{
	text_begin(text, "", 2);
	text_tone(text, TONE_STRONG);
	text_phrase(text, "%s:", op->op);
	text_tone(text, TONE_PLAIN);
	text->indent = 4;
	text_phrase(text, "%s started,", format_count(op->started).text);
	text_phrase(text, "%s completed,", format_count(op->completed).text);
	text_phrase(text, "%s,", format_bytes(op->bytes).text);
	if (op->errors)
		text_tone(text, TONE_BAD);
	text_phrase(text, "%s", text_plural(op->errors, "error", "errors").text);
	if (op->errors)
		text_tone(text, TONE_PLAIN);
	if (op->queue_unknown)
		text_phrase(text, "(queue time of %s unknown)",
			    format_count(op->queue_unknown).text);
	text_end(text);
}

/* A histogram that was not taken has no row; an empty one has a row of "-". */
static void time_row(struct text *text, const struct text_table *table, const char *name,
		     const struct hist *hist)
{
	struct text_row row = { .name = name };

	if (!hist)
		return;
	row.summary = hist_summarize(hist);
	text_table_row(text, table, &row);
}

static void op(struct text *text, const struct report_op *op, const struct text_table *table)
{
	op_line(text, op);
	time_row(text, table, "    queue", op->queue);
	time_row(text, table, "    service", op->service);
	if (text->style->histograms)
		text_histogram(text, op);
}

static unsigned int count_width(const struct report_device *device)
{
	unsigned int width = 7;

	for (unsigned int i = 0; i < device->op_count; i++) {
		struct word count = format_count(device->ops[i].completed);

		if (strlen(count.text) > width)
			width = (unsigned int)strlen(count.text);
	}
	return width;
}

static void name_line(struct text *text, const struct report_device *device)
{
	const struct device_state *state = &device->state;

	text_tone(text, TONE_STRONG);
	text_begin(text, "", 0);
	text_phrase(text, "%s", state->name);
	text_tone(text, TONE_PLAIN);
	text->indent = TEXT_LABEL;
	if (!state->major && !state->minor) {
		text_phrase(text, "(requests without a disk)");
		text_end(text);
		return;
	}
	text_phrase(text, "(%u:%u)", state->major, state->minor);
	if (state->model[0])
		text_phrase(text, "%s,", state->model);
	text_phrase(text, "scheduler %s,", state->scheduler[0] ? state->scheduler : "unknown");
	text_phrase(text, "write cache: %s%s", state->write_cache[0] ? state->write_cache : "unknown",
		    device->child_count || (device->parent && !device->nvme) ? "," : "");
	for (unsigned int i = 0; i < device->child_count; i++)
		text_phrase(text, "%s%s%s", i ? "" : "on top of ", device->children[i],
			    i + 1 < device->child_count ? "," : "");
	if (device->parent && !device->nvme)
		text_phrase(text, "%sbelow %s", device->child_count ? "and " : "", device->parent);
	text_end(text);
}

static void device(struct text *text, const struct report_device *device)
{
	struct text_table table = { .name_width = 13, .count_width = count_width(device) };

	name_line(text, device);
	text_begin(text, "  Depth", TEXT_LABEL);
	text_depth(text, "capacity (nr_requests)", &device->depth);
	text_end(text);
	if (!device->op_count)
		fputs("  no requests seen\n", text->out);
	else
		text_table_head(text, &table, "");
	for (unsigned int i = 0; i < device->op_count; i++)
		op(text, &device->ops[i], &table);
	text_nvme(text, device);
}

void text_devices(struct text *text, const struct report *report)
{
	if (!report->device_count)
		return;
	heading(text, report);
	for (unsigned int i = 0; i < report->device_count; i++) {
		if (i)
			fputc('\n', text->out);
		device(text, &report->devices[i]);
	}
}
