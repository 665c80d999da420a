// SPDX-License-Identifier: GPL-2.0-only
// In: the runs. Out: the JSON contract's keys, one entry in `models` for each.
// In a model a completion is reaped at once, hence planned_to_reaped.
#include <errno.h>

#include "base/clock.h"
#include "base/version.h"
#include "report/json_dist.h"
#include "report/model_report.h"
#include "report/report.h"

static void add(struct json_object *parent, const char *key, struct json_object *child)
{
	json_object_object_add(parent, key, child);
}

static void add_text(struct json_object *parent, const char *key, const char *text)
{
	add(parent, key, json_object_new_string(text));
}

/* Up to 17 digits say a double exactly; three decimals are enough to read. */
static void add_rate(struct json_object *parent, const char *key, uint64_t count, uint64_t ns)
{
	add(parent, key, json_object_new_double((double)count * 1e9 / (double)ns));
}

static struct json_object *arrival(const struct model_config *config)
{
	struct json_object *object = json_object_new_object();

	if (config->arrival == MODEL_CLOSED) {
		add_text(object, "model", "closed");
		json_add_u64(object, "clients", config->clients);
		json_add_u64(object, "think_ns", config->think_ns);
		return object;
	}
	add_text(object, "model", "constant");
	add_rate(object, "rate_target", config->per_period, config->period_ns);
	json_add_u64(object, "interval_ns", config->period_ns / config->per_period);
	return object;
}

static struct json_object *counts(const struct model_counts *counts)
{
	struct json_object *object = json_object_new_object();

	json_add_u64(object, "planned", counts->planned);
	json_add_u64(object, "submitted", counts->submitted);
	json_add_u64(object, "completed", counts->completed);
	json_add_u64(object, "errors", 0);
	json_add_u64(object, "timeouts", 0);
	json_add_u64(object, "in_flight_at_cutoff", counts->outstanding);
	json_add_u64(object, "unsubmitted", counts->unsubmitted);
	return object;
}

static struct json_object *rates(const struct model_result *result)
{
	struct json_object *object = json_object_new_object();

	add_rate(object, "offered", result->counts.planned, result->window_ns);
	add_rate(object, "completed", result->counts.planned - result->unfinished,
		 result->window_ns);
	return object;
}

static struct json_object *load(const struct model_run *run)
{
	static const char *const limits[] = { "none", "target", "in-flight cap" };
	struct json_object *object = json_object_new_object(), *backlog = json_object_new_object();

	add(object, "arrival", arrival(run->config));
	if (run->config->in_flight_cap)
		json_add_u64(object, "in_flight_cap", run->config->in_flight_cap);
	add(object, "counts", counts(&run->result->counts));
	add(object, "rates", rates(run->result));
	add(object, "sustained", json_object_new_boolean(run->result->sustained));
	add_text(object, "limit", limits[run->result->limit]);
	json_add_u64(backlog, "max", run->result->backlog_max);
	add(object, "backlog", backlog);
	return object;
}

static struct json_object *latency(struct model_result *result)
{
	struct json_object *object = json_object_new_object();

	add(object, "censored", json_object_new_boolean(result->counts.completed !=
							result->counts.planned));
	add(object, "planned_to_reaped", json_dist(&result->planned_to_completed));
	add(object, "submitted_to_reaped", json_dist(&result->submitted_to_completed));
	add(object, "planned_to_submitted", json_dist(&result->planned_to_submitted));
	return object;
}

static struct json_object *parameters(const struct model_config *config)
{
	struct json_object *object = json_object_new_object();
	struct json_object *pause = json_object_new_object(), *stall = json_object_new_object();

	add_text(object, "discipline", "FIFO");
	json_add_u64(object, "servers", 1);
	json_add_u64(object, "service_ns", config->service_ns);
	json_add_u64(pause, "extra_ns", config->pause.extra_ns);
	json_add_u64(pause, "at_request", config->pause.at_request);
	json_add_u64(pause, "every", config->pause.every);
	add(object, "pause", pause);
	json_add_u64(stall, "at_ns", config->stall_at_ns);
	json_add_u64(stall, "length_ns", config->stall_ns);
	add(object, "stall", stall);
	json_add_u64(object, "runtime_ns", config->runtime_ns);
	json_add_u64(object, "requests", config->requests);
	json_add_u64(object, "cutoff_ns", config->cutoff_ns);
	return object;
}

static struct json_object *drained(struct model_result *result)
{
	struct json_object *object = json_object_new_object();

	json_add_u64(object, "ended_ns", result->ended_ns);
	add(object, "planned_to_reaped", json_dist(&result->drained));
	return object;
}

static struct json_object *depth(const struct model_result *result)
{
	struct json_object *object = json_object_new_object();

	json_add_u64(object, "in_system_max", result->in_system_max);
	json_add_u64(object, "in_flight_max", result->in_flight_max);
	return object;
}

static struct json_object *above(const struct model_report *report, const struct dist *dist)
{
	struct json_object *object = json_object_new_object();

	json_add_u64(object, "bound_ns", report->above_ns);
	json_add_u64(object, "count", dist_above(dist, report->above_ns));
	return object;
}

static struct json_object *correction(struct model_correction *correction)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "label", "model-corrected, not measured");
	json_add_u64(object, "interval_ns", correction->interval_ns);
	json_add_u64(object, "measured", correction->measured);
	json_add_u64(object, "synthetic", correction->synthetic);
	add(object, "planned_to_reaped", json_dist(&correction->dist));
	return object;
}

static struct json_object *one_run(const struct model_report *report, const struct model_run *run)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "name", run->name);
	add(object, "parameters", parameters(run->config));
	json_add_u64(object, "window_ns", run->result->window_ns);
	add(object, "load", load(run));
	add(object, "latency", latency(run->result));
	add(object, "above", above(report, &run->result->planned_to_completed));
	add(object, "depth", depth(run->result));
	if (run->config->cutoff_ns)
		add(object, "drained", drained(run->result));
	if (run->correction)
		add(object, "corrected", correction(run->correction));
	return object;
}

struct json_object *model_json_runs(const struct model_report *report)
{
	struct json_object *array = json_object_new_array();

	for (unsigned int i = 0; i < report->run_count; i++)
		json_object_array_add(array, one_run(report, &report->runs[i]));
	return array;
}

static struct json_object *tool(void)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "version", IOSTRATA_VERSION);
	return object;
}

static struct json_object *about_run(const struct model_report *report)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "command", "model");
	json_add_u64(object, "started_realtime_ns", report->started_realtime_ns);
	add_text(object, "clock", "simulated");
	add_text(object, "quantile_method", QUANTILE_METHOD);
	return object;
}

int model_json(const struct model_report *report, FILE *out)
{
	struct json_object *root = json_object_new_object();
	const char *text;

	add_text(root, "schema", REPORT_SCHEMA);
	add(root, "tool", tool());
	add(root, "run", about_run(report));
	add(root, "models", model_json_runs(report));
	text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
						    JSON_C_TO_STRING_SPACED |
						    JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text)
		fprintf(out, "%s\n", text);
	json_object_put(root);
	return text ? 0 : -ENOMEM;
}
