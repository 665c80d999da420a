// SPDX-License-Identifier: GPL-2.0-only
// In: a report. Out: one JSON document by the contract in docs/json.md; what
// does not apply is left out, what is unknown is null.
#include "report/json_value.h"

#include <errno.h>

const char *const report_format_names[] = { "text", "json", NULL };

static void counts(struct json_object *parent, const struct report_count *counts,
		   unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		json_add_u64(parent, counts[i].name, counts[i].count);
}

static void littles_law(struct json_object *checks, const struct report_littles_law *law)
{
	struct json_object *object = json_add_object(checks, "littles_law");
	double product = law->completed_per_s * (double)law->latency_mean_ns / 1e9;

	json_add_number(object, "in_flight_mean", law->in_flight_mean);
	json_add_number(object, "completed_per_s", law->completed_per_s);
	json_add_u64(object, "latency_mean_ns", law->latency_mean_ns);
	json_add_number(object, "ratio", law->in_flight_mean / product); /* 0/0: null */
}

void json_checks(struct json_object *root, const struct report *report)
{
	struct json_object *object;

	if (report->check_count || report->littles_law) {
		object = json_add_object(root, "checks");
		counts(object, report->checks, report->check_count);
		if (report->littles_law)
			littles_law(object, report->littles_law);
	}
	if (report->loss_count) {
		object = json_add_object(root, "losses");
		counts(object, report->losses, report->loss_count);
	}
}

static void programs(struct json_object *parent, const struct report_overhead *overhead)
{
	struct json_object *array = json_add_array(parent, "programs");

	for (unsigned int i = 0; i < overhead->program_count; i++) {
		struct json_object *object = json_object_new_object();

		json_add_text(object, "name", overhead->programs[i].name);
		json_add_u64(object, "runs", overhead->programs[i].runs);
		json_add_u64(object, "ns", overhead->programs[i].ns);
		json_object_array_add(array, object);
	}
}

void json_overhead(struct json_object *root, const struct report *report)
{
	const struct report_overhead *overhead = report->overhead;
	struct json_object *object, *without;

	if (!overhead && !report->without_tracer)
		return;
	object = json_add_object(root, "overhead");
	if (overhead) {
		json_add_measured(object, "ns_per_io", overhead->ns_per_io);
		json_add_u64(object, "ios", overhead->ios);
		json_add_measured(object, "cpu_share", overhead->cpu_share);
		programs(object, overhead);
	}
	if (report->without_tracer) {
		without = json_add_object(object, "without_tracer");
		json_rates(without, report->without_tracer);
		json_latency(without, report->without_tracer);
	}
}

static void verdict(struct json_object *root, const struct report *report)
{
	struct json_object *object;

	if (!report->verdict_text[0])
		return;
	object = json_add_object(root, "verdict");
	if (report->verdict_layer[0])
		json_add_text(object, "layer", report->verdict_layer);
	json_add_text(object, "text", report->verdict_text);
}

static void notes(struct json_object *root, const struct report *report)
{
	struct json_object *array;

	if (!report->note_count)
		return;
	array = json_add_array(root, "notes");
	for (unsigned int i = 0; i < report->note_count; i++)
		json_object_array_add(array, json_text(report->notes[i]));
}

static int write_document(const struct report *report, int flags, FILE *out)
{
	struct json_object *root = json_object_new_object();
	const char *text;

	if (!root)
		return -ENOMEM;
	json_add_text(root, "schema", REPORT_SCHEMA);
	verdict(root, report);
	json_run(root, report);
	json_load(root, report);
	json_layers(root, report);
	json_devices(root, report);
	json_checks(root, report);
	json_overhead(root, report);
	notes(root, report);
	text = json_object_to_json_string_ext(root, flags | JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text) {
		fputs(text, out);
		fputc('\n', out);
	}
	json_object_put(root);
	return text ? 0 : -ENOMEM;
}

int report_json(const struct report *report, FILE *out)
{
	return write_document(report, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED, out);
}

int report_json_line(const struct report *report, FILE *out)
{
	return write_document(report, JSON_C_TO_STRING_PLAIN, out);
}
