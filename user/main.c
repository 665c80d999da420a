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

static void help(FILE *out)
{
	fputs("Usage: iostrata COMMAND [OPTION...]\n"
	      "Where between application and device does latency accumulate?\n\n", out);
	for (int i = 0; commands[i]; i++)
		fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n'iostrata COMMAND --help' tells a command's options, with examples.\n"
	      "Exit status: 0 done, 1 failed, 2 usage, 3 privilege, 4 the kernel lacks\n"
	      "something, 5 load not sustained or data lost (the report says which).\n", out);
}

static const struct command_spec *find(const char *name)
{
	for (int i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct command_spec *command;

	if (argc < 2) {
		help(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		help(stdout);
		return EXIT_DONE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("iostrata %s\n", IOSTRATA_VERSION);
		return EXIT_DONE;
	}
	command = find(argv[1]);
	if (!command) {
		fprintf(stderr, "iostrata: no command '%s'; 'iostrata --help' lists them\n", argv[1]);
		return EXIT_USAGE;
	}
	return command->run(command, argc - 1, argv + 1);
}
