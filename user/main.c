// SPDX-License-Identifier: GPL-2.0-only
// In: argv. Out: one command's exit status.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "base/why.h"
#include "cmd/commands.h"

static const struct command_spec *const commands[] = {
	&cmd_check, &cmd_trace, &cmd_load, &cmd_run, &cmd_model, &cmd_target, &cmd_demo, NULL,
};

static const struct command_spec *find(const char *name)
{
	for (int i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/* The one place that turns a cause into a line and an exit status. */
static int told(int status, const struct why *why)
{
	if (status >= 0)
		return status;
	fprintf(stderr, "iostrata: %s\n", why->text[0] ? why->text : why_text(status));
	return why->text[0] ? (int)why->status : EXIT_FAILED;
}

int main(int argc, char **argv)
{
	const struct command_spec *command;
	struct why why = { 0 };

	if (argc < 2) {
		options_help_overview(commands, stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		options_help_overview(commands, stdout);
		return EXIT_DONE;
	}
	if (!strcmp(argv[1], "--man")) {
		options_man_overview(commands, stdout);
		return EXIT_DONE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("iostrata %s\n", IOSTRATA_VERSION);
		return EXIT_DONE;
	}
	command = find(argv[1]);
	if (!command) {
		fprintf(stderr, "iostrata: no command '%s'; `iostrata --help` lists them\n", argv[1]);
		return EXIT_USAGE;
	}
	return told(command->run(command, argc - 1, argv + 1, &why), &why);
}
