// SPDX-License-Identifier: GPL-2.0-only
// In: struct check. Out: text to be read: the verdict, the boundaries, then
// everything it rests on.
//
// trace, load, run, target: all that they need is here
// boundary `bio` is missing: `throttle` folds into `fs` (fs+throttle)
//
// boundary      alias  hook                            available
// queued        Q      tp_btf block_bio_queue          yes
// bio           -      -                               no
//                 why: fentry refused at load: EPERM (1, Operation not permitted)
//                 do:  …
#include <inttypes.h>
#include <string.h>

#include "probe/check.h"
#include "probe/errno_words.h"

struct paint {
	const char *good, *bad, *bold, *off;
};

static const struct paint plain = { "", "", "", "" };
static const struct paint coloured = { "\033[32m", "\033[31m", "\033[1m", "\033[0m" };

static const char *dash(const char *text)
{
	return text && text[0] ? text : "-";
}

static void list_possible(const struct check *check, const struct paint *paint, FILE *out)
{
	const char *between = "";

	for (int i = 0; i < NEED_COMMANDS; i++) {
		if (!check->verdicts[i].possible)
			continue;
		fprintf(out, "%s%s%s%s", between, paint->good, need_command_name((enum need_command)i), paint->off);
		between = ", ";
	}
	if (between[0])
		fputs(": all that is needed is here\n", out);
}

static void list_impossible(const struct check *check, const struct paint *paint, FILE *out)
{
	for (int i = 0; i < NEED_COMMANDS; i++) {
		const struct need_verdict *verdict = &check->verdicts[i];

		if (verdict->possible)
			continue;
		fprintf(out, "%s%s%s: can't work here (%s): ", paint->bad, need_command_name((enum need_command)i),
			paint->off, verdict->status == EXIT_PRIVILEGE ? "privilege" : "kernel");
		for (unsigned int j = 0; j < verdict->lack_count; j++)
			fprintf(out, "%s%s", j ? ", " : "", verdict->lacks[j].what);
		fprintf(out, "\n    why: %s: %s\n    do:  %s\n", verdict->lacks[0].what,
			verdict->lacks[0].why, dash(verdict->lacks[0].remedy));
	}
}

static void list_programs(const struct check *check, FILE *out)
{
	for (int i = 0; i < NEED_COMMANDS; i++) {
		const struct need_verdict *verdict = &check->verdicts[i];

		if (!verdict->possible || !verdict->programs)
			continue;
		fprintf(out, "%s uses %s programs", need_command_name((enum need_command)i),
			need_programs_name(verdict->programs));
		if (verdict->not_typed.what[0])
			fprintf(out, ", not typed ones: %s: %s", verdict->not_typed.what,
				verdict->not_typed.why);
		fputc('\n', out);
	}
}

static bool is_nvme(enum iostrata_boundary boundary)
{
	return boundary == IOSTRATA_PREPARED || boundary == IOSTRATA_ANSWERED ||
	       boundary == IOSTRATA_DRIVER_DONE;
}

/* What is lost although the commands work. */
static void list_folds(const struct check *check, FILE *out)
{
	bool skipped = false;

	if (!check->verdicts[NEED_TRACE].possible)
		return;
	for (int i = 0; i < IOSTRATA_BOUNDARY_COUNT; i++) {
		const struct boundary_state *state = &check->boundaries[i];

		if (state->available)
			continue;
		if (is_nvme((enum iostrata_boundary)i) && !check->has_nvme)
			skipped = true;
		else
			fprintf(out, "boundary `%s` is missing: %s\n", state->name, state->fold);
	}
	if (skipped && check->has_nvme_driver)
		fputs("the boundaries of NVMe are missing, and no NVMe device is here to need them\n", out);
	else if (skipped)
		fputs("the NVMe driver is not here: its boundaries come with it, when it is loaded\n", out);
}

/* One cause often stands behind many boundaries: it is told once, at the first
 * (which may be this one).
 */
static const struct boundary_state *first_told(const struct check *check, int index)
{
	int first = 0;

	while (check->boundaries[first].available ||
	       strcmp(check->boundaries[first].why, check->boundaries[index].why))
		first++;
	return &check->boundaries[first];
}

static void why_missing(const struct check *check, int index, FILE *out)
{
	const struct boundary_state *state = &check->boundaries[index];
	const struct boundary_state *told = first_told(check, index);

	fprintf(out, "    why: %s%s\n", told == state ? "" : "as for ",
		told == state ? state->why : told->name);
	if (is_nvme((enum iostrata_boundary)index) && !check->has_nvme)
		return;
	fprintf(out, "    so:  %s\n", state->fold);
	if (told == state)
		fprintf(out, "    do:  %s\n", dash(state->remedy));
}

static void table_of_boundaries(const struct check *check, const struct paint *paint, FILE *out)
{
	fprintf(out, "\n%s%-13s %-6s %-37s %s%s\n", paint->bold, "boundary", "alias", "hook",
		"available", paint->off);
	for (int i = 0; i < IOSTRATA_BOUNDARY_COUNT; i++) {
		const struct boundary_state *state = &check->boundaries[i];

		fprintf(out, "%-13s %-6s %-37s %s%s%s\n", state->name, dash(state->alias),
			dash(state->hook), state->available ? paint->good : paint->bad,
			state->available ? "yes" : "no", paint->off);
		if (!state->available)
			why_missing(check, i, out);
	}
}

static void hook_cell(const struct watched *place, int way, char *cell, size_t size)
{
	const struct hook_outcome *outcome = &place->outcome[way];
	const char *name = hook_kind_name(place->kind[way]);

	if (!outcome->err)
		snprintf(cell, size, "%s yes", name);
	else
		snprintf(cell, size, "%s no: %s %s", name, hook_step_name(outcome->step),
			 errno_name(outcome->err));
}

static void table_of_hooks(const struct check *check, const struct paint *paint, FILE *out)
{
	char first[48], twin[48];

	fprintf(out, "\n%s%-26s %-25s %-25s %-5s %s%s\n", paint->bold, "hook, tried by attaching",
		"first choice", "twin", "args", "serves", paint->off);
	for (int i = 0; i < WATCHED_COUNT; i++) {
		const struct watched *place = &check->findings.places[i];
		char args[16] = "-";

		hook_cell(place, 0, first, sizeof(first));
		hook_cell(place, 1, twin, sizeof(twin));
		if (place->outcome[0].args >= 0)
			snprintf(args, sizeof(args), "%d", place->outcome[0].args);
		fprintf(out, "%-26s %-25s %-25s %-5s %s\n", place->name, first, twin, args,
			place->serves);
	}
}

static void table_of_features(const struct check *check, const struct paint *paint, FILE *out)
{
	fprintf(out, "\n%s%-26s %-9s %s%s\n", paint->bold, "BPF feature", "available", "for",
		paint->off);
	for (int i = 0; i < BPF_FEATURE_COUNT; i++) {
		int err = check->findings.features[i];

		fprintf(out, "%-26s %-9s %s\n", bpf_feature_name((enum bpf_feature)i),
			err ? "no" : "yes", bpf_feature_purpose((enum bpf_feature)i));
		if (err)
			fprintf(out, "    why: %s\n", errno_words(err).text);
	}
}

static void table_of_types(const struct check *check, const struct paint *paint, FILE *out)
{
	fprintf(out, "\n%s%-34s %s%s\n", paint->bold, "kernel type", "present", paint->off);
	for (int i = 0; i < TYPE_FACTS; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s.%s", check->types[i].structure,
			 check->types[i].field);
		fprintf(out, "%-34s %s\n", name, check->types[i].present ? "yes" : "no");
	}
}

static void fact_value(const struct fact *fact, char *value, size_t size)
{
	switch (fact->type) {
	case FACT_NUMBER:
		snprintf(value, size, "%" PRId64, fact->number);
		break;
	case FACT_FLAG:
		snprintf(value, size, "%s", fact->number ? "yes" : "no");
		break;
	case FACT_UNKNOWN:
		snprintf(value, size, "unknown: %s", fact->text);
		break;
	default:
		snprintf(value, size, "%s", fact->text);
	}
}

static void list_facts(const struct facts *facts, const struct paint *paint, FILE *out)
{
	const char *group = "";
	char value[256];

	for (unsigned int i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->fact[i];

		if (strcmp(group, fact->group))
			fprintf(out, "\n%s%s%s\n", paint->bold, fact->group, paint->off);
		group = fact->group;
		fact_value(fact, value, sizeof(value));
		fprintf(out, "  %-25s %s%s%s%s\n", fact->key, value, fact->remark[0] ? "  (" : "",
			fact->remark, fact->remark[0] ? ")" : "");
	}
}

void check_text(const struct check *check, bool colour, FILE *out)
{
	const struct paint *paint = colour ? &coloured : &plain;

	list_possible(check, paint, out);
	list_impossible(check, paint, out);
	list_programs(check, out);
	list_folds(check, out);
	table_of_boundaries(check, paint, out);
	table_of_hooks(check, paint, out);
	table_of_features(check, paint, out);
	table_of_types(check, paint, out);
	list_facts(&check->facts, paint, out);
}
