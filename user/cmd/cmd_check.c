// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/commands.h"

static const struct option_spec options[] = { { 0 } };

static int run(const struct command_spec *spec, int argc, char **argv)
{
	struct positional rest;

	options_parse(spec, argc, argv, 0, &rest);
	return 1;
}

const struct command_spec cmd_check = { "check", "-", "", "", options, 0, 0, run };
