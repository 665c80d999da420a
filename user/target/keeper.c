// SPDX-License-Identifier: GPL-2.0-only
// In: what to make. Out: it made, watched, and taken down (takedown.c).
#include "target/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "target/command.h"
#include "target/mount.h"
#include "target/process.h"
#include "target/server.h"
#include "target/takedown.h"

static void prepare(struct keeper *keeper, const struct keeper_start *start)
{
	sigset_t all;

	*keeper = (struct keeper){ .socket = start->socket, .directory = start->directory,
				   .loop = { .number = -1 }, .loop_fd = -1, .server_fd = -1,
				   .command_fd = -1, .command = { .argv = start->config->command,
								   .group = getpgrp() } };
	snprintf(keeper->disk, sizeof(keeper->disk), "%s/disk", start->directory);
	snprintf(keeper->control, sizeof(keeper->control), "%s/control", start->directory);
	/* What ends our caller must not end us: not a signal, not a terminal. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &keeper->command.mask);
	setpgid(0, 0);
	prctl(PR_SET_NAME, "iostrata-keeper");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static int start_server(struct keeper *keeper, const struct keeper_start *start)
{
	struct server server = { start->config, start->account, start->directory, -1, -1,
				 start->server_why };
	int line[2];

	server.fuse_fd = mount_fuse(start->directory, &keeper->why);
	if (server.fuse_fd < 0)
		return server.fuse_fd;
	if (pipe2(line, O_CLOEXEC))
		return why_set(&keeper->why, -errno, EXIT_FAILED, "pipe: %s", why_text(errno));
	server.lifeline = line[0]; /* we keep line[1] open for life */
	/* The server closes what it need not hold, line[1] and our socket too. */
	keeper->server_pid = server_fork(&server);
	close(server.fuse_fd);
	close(line[0]);
	keeper->lifeline = line[1];
	if (keeper->server_pid > 0)
		keeper->server_fd = process_open(keeper->server_pid);
	if (keeper->server_pid < 0 || keeper->server_fd < 0)
		return why_set(&keeper->why, -EAGAIN, EXIT_FAILED, "starting the server failed");
	return 0;
}

static int bind_device(struct keeper *keeper, const struct keeper_start *start)
{
	unsigned int block = start->config->block == TARGET_BLOCK_4096 ? 4096 : 512;
	int disk = open(keeper->disk, O_RDWR | O_DIRECT | O_CLOEXEC), err = -errno;

	if (disk < 0) {
		/* The server's own words, if it had any, tell more. */
		process_ended(keeper->server_fd, 1000);
		if (start->server_why->text[0])
			keeper->why = *start->server_why;
		return why_set(&keeper->why, err, EXIT_FAILED, "%s: %s", keeper->disk,
			       why_text(err));
	}
	keeper->loop_fd = loop_bind(disk, keeper->disk, block, &keeper->loop, &keeper->why);
	close(disk);
	return keeper->loop_fd < 0 ? keeper->loop_fd : 0;
}

static int start_command(struct keeper *keeper)
{
	char device[32];
	pid_t pid;

	if (!keeper->command.argv)
		return 0;
	snprintf(device, sizeof(device), "/dev/loop%d", keeper->loop.number);
	keeper->command.device = device;
	keeper->command.control = keeper->control;
	pid = command_start(&keeper->command, &keeper->why);
	if (pid < 0)
		return pid;
	keeper->command_fd = process_open(pid);
	if (keeper->command_fd < 0)
		return why_set(&keeper->why, keeper->command_fd, EXIT_FAILED, "pidfd_open: %s",
			       why_text(keeper->command_fd));
	return 0;
}

static void tell(const struct keeper *keeper, enum keeper_word word, int value)
{
	struct keeper_message message = { word, value, keeper->loop, keeper->why };

	/* A caller that died is found by the hang-up. */
	send(keeper->socket, &message, sizeof(message), MSG_NOSIGNAL);
}

/* One message from the caller. false: it is time to end. */
static bool heed(struct keeper *keeper)
{
	struct keeper_message message;
	ssize_t got = recv(keeper->socket, &message, sizeof(message), 0);

	if (got < 0 && errno == EINTR)
		return true;
	if (got != sizeof(message) || message.word != KEEPER_SIGNAL)
		return false;
	if (keeper->command_fd >= 0)
		process_signal(keeper->command_fd, message.value);
	return true;
}

static void collect_command(struct keeper *keeper)
{
	keeper->status = process_collect(keeper->command_fd);
	close(keeper->command_fd);
	keeper->command_fd = -1;
}

/* Watches server, command and caller until one of them ends. */
static void watch(struct keeper *keeper)
{
	for (;;) {
		struct pollfd on[] = { { .fd = keeper->socket, .events = POLLIN },
				       { .fd = keeper->server_fd, .events = POLLIN },
				       { .fd = keeper->command_fd, .events = POLLIN } };

		if (poll(on, 3, -1) < 0)
			continue;
		if (on[1].revents) {
			keeper->server_died = true;
			return;
		}
		if (on[2].revents) {
			collect_command(keeper);
			return;
		}
		if (on[0].revents && !heed(keeper))
			return;
	}
}

static int keeper_main(const struct keeper_start *start)
{
	struct keeper keeper;
	int err;

	prepare(&keeper, start);
	err = start_server(&keeper, start);
	if (!err)
		err = bind_device(&keeper, start);
	if (!err)
		err = start_command(&keeper);
	if (!err) {
		int keep[] = { keeper.socket, keeper.server_fd, keeper.command_fd, keeper.loop_fd,
			       keeper.lifeline };

		process_close_others(keep, 5);
		process_detach_stdio();
		tell(&keeper, KEEPER_READY, keeper.server_pid);
		watch(&keeper);
	}
	takedown(&keeper);
	tell(&keeper, KEEPER_ENDED, keeper.status);
	return keeper.why.text[0] ? EXIT_FAILED : EXIT_DONE;
}

pid_t keeper_fork(const struct keeper_start *start)
{
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid)
		_exit(keeper_main(start));
	return pid;
}
