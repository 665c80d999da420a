/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Every command's table. main lists them in this order.
 */
#ifndef IOSTRATA_COMMANDS_H
#define IOSTRATA_COMMANDS_H

#include "base/options.h"

extern const struct command_spec cmd_check, cmd_trace, cmd_load, cmd_run, cmd_model, cmd_target,
	cmd_demo;

#endif
