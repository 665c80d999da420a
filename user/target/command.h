/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The command that runs with a target. In: argv. Out: its process, in the
 * caller's process group and with the caller's signal mask, dying with us.
 */
#ifndef IOSTRATA_TARGET_COMMAND_H
#define IOSTRATA_TARGET_COMMAND_H

#include <signal.h>
#include <sys/types.h>

#include "base/why.h"

struct command {
	char *const *argv;
	const char *device, *control; /* IOSTRATA_DEVICE, IOSTRATA_CONTROL */
	sigset_t mask;
	pid_t group;
};

/* The pid once it runs, or -errno and *why when it can't be executed. */
pid_t command_start(const struct command *command, struct why *why);

#endif
