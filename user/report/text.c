// SPDX-License-Identifier: GPL-2.0-only
// In: a report. Out: the page that someone reads first: the verdict, then what
// must not be overlooked, then what ran, and the evidence from the whole to
// its parts.
#include "report/text_out.h"

#include <string.h>

/* A command that names no layer (load) still says in one line how it went. */
static void load_verdict(struct text *text, const struct load_result *result)
{
	const struct dist *latency = &result->planned_to_reaped;
	struct dist_summary s = dist_summarize((struct dist *)latency);
	struct word p99 = text_duration(text, s.p99_ns), max = text_duration(text, s.max_ns);

	if (!s.count) {
		text_phrase(text, "No I/O completed.");
		return;
	}
	text_phrase(text, "%s at %s completed:",
		    result->sustained ? "Sustained" : "Not sustained",
		    format_rate(result->rate_completed).text);
	text_phrase(text, "p99 %s, max %s from the planned arrival,", p99.text, max.text);
	text_phrase(text, "with %s in flight on average, %s at most.",
		    format_mean(result->in_flight_mean).text,
		    format_count(result->in_flight_max).text);
}

static void verdict(struct text *text, const struct report *report)
{
	if (!report->verdict_text[0] && !report->load_result)
		return;
	text_tone(text, TONE_STRONG);
	text_begin(text, "", 0);
	if (report->verdict_text[0])
		text_words(text, report->verdict_text);
	else
		load_verdict(text, report->load_result);
	text_tone(text, TONE_PLAIN);
	text_end(text);
}

static void notes(struct text *text, const struct report *report)
{
	if (report->note_count)
		fputc('\n', text->out);
	for (unsigned int i = 0; i < report->note_count; i++) {
		text_begin(text, "Note", TEXT_LABEL);
		text_words(text, report->notes[i]);
		text_end(text);
	}
}

static const char *known(const char *word)
{
	return word && *word ? word : "unknown";
}

static void made_by(struct text *text, const struct report *report)
{
	const struct report_tool *tool = &report->tool;

	fputc('\n', text->out);
	text_tone(text, TONE_QUIET);
	text_begin(text, "", 0);
	text_phrase(text, "iostrata %s,", known(tool->version));
	if (tool->libbpf)
		text_phrase(text, "libbpf %s,", tool->libbpf);
	text_phrase(text, "Linux %s %s;", known(tool->kernel), known(tool->arch));
	text_phrase(text, "started %s,", format_time(report->started_realtime_ns).text);
	text_phrase(text, "took %s.", text_duration(text, report->duration_ns).text);
	if (report->command_line[0])
		text_phrase(text, "%s", report->command_line);
	text_tone(text, TONE_PLAIN);
	text_end(text);
}

void report_text(const struct report *report, const struct text_style *style, FILE *out)
{
	struct text text = { .out = out, .style = style };

	verdict(&text, report);
	text_alarms(&text, report);
	text_target(&text, report);
	text_load(&text, report);
	text_latency(&text, report);
	text_layers(&text, report);
	text_devices(&text, report);
	fputc('\n', out);
	text_checks(&text, report);
	text_overhead(&text, report);
	text_probe_effect(&text, report);
	notes(&text, report);
	made_by(&text, report);
}
