// SPDX-License-Identifier: GPL-2.0-only
// In: one window of trace -i. Out: a line with its time and what was lost, and
// a row for each device and op, under heads printed once:
//
//   device   op            rate     bytes/s queue p50       p99 serve p50       p99
//   2026-11-30 21:34:21 UTC, 1.00 s
//   loop0    read         100/s   400 KiB/s   1.00 us  10.0  us   1.00 ms   1.20 ms
#include "report/text_out.h"

#include <string.h>

enum { DEVICE = 9, OP = 9, RATE = 10, BYTES = 12, CELL = 9 };

void report_text_window_head(const struct text_style *style, FILE *out)
{
	struct text text = { .out = out, .style = style };

	text_tone(&text, TONE_QUIET);
	fprintf(out, "%-*s%-*s%*s%*s %*s %*s %*s %*s\n", DEVICE, "device", OP, "op", RATE, "rate",
		BYTES, "bytes/s", CELL, "queue p50", CELL, "p99", CELL, "serve p50", CELL, "p99");
	text_tone(&text, TONE_PLAIN);
}

static void quantiles(struct text *text, const struct hist *hist)
{
	static const unsigned int permyriads[] = { 5000, 9900 };
	bool some = hist && hist->count;

	for (unsigned int i = 0; i < 2; i++) {
		uint64_t ns = some ? hist_quantile(hist, permyriads[i]) : 0;
		struct word cell = format_duration_cell(ns, text->style->unicode);

		fprintf(text->out, " %s", some ? cell.text : "  -      ");
	}
}

static void row(struct text *text, const char *device, const struct report_op *op, double seconds)
{
	double bytes = seconds > 0 ? (double)op->bytes / seconds : 0;
	struct word per_s;

	text_padded(text, device, DEVICE);
	text_padded(text, op->op, OP);
	fprintf(text->out, "%*s", RATE,
		format_rate(seconds > 0 ? (double)op->completed / seconds : -1).text);
	per_s = format_bytes(bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX);
	fprintf(text->out, "%*s/s", BYTES - 2, per_s.text);
	quantiles(text, op->queue);
	quantiles(text, op->service);
	if (op->errors)
		fprintf(text->out, " %s", text_plural(op->errors, "error", "errors").text);
	fputc('\n', text->out);
}

static void device(struct text *text, const struct report_device *device, double seconds)
{
	for (unsigned int i = 0; i < device->op_count; i++)
		if (device->ops[i].started || device->ops[i].completed)
			row(text, device->state.name, &device->ops[i], seconds);
	text_begin(text, "", 0);
	text_padded(text, device->state.name, DEVICE);
	text->fresh = true;
	text->indent = DEVICE;
	text_phrase(text, "depth: ");
	text_depth(text, "capacity", &device->depth);
	text_end(text);
}

static void losses(struct text *text, const struct report *report)
{
	for (unsigned int i = 0; i < report->loss_count; i++)
		if (report->losses[i].count && !report->losses[i].normal) {
			text_tone(text, TONE_BAD);
			text_phrase(text, "; lost: %s %s",
				    format_count(report->losses[i].count).text,
				    report->losses[i].name);
			text_tone(text, TONE_PLAIN);
		}
}

void report_text_window(const struct report *report, const struct text_style *style, FILE *out)
{
	struct text text = { .out = out, .style = style };
	double seconds = (double)report->duration_ns / 1e9;

	text_begin(&text, "", 0);
	text_tone(&text, TONE_STRONG);
	text_phrase(&text, "%s, %s", format_time(report->started_realtime_ns).text,
		    text_duration(&text, report->duration_ns).text);
	text_tone(&text, TONE_PLAIN);
	losses(&text, report);
	text_end(&text);
	for (unsigned int i = 0; i < report->device_count; i++)
		device(&text, &report->devices[i], seconds);
}
