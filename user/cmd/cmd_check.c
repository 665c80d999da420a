// SPDX-License-Identifier: GPL-2.0-only
// In: options. Out: what this kernel and these privileges allow, or with
// --require the one answer as an exit status.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/output.h"
#include "base/why.h"
#include "cmd/commands.h"
#include "cmd/tool.h"
#include "kernel/drift.h"
#include "kernel/flavour.h"
#include "kernel/session.h"
#include "probe/check.h"
#include "report/check_json.h"

static const char *const formats[] = { "text", "json", NULL };
/* The words of enum need_command. */
static const char *const requirable[] = { "trace", "run", "load", "target", NULL };

struct config {
	int format;  /* enum report_format */
	int require; /* enum need_command; -1: nothing is asked for */
	const char *output, *btf;
};

static const struct option_spec options[] = {
	{ "format", 'f', OPTION_CHOICE, "FORMAT", "text or json (default text)",
	  offsetof(struct config, format), formats, 0, 0 },
	{ "output", 'o', OPTION_STRING, "FILE", "write to FILE instead of standard output",
	  offsetof(struct config, output), NULL, 0, 0 },
	{ "btf", 0, OPTION_STRING, "FILE", BTF_OPTION_HELP, offsetof(struct config, btf), NULL, 0, 0 },
	{ "require", 0, OPTION_CHOICE, "COMMAND",
	  "print nothing and exit 0 if COMMAND (trace, run, load or target) can work here; else name "
	  "what is missing and exit 3 (privilege) or 4 (kernel)",
	  offsetof(struct config, require), requirable, 0, 0 },
	{ 0 },
};

static int answer(const struct need_verdict *verdict, const char *command, struct why *why)
{
	const struct lack *lack = &verdict->lacks[0];

	if (verdict->possible)
		return 0;
	return why_set(why, -EOPNOTSUPP, verdict->status, "%s can't work here: %s: %s; %s", command,
		       lack->what, lack->why, lack->remedy ? lack->remedy : "see iostrata check");
}

static int view(const struct check *check, int format, FILE *out, struct why *why)
{
	struct report_tool tool = tool_here();
	char line[512];

	if (format == REPORT_TEXT) {
		check_text(check, text_style_for(out).colour, out);
		return 0;
	}
	command_line(line, sizeof(line));
	return check_json(check, &tool, line, out)
		       ? why_set(why, -ENOMEM, EXIT_FAILED, "out of memory; free some and try again")
		       : 0;
}

/* The output is opened first: a bad name should not cost a probe. */
static int tell(struct check *check, const struct config *config, struct why *why)
{
	struct output output;
	int err = output_open(&output, config->output, why);

	if (err)
		return err;
	check_machine(config->btf, check);
	err = view(check, config->format, output.stream, why);
	if (!err)
		return output_finish(&output, why);
	output_discard(&output);
	return err;
}

static int check_and_tell(const struct config *config, struct why *why)
{
	struct check *check = malloc(sizeof(*check));
	int err;

	if (!check)
		return why_set(why, -ENOMEM, EXIT_FAILED, "out of memory; free some and try again");
	/* A refusal is what we look for, not something to complain about. */
	session_quiet();
	err = config->btf ? kernel_btf_check(config->btf, why) : 0;
	if (err) {
		free(check);
		return err;
	}
	if (config->require < 0) {
		err = tell(check, config, why);
	} else {
		check_machine(config->btf, check);
		err = answer(&check->verdicts[config->require], requirable[config->require], why);
	}
	free(check);
	return err;
}

static int run(const struct command_spec *spec, int argc, char **argv, struct why *why)
{
	struct config config = { .format = REPORT_TEXT, .require = -1 };
	struct positional rest;

	options_parse(spec, argc, argv, &config, &rest);
	return check_and_tell(&config, why);
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
