// SPDX-License-Identifier: GPL-2.0-only
// In: a configuration. Out: a target, from the caller's side: its keeper
// started and told, and cleaned up after should it be killed.
#include "target/target.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "target/control.h"
#include "target/keeper.h"
#include "target/mount.h"
#include "target/process.h"
#include "target/takedown.h"

enum { START_MS = 20000, STOP_MS = 30000 };
static const uint64_t longest_ns = 24 * 3600 * NS_PER_S;

struct target {
	struct target_config config;
	char directory[MOUNT_PATH_MAX], control[MOUNT_PATH_MAX + 16], disk[MOUNT_PATH_MAX + 16];
	char device[32];
	struct loop loop;
	struct target_account *account;
	struct why *server_why; /* shared memory */
	FILE *account_file;
	pid_t keeper_pid;
	int socket, server_fd;
	bool adopts; /* we are the command's subreaper, and had no child before */
};

struct target_config target_defaults(void)
{
	return (struct target_config){ .size_bytes = 1ull << 30, .service_ns = NS_PER_MS };
}

static int check(const struct target_config *config, struct why *why)
{
	if (geteuid())
		return why_set(why, -EPERM, EXIT_PRIVILEGE,
			       "target mounts FUSE and binds a loop device: run it as root");
	if (!config->size_bytes || config->size_bytes % 4096 || config->size_bytes > 1ull << 46)
		return why_set(why, -EINVAL, EXIT_USAGE,
			       "size %llu: must be a multiple of 4096, at most 64t",
			       (unsigned long long)config->size_bytes);
	if (config->service_ns > longest_ns || config->flush_ns > longest_ns ||
	    config->pause_ns > longest_ns || (config->pause_at_time && config->pause_at_ns > longest_ns))
		return why_set(why, -EINVAL, EXIT_USAGE, "times of more than a day are refused");
	if ((config->pause_at_time || config->pause_at_request) && !config->pause_ns)
		return why_set(why, -EINVAL, EXIT_USAGE, "a pause needs its length: --pause 100ms");
	if (access("/dev/fuse", F_OK))
		return why_set(why, -errno, EXIT_KERNEL_LACKS,
			       "/dev/fuse: %s; load the module with 'modprobe fuse'", why_text(errno));
	return loop_available(why);
}

static int make_shared(struct target *target, struct why *why)
{
	const char *path = target->config.account_path;

	target->server_why = mmap(NULL, sizeof(struct why), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (target->server_why == MAP_FAILED)
		target->server_why = NULL;
	if (target->config.account_max)
		target->account = account_map(target->config.account_max);
	if (!target->server_why || (target->config.account_max && !target->account))
		return why_set(why, -ENOMEM, EXIT_FAILED,
			       "no memory for an account of %llu records; lower --account-max",
			       (unsigned long long)target->config.account_max);
	target->account_file = path ? fopen(path, "we") : NULL;
	if (path && !target->account_file)
		return why_set(why, -errno, EXIT_FAILED, "%s: %s", path, why_text(errno));
	return 0;
}

static void free_target(struct target *target)
{
	account_unmap(target->account);
	if (target->server_why)
		munmap(target->server_why, sizeof(struct why));
	if (target->account_file)
		fclose(target->account_file);
	if (target->socket >= 0)
		close(target->socket);
	if (target->server_fd >= 0)
		close(target->server_fd);
	free(target);
}

static int start_keeper(struct target *target, struct why *why)
{
	struct keeper_start start = { &target->config, target->account, target->directory,
				      target->server_why, -1 };
	int pair[2], err = 0;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return why_set(why, -errno, EXIT_FAILED, "socketpair: %s", why_text(errno));
	start.socket = pair[1];
	target->socket = pair[0];
	target->adopts = target->config.command && waitpid(-1, NULL, WNOHANG) < 0;
	if (target->adopts)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	target->keeper_pid = keeper_fork(&start);
	if (target->keeper_pid < 0)
		err = why_set(why, target->keeper_pid, EXIT_FAILED, "fork: %s",
			      why_text(target->keeper_pid));
	close(pair[1]);
	return err;
}

/* The keeper's next message. 0; -EPIPE: it is dead; -ETIMEDOUT. */
static int hear(const struct target *target, struct keeper_message *message, int timeout_ms)
{
	if (!process_ended(target->socket, timeout_ms))
		return -ETIMEDOUT;
	return recv(target->socket, message, sizeof(*message), 0) == sizeof(*message) ? 0 : -EPIPE;
}

/* The keeper is dead or hangs: end it and do its work. The server sees its
 * end too, and the device went with its last descriptor.
 */
static void replace_keeper(struct target *target, struct why *why)
{
	why_set(why, -EPIPE, EXIT_FAILED,
		"the target's keeper (pid %d) was killed: the device failed", target->keeper_pid);
	kill(target->keeper_pid, SIGKILL);
	if (target->server_fd >= 0 && !process_ended(target->server_fd, 1000))
		process_signal(target->server_fd, SIGKILL);
	mount_remove(target->directory);
	waitpid(target->keeper_pid, NULL, 0);
	if (target->adopts)
		process_kill_children(0, 5000);
	if (target->server_fd >= 0)
		process_ended(target->server_fd, 5000);
	takedown_device(&target->loop, target->disk, why);
}

/* Hears the keeper out: 0 or -errno and *why; its status in *message. */
static int hear_end(struct target *target, struct keeper_message *message, struct why *why)
{
	if (hear(target, message, STOP_MS)) {
		replace_keeper(target, why);
		return -EPIPE;
	}
	waitpid(target->keeper_pid, NULL, 0);
	if (!message->why.text[0])
		return 0;
	return why_set(why, -EIO, message->why.status, "%s", message->why.text);
}

static int await_ready(struct target *target, struct why *why)
{
	struct keeper_message message;

	if (hear(target, &message, START_MS)) {
		replace_keeper(target, why);
		return -EPIPE;
	}
	if (message.word != KEEPER_READY) {
		waitpid(target->keeper_pid, NULL, 0);
		return why_set(why, -EIO, message.why.status, "%s", message.why.text);
	}
	target->loop = message.loop;
	target->server_fd = process_open(message.value);
	snprintf(target->device, sizeof(target->device), "/dev/loop%d", message.loop.number);
	return 0;
}

static int start(struct target *target, struct why *why)
{
	int err = make_shared(target, why);

	if (err)
		return err;
	mount_sweep();
	err = mount_directory(target->directory, sizeof(target->directory), why);
	if (err)
		return err;
	snprintf(target->control, sizeof(target->control), "%s/control", target->directory);
	snprintf(target->disk, sizeof(target->disk), "%s/disk", target->directory);
	err = start_keeper(target, why);
	if (err)
		rmdir(target->directory);
	return err ? err : await_ready(target, why);
}

int target_start(const struct target_config *config, struct target **out, struct why *why)
{
	struct target *target;
	int err = check(config, why);

	if (err)
		return err;
	target = calloc(1, sizeof(*target));
	if (!target)
		return why_set(why, -ENOMEM, EXIT_FAILED, "no memory for a target");
	target->config = *config;
	target->loop.number = target->socket = target->server_fd = -1;
	err = start(target, why);
	if (err)
		free_target(target);
	else
		*out = target;
	return err;
}

const char *target_device(const struct target *target)
{
	return target->device;
}

const char *target_control_path(const struct target *target)
{
	return target->control;
}

int target_control(const struct target *target, const char *command, struct why *why)
{
	return target_control_write(target->control, command, why);
}

int target_ended_fd(const struct target *target)
{
	return target->socket;
}

static void send_word(const struct target *target, enum keeper_word word, int value)
{
	struct keeper_message message = { .word = word, .value = value };

	send(target->socket, &message, sizeof(message), MSG_NOSIGNAL);
}

void target_signal_command(const struct target *target, int signal)
{
	send_word(target, KEEPER_SIGNAL, signal);
}

const struct target_account *target_account(const struct target *target)
{
	return target->account;
}

static int write_account(struct target *target, struct why *why)
{
	int err = target->account_file ? account_write(target->account, target->account_file) : 0;

	if (err)
		return why_set(why, err, EXIT_FAILED, "%s: %s", target->config.account_path,
			       why_text(err));
	return 0;
}

int target_stop(struct target *target, struct why *why)
{
	struct keeper_message message = { 0 };
	int err, account_err;

	send_word(target, KEEPER_STOP, 0);
	err = hear_end(target, &message, why);
	account_err = write_account(target, why);
	free_target(target);
	if (err || account_err)
		return err ? err : account_err;
	return message.value;
}
