// SPDX-License-Identifier: GPL-2.0-only
// In: a load's result. Out: latency from both starts of the clock beside each
// other, with the depth at which it was seen; and, for run --ab, the same load
// with and without the tracer.
#include "report/text_out.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { NAME = 8, COLUMN = 18 };

static const struct {
	const char *name;
	size_t offset;
} rows[] = {
	{ "mean", offsetof(struct dist_summary, mean_ns) },
	{ "p50", offsetof(struct dist_summary, p50_ns) },
	{ "p90", offsetof(struct dist_summary, p90_ns) },
	{ "p95", offsetof(struct dist_summary, p95_ns) },
	{ "p99", offsetof(struct dist_summary, p99_ns) },
	{ "p99.9", offsetof(struct dist_summary, p999_ns) },
	{ "max", offsetof(struct dist_summary, max_ns) },
};

static uint64_t field(const struct dist_summary *summary, size_t offset)
{
	return *(const uint64_t *)((const char *)summary + offset);
}

/* Right-aligned in COLUMN, whatever a code point weighs. */
static void column(struct text *text, const char *string)
{
	unsigned int width = text_width(string);

	fprintf(text->out, "%*s%s", width < COLUMN ? (int)(COLUMN - width) : 1, "", string);
}

static void row_name(struct text *text, const char *name)
{
	fprintf(text->out, "  %-*s", NAME, name);
}

static void duration_column(struct text *text, const struct dist_summary *s, uint64_t ns)
{
	column(text, s->count ? format_duration_cell(ns, text->style->unicode).text : "-      ");
}

static void heads(struct text *text, const char *title, const char *const *names, unsigned int count)
{
	text_tone(text, TONE_STRONG);
	fprintf(text->out, "\n%-*s", NAME + 2, title);
	text_tone(text, TONE_QUIET);
	for (unsigned int i = 0; i < count; i++)
		column(text, names[i]);
	text_tone(text, TONE_PLAIN);
	fputc('\n', text->out);
}

static void table(struct text *text, const struct dist_summary *planned,
		  const struct dist_summary *submitted)
{
	static const char *const names[] = { "from planned", "from submission" };

	heads(text, "Latency", names, 2);
	row_name(text, "N");
	column(text, format_count(planned->count).text);
	column(text, format_count(submitted->count).text);
	fputc('\n', text->out);
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		row_name(text, rows[i].name);
		duration_column(text, planned, field(planned, rows[i].offset));
		duration_column(text, submitted, field(submitted, rows[i].offset));
		fputc('\n', text->out);
	}
}

static void method(struct text *text, const struct dist_summary *summary)
{
	text_tone(text, TONE_QUIET);
	text_begin(text, "", 2);
	if (summary->exact)
		text_phrase(text, "Quantiles: nearest rank on all samples, exact.");
	else
		text_phrase(text, "Quantiles: nearest rank on a histogram, upper bound of the "
				  "bucket, at most %s%% too high.",
			    format_percent(summary->rel_error).text);
	text_tone(text, TONE_PLAIN);
	text_end(text);
}

/* What is not in the quantiles took longer than what is: they are too low. */
static void censored(struct text *text, const struct load_counts *c)
{
	uint64_t missing = c->errors + c->timeouts + c->in_flight_at_cutoff + c->unsubmitted;

	if (!missing)
		return;
	text_begin(text, "", 2);
	text_phrase(text, "Censored: %s of %s planned did not complete in time",
		    format_count(missing).text, text_plural(c->planned, "I/O", "I/Os").text);
	text_phrase(text, "and are not in these quantiles; the true ones are higher.");
	text_end(text);
}

static void depth(struct text *text, const struct report *report)
{
	const struct load_result *result = report->load_result;
	struct report_depth depth = {
		.capacity = report->load_config ? report->load_config->in_flight_cap : UINT64_MAX,
		.in_flight_mean = result->in_flight_mean,
		.in_flight_max = result->in_flight_max,
		.waiting_mean = -1,
		.waiting_max = result->backlog_max,
	};

	/* By Little's law: time spent waiting for submission over the run's. */
	if (result->duration_ns)
		depth.waiting_mean =
			(double)result->schedule_error.hist.sum / (double)result->duration_ns;
	text_begin(text, "  Depth", TEXT_LABEL);
	text_phrase(text, "of the generator:");
	text_depth(text, "capacity (cap)", &depth);
	text_end(text);
}

static void schedule(struct text *text, const struct load_result *result)
{
	struct dist_summary s = dist_summarize((struct dist *)&result->schedule_error);

	text_begin(text, "  Clock", TEXT_LABEL);
	text_phrase(text, "submitted after planned: p50 %s,", text_duration(text, s.p50_ns).text);
	text_phrase(text, "p99 %s,", text_duration(text, s.p99_ns).text);
	text_phrase(text, "max %s", text_duration(text, s.max_ns).text);
	text_end(text);
}

void text_latency(struct text *text, const struct report *report)
{
	struct load_result *result = report->load_result;
	struct dist_summary planned, submitted;

	if (!result)
		return;
	planned = dist_summarize(&result->planned_to_reaped);
	submitted = dist_summarize(&result->submitted_to_reaped);
	table(text, &planned, &submitted);
	method(text, &planned);
	censored(text, &result->counts);
	depth(text, report);
	schedule(text, result);
}

static void difference_column(struct text *text, uint64_t with, uint64_t without)
{
	uint64_t far = with > without ? with - without : without - with;
	struct word cell = format_duration_cell(far, text->style->unicode);
	char difference[64];

	snprintf(difference, sizeof(difference), "%s%s",
		 with == without ? "" : with > without ? "+" : "-",
		 cell.text + strspn(cell.text, " "));
	column(text, difference);
}

static void effect_row(struct text *text, unsigned int row, const struct dist_summary *with,
		       const struct dist_summary *without)
{
	uint64_t a = field(with, rows[row].offset), b = field(without, rows[row].offset);

	row_name(text, rows[row].name);
	duration_column(text, with, a);
	duration_column(text, without, b);
	difference_column(text, a, b);
	fputc('\n', text->out);
}

static void effect_rates(struct text *text, double with, double without)
{
	char difference[64];

	snprintf(difference, sizeof(difference), "%s%s", with < without ? "-" : "+",
		 format_rate(fabs(with - without)).text);
	row_name(text, "rate");
	column(text, format_rate(with).text);
	column(text, format_rate(without).text);
	column(text, difference);
	fputc('\n', text->out);
}

void text_probe_effect(struct text *text, const struct report *report)
{
	static const char *const names[] = { "with tracer", "without", "difference" };
	struct dist_summary with, without;

	if (!report->load_result || !report->without_tracer)
		return;
	with = dist_summarize(&report->load_result->planned_to_reaped);
	without = dist_summarize(&report->without_tracer->planned_to_reaped);
	heads(text, "Probe effect", names, 3);
	row_name(text, "N");
	column(text, format_count(with.count).text);
	column(text, format_count(without.count).text);
	fputc('\n', text->out);
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		effect_row(text, i, &with, &without);
	effect_rates(text, report->load_result->rate_completed,
		     report->without_tracer->rate_completed);
}
