// SPDX-License-Identifier: GPL-2.0-only
// In: /dev/fuse. Out: a process of three threads: one takes requests, one
// serves them, one watches the keeper.
#include "target/server.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "target/mount.h"
#include "target/process.h"
#include "target/session.h"

/* The keeper never writes: the read ends only with it. */
static void *watch_keeper(void *argument)
{
	const struct server *server = argument;
	char byte;

	while (read(server->lifeline, &byte, 1) < 0 && errno == EINTR)
		;
	mount_remove(server->directory);
	_exit(EXIT_FAILED);
}

/* A device waits for no run queue and is not swapped out, least of all to
 * itself. Each of these may be refused; the account shows what that costs.
 */
static void become_device(void)
{
	struct sched_param fifo = { .sched_priority = 1 };

	prctl(PR_SET_TIMERSLACK, 1);
	prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0);
	mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
	sched_setscheduler(0, SCHED_FIFO, &fifo);
}

static int serve_session(const struct server *server, struct session *session)
{
	pthread_t serving, watching;
	int err;

	if (pthread_create(&watching, NULL, watch_keeper, (void *)server))
		return -EAGAIN;
	become_device();
	if (pthread_create(&serving, NULL, serve_run, session->serve))
		return -EAGAIN;
	err = session_run(session);
	serve_stop(session->serve);
	pthread_join(serving, NULL);
	return err;
}

static int server_main(const struct server *server)
{
	int keep[] = { server->fuse_fd, server->lifeline }, err;
	struct session session = { 0 };
	struct store store;

	process_close_others(keep, 2);
	process_detach_stdio();
	prctl(PR_SET_NAME, "iostrata-server");
	err = store_open(&store, server->config->size_bytes);
	if (err)
		return why_set(server->why, err, EXIT_FAILED,
			       "no room for a device of %llu bytes: %s; choose a smaller --size",
			       (unsigned long long)server->config->size_bytes, why_text(err));
	session.store = &store;
	session.serve = serve_new(server->config, &store, server->account);
	err = session.serve ? session_open(&session, server->fuse_fd) : -ENOMEM;
	if (!err)
		err = serve_session(server, &session);
	if (err)
		why_set(server->why, err, EXIT_FAILED, "the target's server: %s", why_text(err));
	return err;
}

pid_t server_fork(const struct server *server)
{
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid)
		_exit(server_main(server) ? EXIT_FAILED : EXIT_DONE);
	return pid;
}
