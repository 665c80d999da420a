// SPDX-License-Identifier: GPL-2.0-only
// In: a command's table and argv. Out: its config filled in, or usage errors
// by argp: one line on stderr, exit status 2.
#include "base/options.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/why.h"

enum { OPTIONS_MAX = 64, LONG_ONLY = 0x100 };

struct parsing {
	const struct command_spec *spec;
	char *config;
	struct positional *rest;
	int argc;
};

static bool is_end(const struct option_spec *option)
{
	return !option->name && !option->key && option->type != OPTION_HEADING;
}

static int key_of(const struct option_spec *option, int index)
{
	return option->key ? option->key : LONG_ONLY + index;
}

static const struct option_spec *find(const struct command_spec *spec, int key)
{
	for (int i = 0; !is_end(&spec->options[i]); i++)
		if (spec->options[i].type != OPTION_HEADING && key_of(&spec->options[i], i) == key)
			return &spec->options[i];
	return NULL;
}

static const char *expected(enum option_type type)
{
	switch (type) {
	case OPTION_BYTES:
		return "a size such as 4096, 4k or 1m";
	case OPTION_DURATION:
		return "a time such as 500us, 1ms or 2s";
	case OPTION_RATE:
		return "a rate above 0 such as 100, 0.5 or 20k";
	default:
		return "a whole number";
	}
}

static int take_choice(const struct option_spec *option, const char *word, int *out)
{
	for (int i = 0; option->choices[i]; i++) {
		if (!strcmp(option->choices[i], word)) {
			*out = i;
			return 0;
		}
	}
	return -EINVAL;
}

static void refuse_choice(const struct option_spec *option, const char *word,
			  const struct argp_state *state)
{
	char list[256] = "";

	for (int i = 0; option->choices[i]; i++) {
		if (i)
			strncat(list, ", ", sizeof(list) - strlen(list) - 1);
		strncat(list, option->choices[i], sizeof(list) - strlen(list) - 1);
	}
	argp_failure(state, EXIT_USAGE, 0, "--%s %s: must be one of %s", option->name, word, list);
}

static int parse_number(const struct option_spec *option, const char *word, uint64_t *out)
{
	if (option->type == OPTION_BYTES)
		return parse_bytes(word, out);
	if (option->type == OPTION_DURATION)
		return parse_duration_ns(word, out);
	return parse_u64(word, out);
}

static void refuse_range(const struct option_spec *option, const char *word,
			 const struct argp_state *state)
{
	const char *unit = option->type == OPTION_BYTES	     ? " bytes"
			   : option->type == OPTION_DURATION ? " ns"
							     : "";

	if (option->max)
		argp_failure(state, EXIT_USAGE, 0, "--%s %s: must be %lu to %lu%s", option->name, word,
			     option->min, option->max, unit);
	else
		argp_failure(state, EXIT_USAGE, 0, "--%s %s: must be at least %lu%s", option->name,
			     word, option->min, unit);
}

static void take_number(const struct option_spec *option, const char *word, uint64_t *out,
			const struct argp_state *state)
{
	int err = parse_number(option, word, out);

	if (err == -ERANGE)
		argp_failure(state, EXIT_USAGE, 0, "--%s %s: too large", option->name, word);
	else if (err)
		argp_failure(state, EXIT_USAGE, 0, "--%s %s: not %s", option->name, word, expected(option->type));
	else if (*out < option->min || (option->max && *out > option->max))
		refuse_range(option, word, state);
}

static void take_rate(const struct option_spec *option, const char *word, double *out,
		      const struct argp_state *state)
{
	if (parse_rate(word, out) || !(*out > 0))
		argp_failure(state, EXIT_USAGE, 0, "--%s %s: not %s", option->name, word, expected(OPTION_RATE));
}

static void take(const struct option_spec *option, char *word, char *config,
		 const struct argp_state *state)
{
	void *out = config + option->offset;

	switch (option->type) {
	case OPTION_FLAG:
		*(bool *)out = true;
		break;
	case OPTION_STRING:
		*(const char **)out = word;
		break;
	case OPTION_CHOICE:
		if (take_choice(option, word, out))
			refuse_choice(option, word, state);
		break;
	case OPTION_RATE:
		take_rate(option, word, out, state);
		break;
	default:
		take_number(option, word, out, state);
	}
}

static void take_rest(struct parsing *parsing, struct argp_state *state)
{
	const struct command_spec *spec = parsing->spec;

	/* The word that brought us here is already consumed. */
	int first = state->next - 1;

	parsing->rest->words = state->argv + first;
	parsing->rest->count = parsing->argc - first;
	state->next = parsing->argc;
	if (spec->args_max >= 0 && parsing->rest->count > spec->args_max)
		argp_failure(state, EXIT_USAGE, 0, "too many arguments, from '%s' on", parsing->rest->words[spec->args_max]);
}

static error_t on_key(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	const struct option_spec *option = find(parsing->spec, key);

	if (option) {
		take(option, arg, parsing->config, state);
		return 0;
	}
	switch (key) {
	case ARGP_KEY_ARG:
		take_rest(parsing, state);
		return 0;
	case ARGP_KEY_END:
		if (parsing->rest->count < parsing->spec->args_min)
			argp_failure(state, EXIT_USAGE, 0, "missing %s", parsing->spec->args);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void fill(const struct command_spec *spec, struct argp_option *out)
{
	for (int i = 0; !is_end(&spec->options[i]) && i < OPTIONS_MAX; i++) {
		const struct option_spec *option = &spec->options[i];

		if (option->type == OPTION_HEADING) {
			out[i] = (struct argp_option){ .doc = option->help };
			continue;
		}
		out[i] = (struct argp_option){ .name = option->name,
					       .key = key_of(option, i),
					       .arg = option->arg,
					       .doc = option->help };
	}
}

/* argp wants the whole "description\vexamples" in one string; it prints the
 * part behind \v after the options.
 */
static char *documentation(const struct command_spec *spec)
{
	char *text = NULL;

	if (asprintf(&text, "%s\v%s", spec->summary, spec->description) < 0)
		return NULL;
	return text;
}

void options_parse(const struct command_spec *spec, int argc, char **argv, void *config,
		   struct positional *rest)
{
	struct argp_option options[OPTIONS_MAX + 1] = { 0 };
	char name[64], *first = argv[0], *text = documentation(spec);
	struct parsing parsing = { spec, config, rest, argc };
	struct argp argp = { .options = options, .parser = on_key, .args_doc = spec->args,
			     .doc = text };

	*rest = (struct positional){ 0 };
	fill(spec, options);
	snprintf(name, sizeof(name), "iostrata %s", spec->name);
	argv[0] = name;
	argp_err_exit_status = EXIT_USAGE;
	/* What follows `--` belongs to another program; else options may also
	 * come after the arguments.
	 */
	argp_parse(&argp, argc, argv, strstr(spec->args, "--") ? ARGP_IN_ORDER : 0, NULL, &parsing);
	argv[0] = first;
	free(text);
}
