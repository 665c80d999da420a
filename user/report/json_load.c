// SPDX-License-Identifier: GPL-2.0-only
// In: what the generator was asked and what it did. Out: "load" and "latency".
#include "report/json_value.h"

#include <string.h>

static void arrival(struct json_object *load, const struct load_config *config)
{
	struct json_object *object = json_add_object(load, "arrival");

	json_add_text(object, "model", load_arrival_names[config->arrival]);
	if (config->arrival == LOAD_CLOSED) {
		json_add_u64(object, "clients", config->clients);
		json_add_u64(object, "think_ns", config->think_ns);
	} else {
		json_add_number(object, "rate_target", config->rate_per_s);
		json_add_number(object, "interval_ns", 1e9 / config->rate_per_s);
	}
	json_add_u64(object, "seed", config->seed);
	if (config->runtime_ns)
		json_add_u64(object, "runtime_ns", config->runtime_ns);
	if (config->requests)
		json_add_u64(object, "requests", config->requests);
}

static void io(struct json_object *load, const struct load_config *config)
{
	struct json_object *object = json_add_object(load, "io");

	json_add_text(object, "rw", load_rw_names[config->rw]);
	json_add_u64(object, "block_bytes", config->block_bytes);
	json_add_text(object, "cache", config->buffered ? "buffered" : "direct");
	json_add_text(object, "sync", load_sync_names[config->sync]);
}

static void asked(struct json_object *load, const struct load_config *config)
{
	arrival(load, config);
	io(load, config);
	json_add_u64(load, "in_flight_cap", config->in_flight_cap);
	json_add_u64(load, "spin_ns", config->spin_ns);
	json_add_u64(load, "timeout_ns", config->timeout_ns);
}

static void counts(struct json_object *load, const struct load_counts *counts)
{
	struct json_object *object = json_add_object(load, "counts");

	json_add_u64(object, "planned", counts->planned);
	json_add_u64(object, "submitted", counts->submitted);
	json_add_u64(object, "completed", counts->completed);
	json_add_u64(object, "errors", counts->errors);
	json_add_u64(object, "timeouts", counts->timeouts);
	json_add_u64(object, "in_flight_at_cutoff", counts->in_flight_at_cutoff);
	json_add_u64(object, "unsubmitted", counts->unsubmitted);
}

/* Beside the counts that add up. */
static void beside(struct json_object *load, const struct load_config *config,
		   struct load_result *result)
{
	struct json_object *late = json_add_object(load, "late"), *warmup;

	json_add_u64(late, "completed", result->counts.late);
	json_add_u64(late, "never", result->counts.never);
	if (result->counts.late)
		json_object_object_add(late, "latency", json_dist(&result->late_latency));
	if (!config || !config->warmup_ns)
		return;
	warmup = json_add_object(load, "warmup");
	json_add_u64(warmup, "runtime_ns", config->warmup_ns);
	json_add_u64(warmup, "completed", result->counts.warmup);
}

static void errors(struct json_object *load, const struct load_error_kind *kinds)
{
	struct json_object *array = json_add_array(load, "errors");

	for (unsigned int i = 0; i < LOAD_ERROR_KINDS && kinds[i].err; i++) {
		struct json_object *object = json_object_new_object();

		json_add_text(object, "name", strerrorname_np(kinds[i].err));
		json_add_u64(object, "errno", (uint64_t)kinds[i].err);
		json_add_u64(object, "count", kinds[i].count);
		json_object_array_add(array, object);
	}
}

void json_rates(struct json_object *parent, const struct load_result *result)
{
	struct json_object *object = json_add_object(parent, "rates");

	json_add_number(object, "offered", result->rate_offered);
	json_add_number(object, "submitted", result->rate_submitted);
	json_add_number(object, "completed", result->rate_completed);
}

static void backlog(struct json_object *load, const struct load_result *result)
{
	struct json_object *object = json_add_object(load, "backlog"), *series;

	json_add_u64(object, "max", result->backlog_max);
	series = json_add_array(object, "series");
	for (unsigned int i = 0; i < result->series_count; i++) {
		struct json_object *sample = json_object_new_object();

		json_add_u64(sample, "at_ns", result->series[i].at_ns);
		json_add_u64(sample, "backlog_max", result->series[i].backlog_max);
		json_add_u64(sample, "in_flight_max", result->series[i].in_flight_max);
		json_object_array_add(series, sample);
	}
}

static void in_flight(struct json_object *load, const struct load_result *result)
{
	struct json_object *object = json_add_object(load, "in_flight");

	json_add_measured(object, "mean", result->in_flight_mean);
	json_add_u64(object, "max", result->in_flight_max);
}

static void cpu(struct json_object *load, const struct load_cpu *cpu)
{
	struct json_object *object = json_add_object(load, "cpu");

	json_add_u64(object, "wall_ns", cpu->wall_ns);
	json_add_u64(object, "user_ns", cpu->user_ns);
	json_add_u64(object, "system_ns", cpu->system_ns);
	json_add_known(object, "run_queue_wait_ns", cpu->run_queue_wait_ns);
	json_add_u64(object, "spun_ns", cpu->spun_ns);
	json_add_u64(object, "enters", cpu->enters);
}

static void verdict(struct json_object *load, const struct load_result *result)
{
	const struct load_counts *c = &result->counts;

	json_add_bool(load, "sustained", result->sustained);
	json_add_text(load, "limit", load_limit_names[result->limit]);
	if (result->limit_text[0])
		json_add_text(load, "limit_text", result->limit_text);
	json_add_bool(load, "censored",
		      c->errors || c->timeouts || c->in_flight_at_cutoff || c->unsubmitted);
}

static void done(struct json_object *load, const struct load_config *config,
		 struct load_result *result)
{
	counts(load, &result->counts);
	beside(load, config, result);
	errors(load, result->error_kinds);
	json_rates(load, result);
	json_add_u64(load, "duration_ns", result->duration_ns);
	json_add_u64(load, "bytes_completed", result->bytes_completed);
	json_add_u64(load, "target_bytes", result->target_bytes);
	verdict(load, result);
	json_object_object_add(load, "schedule_error", json_dist(&result->schedule_error));
	backlog(load, result);
	in_flight(load, result);
	cpu(load, &result->cpu);
	json_add_u64(load, "ring_flags", result->ring_flags);
}

void json_latency(struct json_object *parent, struct load_result *result)
{
	struct json_object *object = json_add_object(parent, "latency");

	json_object_object_add(object, "planned_to_reaped", json_dist(&result->planned_to_reaped));
	json_object_object_add(object, "submitted_to_reaped",
			       json_dist(&result->submitted_to_reaped));
}

void json_load(struct json_object *root, const struct report *report)
{
	struct json_object *load;

	if (!report->load_config && !report->load_result)
		return;
	load = json_add_object(root, "load");
	if (report->load_config)
		asked(load, report->load_config);
	if (!report->load_result)
		return;
	done(load, report->load_config, report->load_result);
	json_latency(root, report->load_result);
}
