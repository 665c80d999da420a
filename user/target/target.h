/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A disposable block device with a known service time. In: how it is to
 * serve. Out: a loop device whose every request is served first in first out,
 * one at a time, by absolute deadlines, and the server's own account of each.
 *
 *	caller ── socket ── keeper ──┬── server: /dev/fuse, the store, the clock
 *	                             └── command, if one was given
 *
 * The keeper holds the loop device and takes everything down when the caller
 * asks, dies, or the server dies; if the keeper dies, the caller and the
 * server clean up. See docs/target.md.
 */
#ifndef IOSTRATA_TARGET_H
#define IOSTRATA_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/why.h"
#include "target/account.h"

enum target_block { TARGET_BLOCK_512, TARGET_BLOCK_4096 };

struct target_config {
	uint64_t size_bytes;	   /* a multiple of 4096 */
	int block;		   /* enum target_block: the logical block size */
	uint64_t service_ns;	   /* of a read, write or discard; 0: at once */
	uint64_t flush_ns;	   /* of a flush */
	uint64_t pause_ns;	   /* length of the pauses below and of a bare `pause` */
	uint64_t pause_at_request; /* longer service of the K-th read or write after
				    * arming, from 1; 0: none */
	uint64_t pause_at_ns;	   /* stall so long after arming… */
	bool pause_at_time;	   /* …if this is set */
	uint64_t account_max;	   /* records kept; 0: no account */
	const char *account_path;  /* CSV written by target_stop; NULL: none */
	char *const *command;	   /* argv run with the device, NULL: none */
};

/* 1 GiB, blocks of 512, service 1 ms, no pause, no account, no command. */
struct target_config target_defaults(void);

struct target;

/* Makes server and loop device; returns 0 when the device is ready (and the
 * command started), not armed. Call it while the process has one thread: it
 * forks. -errno and *why else, with nothing left behind: EXIT_PRIVILEGE
 * without root, EXIT_KERNEL_LACKS without /dev/fuse or /dev/loop-control.
 */
int target_start(const struct target_config *config, struct target **out, struct why *why);

const char *target_device(const struct target *target);	      /* "/dev/loop8" */
const char *target_control_path(const struct target *target); /* "/run/iostrata.…/control" */

/* Writes one command, such as "arm" or "pause 100ms", to the control file. */
int target_control(const struct target *target, const char *command, struct why *why);

/* Readable once the target has ended by itself: server dead, command done. */
int target_ended_fd(const struct target *target);
/* Sends `signal` to the command, if it runs. */
void target_signal_command(const struct target *target, int signal);

/* Takes everything down, writes the account, frees. Returns the exit status
 * of the command (128 + n if a signal ended it), 0 without one; or -errno and
 * *why if the target failed before or while ending. Some ms; 30 s at the very
 * worst, when processes are stopped or a device hangs.
 */
int target_stop(struct target *target, struct why *why);

/* The account so far, oldest first; valid until target_stop. */
const struct target_account *target_account(const struct target *target);

#endif
