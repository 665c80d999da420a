// SPDX-License-Identifier: GPL-2.0-only
// In: a command's table and argv. Out: its config filled in, or one line on
// stderr and exit status 2.
#include "base/options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parse.h"
#include "base/why.h"

enum { OPTIONS_MAX = 64, LONG_ONLY = 0x100, KEY_HELP = 0x1000, KEY_MAN };

bool options_end(const struct option_spec *option)
{
	return !option->name && !option->key && option->type != OPTION_HEADING;
}

static int key_of(const struct option_spec *option, int index)
{
	return option->key ? option->key : LONG_ONLY + index;
}

static const struct option_spec *find(const struct command_spec *spec, int key)
{
	for (int i = 0; !options_end(&spec->options[i]); i++)
		if (spec->options[i].type != OPTION_HEADING && key_of(&spec->options[i], i) == key)
			return &spec->options[i];
	return NULL;
}

static void refuse(const struct command_spec *spec, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

static void refuse(const struct command_spec *spec, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "iostrata %s: ", spec->name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(EXIT_USAGE);
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
			  const struct command_spec *spec)
{
	char list[256] = "";

	for (int i = 0; option->choices[i]; i++) {
		if (i)
			strncat(list, ", ", sizeof(list) - strlen(list) - 1);
		strncat(list, option->choices[i], sizeof(list) - strlen(list) - 1);
	}
	refuse(spec, "--%s %s: must be one of %s", option->name, word, list);
}

static int parse_number(const struct option_spec *option, const char *word, uint64_t *out)
{
	if (option->type == OPTION_BYTES)
		return parse_bytes(word, out);
	if (option->type == OPTION_DURATION)
		return parse_duration_ns(word, out);
	return parse_u64(word, out);
}

/* A bound as it would be typed: "10ms", "86400s", "4096". */
static void bound(const struct option_spec *option, uint64_t value, char out[32])
{
	static const struct {
		uint64_t ns;
		const char *unit;
	} units[] = { { NS_PER_S, "s" }, { NS_PER_MS, "ms" }, { 1000, "us" }, { 1, "ns" } };
	unsigned int i = 0;

	if (option->type != OPTION_DURATION || !value) {
		snprintf(out, 32, "%" PRIu64 "%s", value, option->type == OPTION_BYTES ? " bytes" : "");
		return;
	}
	while (value % units[i].ns)
		i++;
	snprintf(out, 32, "%" PRIu64 "%s", value / units[i].ns, units[i].unit);
}

static void refuse_range(const struct option_spec *option, const char *word,
			 const struct command_spec *spec)
{
	char min[32], max[32];

	bound(option, option->min, min);
	bound(option, option->max, max);
	if (option->max)
		refuse(spec, "--%s %s: must be %s to %s", option->name, word, min, max);
	refuse(spec, "--%s %s: must be at least %s", option->name, word, min);
}

static void take_number(const struct option_spec *option, const char *word, uint64_t *out,
			const struct command_spec *spec)
{
	int err = parse_number(option, word, out);

	if (err == -ERANGE)
		refuse(spec, "--%s %s: too large", option->name, word);
	else if (err)
		refuse(spec, "--%s %s: not %s", option->name, word, expected(option->type));
	else if (*out < option->min || (option->max && *out > option->max))
		refuse_range(option, word, spec);
}

static void take_rate(const struct option_spec *option, const char *word, double *out,
		      const struct command_spec *spec)
{
	if (parse_rate(word, out) || !(*out > 0))
		refuse(spec, "--%s %s: not %s", option->name, word, expected(OPTION_RATE));
}

static void take(const struct option_spec *option, char *word, char *config,
		 const struct command_spec *spec)
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
			refuse_choice(option, word, spec);
		break;
	case OPTION_RATE:
		take_rate(option, word, out, spec);
		break;
	default:
		take_number(option, word, out, spec);
	}
}

static void take_rest(const struct command_spec *spec, int argc, char **argv,
		      struct positional *rest)
{
	rest->words = argv + optind;
	rest->count = argc - optind;
	if (rest->count < spec->args_min)
		refuse(spec, "missing %s; `iostrata %s --help` shows examples", spec->args, spec->name);
	if (spec->args_max >= 0 && rest->count > spec->args_max)
		refuse(spec, "too many arguments, from '%s' on", rest->words[spec->args_max]);
}

/* The table as getopt_long wants it, and its short letters. What follows `--`
 * belongs to another program ('+': stop at the first argument); else options
 * may also come after the arguments.
 */
static void fill(const struct command_spec *spec, struct option *out, char *letters)
{
	if (strstr(spec->args, "--"))
		*letters++ = '+';
	*letters++ = ':'; /* tell a missing argument from an unknown option */
	for (int i = 0; !options_end(&spec->options[i]) && i < OPTIONS_MAX; i++) {
		const struct option_spec *option = &spec->options[i];

		if (option->type == OPTION_HEADING)
			continue;
		*out++ = (struct option){ option->name, option->arg != NULL, NULL, key_of(option, i) };
		if (option->key)
			*letters++ = (char)option->key;
		if (option->key && option->arg)
			*letters++ = ':';
	}
	*out++ = (struct option){ "help", 0, NULL, KEY_HELP };
	*out++ = (struct option){ "man", 0, NULL, KEY_MAN };
	*out = (struct option){ 0 };
	memcpy(letters, "h", sizeof("h"));
}

static bool is_ambiguous(const struct command_spec *spec, const char *word)
{
	size_t length = strcspn(word + strlen("--"), "=");
	int like = 0;

	for (int i = 0; !options_end(&spec->options[i]); i++)
		like += spec->options[i].name &&
			!strncmp(spec->options[i].name, word + strlen("--"), length);
	return like > 1;
}

/* getopt_long said '?': why? */
static void refuse_option(const struct command_spec *spec, const char *word)
{
	const struct option_spec *option = find(spec, optopt);

	if (option)
		refuse(spec, "--%s takes no argument", option->name);
	if (optopt && optopt < LONG_ONLY)
		refuse(spec, "no option '-%c'; `iostrata %s --help` lists them", optopt, spec->name);
	if (!optopt && is_ambiguous(spec, word))
		refuse(spec, "%s: several options begin like that; write it in full", word);
	refuse(spec, "no option '%s'; `iostrata %s --help` lists them", word, spec->name);
}

static void show(const struct command_spec *spec,
		 void (*view)(const struct command_spec *spec, FILE *out))
{
	view(spec, stdout);
	if (!fflush(stdout))
		exit(EXIT_DONE);
	fprintf(stderr, "iostrata: standard output: %s\n", why_text(errno));
	exit(EXIT_FAILED);
}

static void on_key(const struct command_spec *spec, int key, char **argv, char *config)
{
	const struct option_spec *option;

	switch (key) {
	case 'h':
	case KEY_HELP:
		show(spec, options_help);
		break;
	case KEY_MAN:
		show(spec, options_man);
		break;
	case ':':
		option = find(spec, optopt);
		refuse(spec, "--%s needs an argument: %s", option->name, option->arg);
		break;
	case '?':
		refuse_option(spec, argv[optind - 1]);
		break;
	default:
		take(find(spec, key), optarg, config, spec);
	}
}

void options_parse(const struct command_spec *spec, int argc, char **argv, void *config,
		   struct positional *rest)
{
	struct option options[OPTIONS_MAX + 3];
	char letters[2 * OPTIONS_MAX + 4];
	int key;

	fill(spec, options, letters);
	opterr = optind = 0; /* 0: from the start */
	while ((key = getopt_long(argc, argv, letters, options, NULL)) != -1)
		on_key(spec, key, argv, config);
	take_rest(spec, argc, argv, rest);
}
