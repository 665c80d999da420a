/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The end of a target. In: the keeper's processes, device and mount, in any
 * state. Out: none of them, in bounded time, and what could not be undone in
 * keeper->why.
 */
#ifndef IOSTRATA_TARGET_TAKEDOWN_H
#define IOSTRATA_TARGET_TAKEDOWN_H

#include <stdbool.h>
#include <sys/types.h>

#include "target/command.h"
#include "target/loop.h"
#include "target/mount.h"

struct keeper {
	const char *directory;
	char disk[MOUNT_PATH_MAX + 16], control[MOUNT_PATH_MAX + 16];
	int socket, lifeline;
	pid_t server_pid;
	int server_fd, command_fd; /* pidfds, -1: none */
	struct command command;
	struct loop loop; /* number -1: none yet */
	int loop_fd;	  /* keeps the device bound; -1: none */
	bool server_died;
	int status; /* of the command */
	struct why why;
};

void takedown(struct keeper *keeper);

/* For the end of a target whose keeper is gone: waits for the device to go
 * with its last opener, tells who still has it, takes away the node.
 */
void takedown_device(const struct loop *loop, const char *disk, struct why *why);

#endif
