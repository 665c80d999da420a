/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The server process. In: a mounted FUSE connection. Out: a process that
 * serves it until the connection ends, or until the keeper dies: then it takes
 * the mount away itself.
 */
#ifndef IOSTRATA_TARGET_SERVER_H
#define IOSTRATA_TARGET_SERVER_H

#include <sys/types.h>

#include "target/account.h"
#include "target/target.h"

struct server {
	const struct target_config *config;
	struct target_account *account; /* or NULL */
	const char *directory;
	int fuse_fd;
	int lifeline;	 /* reads end-of-file when the keeper is gone */
	struct why *why; /* shared memory: why it could not start */
};

/* Forks. The pid, or -errno. */
pid_t server_fork(const struct server *server);

#endif
