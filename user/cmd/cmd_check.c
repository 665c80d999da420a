// SPDX-License-Identifier: GPL-2.0-only
// In: options. Out: what this kernel and these privileges allow, or with
// --require the one answer as an exit status.
#include <bpf/libbpf.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/why.h"
#include "cmd/commands.h"
#include "probe/check.h"

enum { FORMAT_TEXT, FORMAT_JSON };

static const char *const formats[] = { "text", "json", NULL };
/* The words of enum need_command. */
static const char *const requirable[] = { "trace", "run", "load", "target", NULL };

struct config {
	int format;
	int require; /* enum need_command; -1: nothing is asked for */
	const char *output;
};

static const struct option_spec options[] = {
	{ "format", 'f', OPTION_CHOICE, "FORMAT", "text or json (default text)",
	  offsetof(struct config, format), formats, 0, 0 },
	{ "output", 'o', OPTION_STRING, "FILE", "write to FILE instead of standard output",
	  offsetof(struct config, output), NULL, 0, 0 },
	{ "require", 0, OPTION_CHOICE, "COMMAND",
	  "print nothing and exit 0 if COMMAND (trace, run, load or target) can work here; else name "
	  "what is missing and exit 3 (privilege) or 4 (kernel)",
	  offsetof(struct config, require), requirable, 0, 0 },
	{ 0 },
};

static void join(int argc, char **argv, char *out, size_t size)
{
	size_t used = (size_t)snprintf(out, size, "iostrata");

	for (int i = 0; i < argc && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, " %s", argv[i]);
}

static int answer(const struct need_verdict *verdict, const char *command, struct why *why)
{
	const struct lack *lack = &verdict->lacks[0];

	if (verdict->possible)
		return 0;
	return why_set(why, -EOPNOTSUPP, verdict->status, "%s can't work here: %s: %s; %s", command,
		       lack->what, lack->why, lack->remedy ? lack->remedy : "see iostrata check");
}

static bool wants_colour(FILE *out)
{
	const char *refused = getenv("NO_COLOR");

	return isatty(fileno(out)) && !(refused && refused[0]);
}

static int view(const struct check *check, const struct config *config, const char *command_line,
		FILE *out)
{
	if (config->format == FORMAT_JSON)
		return check_json(check, command_line, out);
	check_text(check, wants_colour(out), out);
	return 0;
}

static int write_failed(const char *name, int err, struct why *why)
{
	return why_set(why, err, EXIT_FAILED, "%s: %s; choose another file with -o", name,
		       why_text(err));
}

static int deliver(const struct check *check, const struct config *config,
		   const char *command_line, struct why *why)
{
	const char *name = config->output ? config->output : "standard output";
	FILE *out = config->output ? fopen(config->output, "we") : stdout;
	int err;

	if (!out)
		return write_failed(name, -errno, why);
	err = view(check, config, command_line, out);
	/* A full disk shows only when the last bytes go out. */
	errno = 0;
	if (!err && (fflush(out) || ferror(out)))
		err = errno ? -errno : -EIO;
	if (out != stdout && fclose(out) && !err)
		err = -errno;
	return err ? write_failed(name, err, why) : 0;
}

static int silent(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level, (void)format, (void)args;
	return 0;
}

static int check_and_tell(const struct config *config, const char *command_line, struct why *why)
{
	struct check *check = malloc(sizeof(*check));
	int err;

	if (!check)
		return why_set(why, -ENOMEM, EXIT_FAILED, "out of memory; free some and try again");
	/* A refusal is what we look for, not something to complain about. */
	libbpf_set_print(silent);
	check_machine(check);
	if (config->require < 0)
		err = deliver(check, config, command_line, why);
	else
		err = answer(&check->verdicts[config->require], requirable[config->require], why);
	free(check);
	return err;
}

static int run(const struct command_spec *spec, int argc, char **argv)
{
	struct config config = { .require = -1 };
	struct positional rest;
	struct why why = { 0 };
	char command_line[512];

	join(argc, argv, command_line, sizeof(command_line));
	options_parse(spec, argc, argv, &config, &rest);
	if (!check_and_tell(&config, command_line, &why))
		return EXIT_DONE;
	fprintf(stderr, "iostrata: %s\n", why.text);
	return why.status;
}

const struct command_spec cmd_check = {
	.name = "check",
	.summary = "what this kernel and these privileges allow, and why not",
	.args = "",
	.description =
		"Tries each hook by attaching an empty program for a moment, each BPF and io_uring "
		"feature by using it once, and tells for each boundary whether it can be stamped, by "
		"which hook, why not, and what to do. Changes nothing and leaves nothing behind. "
		"Works without privileges as far as it can.\n\n"
		"Examples:\n"
		"  iostrata check\n"
		"  iostrata check -f json -o check.json\n"
		"  iostrata check --require run || echo 'no tracing here'\n",
	.options = options,
	.args_min = 0,
	.args_max = 0,
	.run = run,
};
