// SPDX-License-Identifier: GPL-2.0-only
// In: a target, alive or half dead. Out: nothing of it. Every wait is bounded,
// and what is waited for is broken when its time is over: a stopped server or
// a service time of hours must not keep us.
#include "target/takedown.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "target/control.h"
#include "target/process.h"

enum {
	SEE_ERRORS_MS = 2000, /* a command may end by itself after its device died */
	TERMINATE_MS = 1000,
	KILL_MS = 200,
	QUIESCE_MS = 2000, /* writing back what is dirty, at drain speed */
	BREAK_MS = 5000,
	RELEASE_MS = 200, /* a passing opener, such as udev */
	LOOP_MAJOR = 7,
};

static void end_command(struct keeper *keeper)
{
	int fd = keeper->command_fd;

	if (fd < 0)
		return;
	if (!keeper->server_died || !process_ended(fd, SEE_ERRORS_MS)) {
		process_signal(fd, SIGTERM);
		process_signal(fd, SIGCONT);
		if (!process_ended(fd, TERMINATE_MS))
			process_signal(fd, SIGKILL);
	}
	if (process_ended(fd, KILL_MS)) {
		keeper->status = process_collect(fd);
		close(fd);
		keeper->command_fd = -1;
	}
}

/* In a thread of its own, as each step can hang on a dead or stopped server.
 * Draining makes the write-back of dirty pages, which the last close waits
 * for, quick.
 */
static void quiesce(void *context)
{
	struct keeper *keeper = context;
	struct why ignored = { 0 };
	char upper[512];

	if (!keeper->server_died)
		target_control_write(keeper->control, "drain", &ignored);
	if (keeper->loop.number >= 0)
		mount_remove_upper(LOOP_MAJOR, loop_minor(&keeper->loop), upper, sizeof(upper));
	if (keeper->loop_fd >= 0)
		close(keeper->loop_fd);
}

/* From here on all I/O on the device fails. */
static void break_connection(struct keeper *keeper)
{
	if (keeper->server_fd >= 0)
		process_signal(keeper->server_fd, SIGKILL);
	mount_remove(keeper->directory);
}

static void release_device(struct keeper *keeper)
{
	struct process_call call = { .call = quiesce, .context = keeper };

	if (keeper->server_died)
		mount_remove(keeper->directory);
	if (!process_try(&call, QUIESCE_MS)) {
		break_connection(keeper);
		process_rejoin(&call, BREAK_MS);
	}
	if (keeper->loop.number >= 0 && loop_still_bound(&keeper->loop, keeper->disk, RELEASE_MS))
		break_connection(keeper);
}

void takedown_device(const struct loop *loop, const char *disk, struct why *why)
{
	char holder[80];

	if (loop->number < 0)
		return;
	if (loop_still_bound(loop, disk, SEE_ERRORS_MS)) {
		loop_holder(loop, holder, sizeof(holder));
		why_set(why, -EBUSY, EXIT_FAILED,
			"/dev/loop%d is still open by %s: its I/O fails, and the device goes away when that closes it",
			loop->number, holder[0] ? holder : "someone not visible here");
		return;
	}
	loop_remove(loop);
}

/* A server whose connection ended ends by itself. */
static void end_server(struct keeper *keeper)
{
	int status;

	if (keeper->server_fd < 0)
		return;
	if (!process_ended(keeper->server_fd, TERMINATE_MS))
		process_signal(keeper->server_fd, SIGKILL);
	if (!process_ended(keeper->server_fd, BREAK_MS))
		return;
	status = process_collect(keeper->server_fd);
	if (!keeper->server_died)
		return;
	if (status > 128)
		why_set(&keeper->why, -EPIPE, EXIT_FAILED,
			"the target's server (pid %d) was killed by signal %d: the device failed",
			keeper->server_pid, status - 128);
	else
		why_set(&keeper->why, -EPIPE, EXIT_FAILED,
			"the target's server (pid %d) ended by itself: the device failed; was %s unmounted?",
			keeper->server_pid, keeper->directory);
}

static void collect_late_command(struct keeper *keeper)
{
	if (keeper->command_fd >= 0 && process_ended(keeper->command_fd, BREAK_MS)) {
		keeper->status = process_collect(keeper->command_fd);
		keeper->command_fd = -1;
	}
}

void takedown(struct keeper *keeper)
{
	if (keeper->server_died)
		mount_remove(keeper->directory);
	end_command(keeper);
	process_kill_children(keeper->server_pid, KILL_MS);
	release_device(keeper);
	mount_remove(keeper->directory);
	end_server(keeper);
	collect_late_command(keeper);
	process_kill_children(0, BREAK_MS);
	takedown_device(&keeper->loop, keeper->disk, &keeper->why);
}
