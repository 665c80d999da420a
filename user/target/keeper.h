/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The keeper process: the parent of server and command, and the one that
 * takes everything down. In: a directory and a socket to the caller. Out:
 * messages on the socket: ready or failed, and in the end what happened.
 */
#ifndef IOSTRATA_TARGET_KEEPER_H
#define IOSTRATA_TARGET_KEEPER_H

#include <signal.h>
#include <sys/types.h>

#include "target/account.h"
#include "target/loop.h"
#include "target/target.h"

enum keeper_word {
	KEEPER_READY,  /* to the caller: value is the server's pid */
	KEEPER_ENDED,  /* to the caller: value is the command's status; or why */
	KEEPER_STOP,   /* from the caller */
	KEEPER_SIGNAL, /* from the caller: value is a signal for the command */
};

struct keeper_message {
	enum keeper_word word;
	int value;
	struct loop loop;
	struct why why; /* text "" if all is well */
};

struct keeper_start {
	const struct target_config *config;
	struct target_account *account;
	const char *directory;
	struct why *server_why; /* shared memory */
	int socket;		/* SOCK_SEQPACKET; hang-up: the caller died */
};

/* Forks. The pid, or -errno. */
pid_t keeper_fork(const struct keeper_start *start);

#endif
