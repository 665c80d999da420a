// SPDX-License-Identifier: GPL-2.0-only
// In: argv. Out: a running command, or why it does not run.
#include "target/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs in the child. A failed exec is told through the pipe, which a good one
 * closes.
 */
static void become_command(const struct command *command, int failed)
{
	int err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, command->group);
	sigprocmask(SIG_SETMASK, &command->mask, NULL);
	setenv("IOSTRATA_DEVICE", command->device, 1);
	setenv("IOSTRATA_CONTROL", command->control, 1);
	execvp(command->argv[0], command->argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

pid_t command_start(const struct command *command, struct why *why)
{
	int failed[2], err = 0;
	pid_t pid;

	if (pipe2(failed, O_CLOEXEC))
		return why_set(why, -errno, EXIT_FAILED, "%s: pipe: %s", command->argv[0],
			       why_text(errno));
	pid = fork();
	if (!pid)
		become_command(command, failed[1]);
	err = pid < 0 ? errno : 0;
	close(failed[1]);
	if (pid > 0 && read(failed[0], &err, sizeof(err)) == sizeof(err))
		waitpid(pid, NULL, 0);
	close(failed[0]);
	if (!err)
		return pid;
	return why_set(why, -err, EXIT_FAILED, "cannot run %s: %s", command->argv[0],
		       why_text(err));
}
