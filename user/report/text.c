// SPDX-License-Identifier: GPL-2.0-only
// In: a report. Out: the page that someone reads first: the verdict, then what
// must not be overlooked, then what ran, and the evidence from the whole to
// its parts.
#include "report/text_out.h"

#include <string.h>

static void verdict(struct text *text, const struct report *report)
{
	if (!report->verdict_text[0])
		return;
	text_tone(text, TONE_STRONG);
	text_begin(text, "", 0);
	text_words(text, report->verdict_text);
	text_tone(text, TONE_PLAIN);
	text_end(text);
}

static void notes(struct text *text, const struct report *report)
{
	if (report->note_count)
		text_gap(text);
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

static bool is_raw(const char *programs)
{
	return programs && !strcmp(programs, "raw");
}

static void made_by(struct text *text, const struct report *report)
{
	const struct report_tool *tool = &report->tool;

	text_gap(text);
	text_tone(text, TONE_QUIET);
	text_begin(text, "", 0);
	text_phrase(text, "iostrata %s,", known(tool->version));
	if (tool->libbpf)
		text_phrase(text, "libbpf %s,", tool->libbpf);
	if (is_raw(tool->trace_programs) || is_raw(tool->run_programs))
		text_phrase(text, "raw programs,");
	text_phrase(text, "Linux %s %s;", known(tool->kernel), known(tool->arch));
	text_phrase(text, "started %s,", format_time(report->started_realtime_ns).text);
	text_phrase(text, "took %s.", text_duration(text, report->duration_ns).text);
	if (report->command_line[0])
		text_sentence(text, "Command: %s", report->command_line);
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
	text_checks(&text, report);
	text_overhead(&text, report);
	text_probe_effect(&text, report);
	notes(&text, report);
	made_by(&text, report);
}
