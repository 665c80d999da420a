// SPDX-License-Identifier: GPL-2.0-only
// In: a report. Out: what must not be overlooked, then what ran on what and
// how it ended: target, load, counts, rates.
#include "report/text_out.h"

#include <string.h>

static void alarm(struct text *text, const char *title)
{
	text_tone(text, TONE_BAD);
	text_begin(text, "", 0);
	text_phrase(text, "%s:", title);
	text_tone(text, TONE_PLAIN);
}

static uint64_t faults(const struct report_count *counts, unsigned int count)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += counts[i].normal ? 0 : counts[i].count;
	return sum;
}

static void failed_ios(struct text *text, const struct load_counts *counts)
{
	if (!counts->errors && !counts->timeouts)
		return;
	alarm(text, "FAILED I/O");
	text_phrase(text, "%s,", text_plural(counts->errors, "error", "errors").text);
	text_phrase(text, "%s", text_plural(counts->timeouts, "time-out", "time-outs").text);
	text_phrase(text, "of %s.", format_count(counts->planned).text);
	text_end(text);
}

static void distrust(struct text *text, const struct report *report)
{
	uint64_t bad = faults(report->checks, report->check_count);
	uint64_t lost = faults(report->losses, report->loss_count);

	if (bad) {
		alarm(text, "CHECKS FAILED");
		text_phrase(text, "%s: see Checks before trusting the layers.",
			    format_count(bad).text);
		text_end(text);
	}
	if (lost) {
		alarm(text, "DATA LOST");
		text_phrase(text, "%s: see Losses.", format_count(lost).text);
		text_end(text);
	}
}

void text_alarms(struct text *text, const struct report *report)
{
	const struct load_result *result = report->load_result;

	if (report->interrupted || (result && result->interrupted)) {
		alarm(text, "INTERRUPTED");
		text_phrase(text, "ended early; this is what was done until then.");
		text_end(text);
	}
	if (result && !result->sustained) {
		alarm(text, "NOT SUSTAINED");
		text_words(text, result->limit_text[0] ? result->limit_text
						       : "the offered load was not kept up.");
		text_end(text);
	}
	if (result)
		failed_ios(text, &result->counts);
	distrust(text, report);
}

static void state_number(struct text *text, const char *name, uint64_t value)
{
	if (value != UINT64_MAX)
		text_phrase(text, "%s %s,", name, format_count(value).text);
}

static void device_state(struct text *text, const struct device_state *state)
{
	text_phrase(text, "%s (%u:%u),", state->name[0] ? state->name : "device", state->major,
		    state->minor);
	if (state->model[0])
		text_phrase(text, "%s,", state->model);
	if (state->firmware[0])
		text_phrase(text, "firmware %s,", state->firmware);
	if (state->size_bytes != UINT64_MAX)
		text_phrase(text, "%s,", format_bytes(state->size_bytes).text);
	text_phrase(text, "scheduler %s,", state->scheduler[0] ? state->scheduler : "unknown");
	state_number(text, "nr_requests", state->nr_requests);
	state_number(text, "hardware queues", state->hw_queues);
	text_phrase(text, "write cache %s",
		    state->write_cache[0] ? state->write_cache : "unknown");
	if (state->backing[0])
		text_phrase(text, "on %s", state->backing);
}

/* "/dev/loop0" and "loop0" are one name. */
static bool same_name(const char *target, const struct device_state *state)
{
	const char *slash = strrchr(target, '/');

	return !strcmp(slash ? slash + 1 : target, state->name);
}

void text_target(struct text *text, const struct report *report)
{
	if (!report->target && !report->device_state)
		return;
	fputc('\n', text->out);
	text_begin(text, "Target", TEXT_LABEL);
	if (report->target &&
	    !(report->device_state && same_name(report->target, report->device_state)))
		text_phrase(text, report->device_state ? "%s on" : "%s", report->target);
	if (report->device_state)
		device_state(text, report->device_state);
	text_end(text);
}

static void arrivals(struct text *text, const struct load_config *config)
{
	if (config->arrival == LOAD_CLOSED) {
		text_phrase(text, "closed, %s,",
			    text_plural(config->clients, "client", "clients").text);
		text_phrase(text, "think time %s,", text_duration(text, config->think_ns).text);
		return;
	}
	text_phrase(text, "open, %s arrivals,", load_arrival_names[config->arrival]);
	text_phrase(text, "%s planned", format_rate(config->rate_per_s).text);
	if (config->runtime_ns)
		text_phrase(text, "for %s,", text_duration(text, config->runtime_ns).text);
}

static void config_line(struct text *text, const struct load_config *config)
{
	text_begin(text, "Load", TEXT_LABEL);
	arrivals(text, config);
	if (config->arrival == LOAD_CLOSED && config->runtime_ns)
		text_phrase(text, "for %s,", text_duration(text, config->runtime_ns).text);
	if (config->requests)
		text_phrase(text, "at most %s,",
			    text_plural(config->requests, "I/O", "I/Os").text);
	text_phrase(text, "%s of %s,", load_rw_names[config->rw],
		    format_bytes(config->block_bytes).text);
	text_phrase(text, "%s,", config->buffered ? "page cache" : "O_DIRECT");
	text_phrase(text, "sync %s,", load_sync_names[config->sync]);
	if (config->warmup_ns)
		text_phrase(text, "warm-up of %s left out,",
			    text_duration(text, config->warmup_ns).text);
	text_phrase(text, "in-flight cap %s", format_count(config->in_flight_cap).text);
	text_end(text);
}

static void error_names(struct text *text, const struct load_error_kind *kinds)
{
	for (unsigned int i = 0; i < LOAD_ERROR_KINDS && kinds[i].err; i++) {
		const char *name = strerrorname_np(kinds[i].err);

		text_phrase(text, "%s%s %s%s", i ? "" : "(", name ? name : "unknown error",
			    format_count(kinds[i].count).text,
			    i + 1 < LOAD_ERROR_KINDS && kinds[i + 1].err ? "," : ")");
	}
}

static void counts_line(struct text *text, const struct load_result *result)
{
	const struct load_counts *c = &result->counts;

	text_begin(text, "Counts", TEXT_LABEL);
	text_phrase(text, "%s planned", format_count(c->planned).text);
	text_phrase(text, "= %s completed", format_count(c->completed).text);
	text_phrase(text, "+ %s", text_plural(c->errors, "error", "errors").text);
	error_names(text, result->error_kinds);
	text_phrase(text, "+ %s", text_plural(c->timeouts, "time-out", "time-outs").text);
	text_phrase(text, "+ %s in flight at the cutoff", format_count(c->in_flight_at_cutoff).text);
	text_phrase(text, "+ %s unsubmitted", format_count(c->unsubmitted).text);
	if (c->late || c->never)
		text_phrase(text, "(beside: %s completed late, %s never)",
			    format_count(c->late).text, format_count(c->never).text);
	text_end(text);
}

static void rates_line(struct text *text, const struct load_result *result)
{
	text_begin(text, "Rates", TEXT_LABEL);
	text_phrase(text, "offered %s,", format_rate(result->rate_offered).text);
	text_phrase(text, "submitted %s,", format_rate(result->rate_submitted).text);
	text_phrase(text, "completed %s", format_rate(result->rate_completed).text);
	text_phrase(text, "(%s in %s)", format_bytes(result->bytes_completed).text,
		    text_duration(text, result->duration_ns).text);
	text_end(text);
}

void text_load(struct text *text, const struct report *report)
{
	if (report->load_config)
		config_line(text, report->load_config);
	if (!report->load_result)
		return;
	counts_line(text, report->load_result);
	rates_line(text, report->load_result);
}
