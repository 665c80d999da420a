// SPDX-License-Identifier: GPL-2.0-only
// In: a report. Out: "tool" and "run": what measured what, where, when, by
// which clock, between which boundaries, with which quantiles.
#include "report/json_value.h"

#include <string.h>

void json_tool(struct json_object *root, const struct report_tool *tool)
{
	struct json_object *object = json_add_object(root, "tool");

	json_add_text(object, "version", tool->version);
	if (tool->libbpf)
		json_add_text(object, "libbpf", tool->libbpf);
	json_add_text(object, "kernel", tool->kernel);
	json_add_text(object, "arch", tool->arch);
	if (!tool->trace_programs && !tool->run_programs)
		return;
	object = json_add_object(object, "programs");
	if (tool->trace_programs)
		json_add_text(object, "trace", tool->trace_programs);
	if (tool->run_programs)
		json_add_text(object, "run", tool->run_programs);
}

void json_device_state(struct json_object *parent, const char *key,
		       const struct device_state *state)
{
	struct json_object *object = json_add_object(parent, key);
	char dev[24];

	snprintf(dev, sizeof(dev), "%u:%u", state->major, state->minor);
	json_add_text(object, "name", state->name);
	json_add_text(object, "dev", dev);
	json_add_text(object, "model", state->model);
	json_add_text(object, "firmware", state->firmware);
	json_add_text(object, "scheduler", state->scheduler);
	json_add_text(object, "write_cache", state->write_cache);
	json_add_text(object, "backing", state->backing);
	json_add_known(object, "nr_requests", state->nr_requests);
	json_add_known(object, "hw_queues", state->hw_queues);
	json_add_known(object, "size_bytes", state->size_bytes);
	json_add_known(object, "logical_block", state->logical_block);
	json_add_known(object, "max_sectors_kb", state->max_sectors_kb);
	json_add_known(object, "iostats", state->iostats);
	json_add_known(object, "rotational", state->rotational);
	json_add_known(object, "wbt_lat_usec", state->wbt_lat_usec);
}

static void span(struct json_object *boundaries, const char *key, const struct report_span *span)
{
	struct json_object *pair;

	if (!span->from || !span->to)
		return;
	pair = json_add_array(boundaries, key);
	json_object_array_add(pair, json_text(span->from));
	json_object_array_add(pair, json_text(span->to));
}

/* Which two boundaries lie behind each latency in this document. */
static void boundaries(struct json_object *run, const struct report *report)
{
	static const struct report_span planned = { "planned", "reaped" };
	static const struct report_span submitted = { "submitted", "reaped" };
	struct json_object *object = json_add_object(run, "boundaries");

	if (report->load_result) {
		span(object, "planned_to_reaped", &planned);
		span(object, "submitted_to_reaped", &submitted);
	}
	span(object, "queue", &report->queue);
	span(object, "service", &report->service);
}

/* Each DIST says for itself whether it is exact; this says what that means. */
static const char *quantile_method(const struct report *report)
{
	if (!report->load_result)
		return "nearest rank on histograms: upper bound of the bucket, error <= rel_error";
	return "nearest rank on exact samples; on histograms (exact: false) upper bound of the "
	       "bucket, error <= rel_error";
}

static void hooks(struct json_object *run, const struct report *report)
{
	struct json_object *object;

	if (!report->hook_count)
		return;
	object = json_add_object(run, "hooks");
	for (unsigned int i = 0; i < report->hook_count; i++)
		json_add_text(object, report->hooks[i].function, report->hooks[i].way);
}

void json_run(struct json_object *root, const struct report *report)
{
	struct json_object *run;
	bool interrupted = report->interrupted ||
			   (report->load_result && report->load_result->interrupted);

	json_tool(root, &report->tool);
	run = json_add_object(root, "run");
	json_add_text(run, "command", report->command);
	if (report->command_line[0])
		json_add_text(run, "command_line", report->command_line);
	if (report->target && *report->target)
		json_add_text(run, "target", report->target);
	if (report->window)
		json_add_u64(run, "window", report->window);
	json_add_u64(run, "started_realtime_ns", report->started_realtime_ns);
	json_add_u64(run, "duration_ns", report->duration_ns);
	json_add_bool(run, "interrupted", interrupted);
	json_add_text(run, "clock", "CLOCK_MONOTONIC");
	json_add_text(run, "quantile_method", quantile_method(report));
	boundaries(run, report);
	if (report->device_state)
		json_device_state(run, "device_state", report->device_state);
	hooks(run, report);
}
