// SPDX-License-Identifier: GPL-2.0-only
// In: named counts and the cost of tracing. Out: one calm line while nothing
// is wrong; else what is, with its meaning.
#include "report/text_out.h"

#include <string.h>

static bool any(const struct report_count *counts, unsigned int count, bool faults_only)
{
	for (unsigned int i = 0; i < count; i++)
		if (counts[i].count && !(faults_only && counts[i].normal))
			return true;
	return false;
}

static void zero_names(struct text *text, const struct report_count *counts, unsigned int count)
{
	unsigned int left = 0;

	for (unsigned int i = 0; i < count; i++)
		left += !counts[i].count;
	for (unsigned int i = 0; i < count; i++)
		if (!counts[i].count)
			text_phrase(text, "0 %s%s", counts[i].name, --left ? "," : "");
}

static void nonzero_rows(struct text *text, const struct report_count *counts, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		if (!counts[i].count)
			continue;
		text_begin(text, "", TEXT_LABEL);
		text_tone(text, counts[i].normal ? TONE_PLAIN : TONE_BAD);
		text_phrase(text, "%s %s%s", format_count(counts[i].count).text, counts[i].name,
			    counts[i].meaning ? ":" : "");
		text_tone(text, TONE_PLAIN);
		text->indent = TEXT_LABEL + 2;
		if (counts[i].meaning)
			text_words(text, counts[i].meaning);
		if (counts[i].normal)
			text_phrase(text, "(normal)");
		text_end(text);
	}
}

/* The clocks of generator and kernel were compared only by a report that has
 * both sides' stamps.
 */
static const char *calm(const struct report *report)
{
	return report->load_result && report->layer_count ? "clocks agree:" : "all good:";
}

static void checks(struct text *text, const struct report *report)
{
	if (!report->check_count)
		return;
	text_begin(text, "Checks", TEXT_LABEL);
	if (any(report->checks, report->check_count, true))
		text_phrase(text, "FAILED as listed:");
	else
		text_phrase(text, "%s", calm(report));
	zero_names(text, report->checks, report->check_count);
	text_end(text);
	nonzero_rows(text, report->checks, report->check_count);
}

static void losses(struct text *text, const struct report *report)
{
	if (!report->loss_count)
		return;
	text_begin(text, "Losses", TEXT_LABEL);
	if (any(report->losses, report->loss_count, true))
		text_phrase(text, "data was lost as listed:");
	else
		text_phrase(text, "none:");
	zero_names(text, report->losses, report->loss_count);
	text_end(text);
	nonzero_rows(text, report->losses, report->loss_count);
}

static void littles_law(struct text *text, const struct report_littles_law *law)
{
	double product = law->completed_per_s * (double)law->latency_mean_ns / 1e9;

	text_begin(text, "", TEXT_LABEL);
	text_phrase(text, "Little's law: %s in flight on average;",
		    format_mean(law->in_flight_mean).text);
	text_phrase(text, "rate x mean latency = %s x %s = %s",
		    format_rate(law->completed_per_s).text,
		    text_duration(text, law->latency_mean_ns).text, format_mean(product).text);
	text_end(text);
}

void text_checks(struct text *text, const struct report *report)
{
	checks(text, report);
	if (report->littles_law)
		littles_law(text, report->littles_law);
	losses(text, report);
}

static void program_rows(struct text *text, const struct report_overhead *overhead)
{
	unsigned int width = 0;

	for (unsigned int i = 0; i < overhead->program_count; i++)
		if (text_width(overhead->programs[i].name) > width)
			width = text_width(overhead->programs[i].name);
	for (unsigned int i = 0; i < overhead->program_count; i++) {
		const struct report_program *program = &overhead->programs[i];

		if (!program->runs)
			continue;
		fprintf(text->out, "%*s", TEXT_LABEL, "");
		text_padded(text, program->name, width);
		fprintf(text->out, " %14s  %7s each\n",
			text_plural(program->runs, "run", "runs").text,
			text_duration(text, program->ns / program->runs).text);
	}
}

void text_overhead(struct text *text, const struct report *report)
{
	const struct report_overhead *overhead = report->overhead;

	if (!overhead)
		return;
	text_begin(text, "Overhead", TEXT_LABEL);
	if (overhead->ns_per_io < 0)
		text_phrase(text, "the programs' time was not measured");
	else
		text_phrase(text, "%s of BPF programs for each of %s",
			    text_duration(text, (uint64_t)(overhead->ns_per_io + 0.5)).text,
			    text_plural(overhead->ios, "I/O", "I/Os").text);
	if (overhead->cpu_share >= 0)
		text_phrase(text, "(%s %% of one CPU)", format_percent(overhead->cpu_share).text);
	text_end(text);
	program_rows(text, overhead);
}
