// SPDX-License-Identifier: GPL-2.0-only
// In: struct check. Out: one JSON document of the report schema.
#include "report/check_json.h"

#include <errno.h>
#include <json-c/json.h>

#include "probe/errno_words.h"
#include "report/json_value.h"

static void add_number(struct json_object *object, const char *key, int64_t number)
{
	json_object_object_add(object, key, json_object_new_int64(number));
}

/* {"available": …} and, when not, the error by number and name. */
static void add_result(struct json_object *object, int err)
{
	json_add_bool(object, "available", !err);
	if (!err)
		return;
	add_number(object, "errno", -err);
	json_add_text(object, "error", errno_words(err).text);
}

static struct json_object *run(const struct check *check, const char *command_line)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "command", "check");
	json_add_text(object, "command_line", command_line);
	json_object_object_add(object, "started_realtime_ns",
			       json_object_new_uint64(check->started_realtime_ns));
	json_object_object_add(object, "duration_ns", json_object_new_uint64(check->duration_ns));
	json_add_text(object, "clock", "CLOCK_MONOTONIC");
	return object;
}

static struct json_object *lack(const struct lack *lack)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "what", lack->what);
	json_add_text(object, "why", lack->why);
	json_add_text(object, "remedy", lack->remedy);
	add_number(object, "status", lack->status);
	return object;
}

static void programs(struct json_object *object, const struct need_verdict *verdict)
{
	struct json_object *why = NULL;

	json_add_text(object, "programs", need_programs_name(verdict->programs));
	if (verdict->not_typed.what[0]) {
		why = json_object_new_object();
		json_add_text(why, "what", verdict->not_typed.what);
		json_add_text(why, "why", verdict->not_typed.why);
	}
	json_object_object_add(object, "not_typed", why);
}

static struct json_object *commands(const struct check *check)
{
	struct json_object *all = json_object_new_object();

	for (int i = 0; i < NEED_COMMANDS; i++) {
		const struct need_verdict *verdict = &check->verdicts[i];
		struct json_object *one = json_object_new_object(), *lacks = json_object_new_array();

		json_add_bool(one, "possible", verdict->possible);
		add_number(one, "status", verdict->status);
		for (unsigned int j = 0; j < verdict->lack_count; j++)
			json_object_array_add(lacks, lack(&verdict->lacks[j]));
		json_object_object_add(one, "missing", lacks);
		if (i == NEED_TRACE || i == NEED_RUN)
			programs(one, verdict);
		json_object_object_add(all, need_command_name((enum need_command)i), one);
	}
	return all;
}

static struct json_object *boundaries(const struct check *check)
{
	struct json_object *all = json_object_new_array();

	for (int i = 0; i < IOSTRATA_BOUNDARY_COUNT; i++) {
		const struct boundary_state *state = &check->boundaries[i];
		struct json_object *one = json_object_new_object();

		json_add_text(one, "boundary", state->name);
		json_add_text(one, "alias", state->alias);
		json_add_text(one, "stamped_by", state->stamped_by);
		json_add_bool(one, "available", state->available);
		json_add_text(one, "hook", state->hook);
		if (!state->available) {
			json_add_text(one, "why", state->why);
			json_add_text(one, "consequence", state->fold);
			json_add_text(one, "remedy", state->remedy);
		}
		json_object_array_add(all, one);
	}
	return all;
}

static struct json_object *way(enum hook_kind kind, const struct hook_outcome *outcome)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "kind", hook_kind_name(kind));
	add_result(object, outcome->err);
	json_add_text(object, "step", hook_step_name(outcome->step));
	if (outcome->log[0])
		json_add_text(object, "verifier", outcome->log);
	return object;
}

static struct json_object *hooks(const struct check *check)
{
	struct json_object *all = json_object_new_array();

	for (int i = 0; i < WATCHED_COUNT; i++) {
		const struct watched *place = &check->findings.places[i];
		struct json_object *one = json_object_new_object(), *ways = json_object_new_array();

		json_add_text(one, "name", place->name);
		json_add_text(one, "serves", place->serves);
		json_add_bool(one, "available", watched_way(place) >= 0);
		if (place->outcome[0].args >= 0)
			add_number(one, "arguments", place->outcome[0].args);
		for (int j = 0; j < WAYS; j++)
			json_object_array_add(ways, way(place->kind[j], &place->outcome[j]));
		json_object_object_add(one, "ways", ways);
		json_object_array_add(all, one);
	}
	return all;
}

static struct json_object *features(const struct check *check)
{
	struct json_object *all = json_object_new_array();

	for (int i = 0; i < BPF_FEATURE_COUNT; i++) {
		struct json_object *one = json_object_new_object();

		json_add_text(one, "feature", bpf_feature_name((enum bpf_feature)i));
		json_add_text(one, "purpose", bpf_feature_purpose((enum bpf_feature)i));
		add_result(one, check->findings.features[i]);
		json_object_array_add(all, one);
	}
	return all;
}

static struct json_object *types(const struct check *check)
{
	struct json_object *all = json_object_new_array();

	for (int i = 0; i < TYPE_FACTS; i++) {
		struct json_object *one = json_object_new_object();

		json_add_text(one, "struct", check->types[i].structure);
		json_add_text(one, "field", check->types[i].field);
		json_add_bool(one, "present", check->types[i].present);
		json_object_array_add(all, one);
	}
	return all;
}

static void add_value(struct json_object *object, const struct fact *fact)
{
	if (fact->type == FACT_TEXT)
		json_add_text(object, "value", fact->text);
	else if (fact->type == FACT_NUMBER)
		add_number(object, "value", fact->number);
	else if (fact->type == FACT_FLAG)
		json_add_bool(object, "value", fact->number);
	else
		json_add_text(object, "value", NULL);
	if (fact->type == FACT_UNKNOWN)
		json_add_text(object, "error", fact->text);
	if (fact->remark[0])
		json_add_text(object, "remark", fact->remark);
}

static struct json_object *facts(const struct facts *facts)
{
	struct json_object *all = json_object_new_object(), *group, *one;

	for (unsigned int i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->fact[i];

		if (!json_object_object_get_ex(all, fact->group, &group)) {
			group = json_object_new_object();
			json_object_object_add(all, fact->group, group);
		}
		one = json_object_new_object();
		add_value(one, fact);
		json_object_object_add(group, fact->key, one);
	}
	return all;
}

static struct json_object *found(const struct check *check)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "commands", commands(check));
	json_object_object_add(object, "boundaries", boundaries(check));
	json_object_object_add(object, "hooks", hooks(check));
	json_object_object_add(object, "features", features(check));
	json_object_object_add(object, "types", types(check));
	json_object_object_add(object, "facts", facts(&check->facts));
	return object;
}

int check_json(const struct check *check, const struct report_tool *tool, const char *command_line,
	       FILE *out)
{
	struct json_object *document = json_object_new_object();
	const char *text;

	if (!document)
		return -ENOMEM;
	json_add_text(document, "schema", REPORT_SCHEMA);
	json_tool(document, tool);
	json_object_object_add(document, "run", run(check, command_line));
	json_object_object_add(document, "check", found(check));
	text = json_object_to_json_string_ext(document, JSON_C_TO_STRING_PRETTY |
								JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text)
		fprintf(out, "%s\n", text);
	json_object_put(document);
	return text ? 0 : -ENOMEM;
}
