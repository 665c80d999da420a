/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Other processes, held by pidfd so that a reused pid is never hit. Times are
 * bounded: nothing here waits for good.
 */
#ifndef IOSTRATA_TARGET_PROCESS_H
#define IOSTRATA_TARGET_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A pidfd (close on exec), or -errno. */
int process_open(pid_t pid);
int process_signal(int pidfd, int signal);
/* Has the process ended within `timeout_ms`? */
bool process_ended(int pidfd, int timeout_ms);
/* Collects our own child: its exit status, 128 + n if a signal ended it, or
 * -errno. Waits for its end.
 */
int process_collect(int pidfd);

/* Kills and collects our children (grandchildren come to us as they lose
 * their parents, if we are their subreaper), but for `spare`. Returns when
 * none is left, or after timeout_ms.
 */
void process_kill_children(pid_t spare, int timeout_ms);

/* Closes every descriptor but 0, 1, 2 and the `count` ones in `keep`. */
void process_close_others(const int *keep, unsigned int count);
/* Makes 0, 1 and 2 /dev/null: our caller's pipes must not hang on us. */
void process_detach_stdio(void);

/* Runs `call(context)` in a thread: false if it hasn't returned in time. Then
 * call process_rejoin once what it hangs on is broken.
 */
struct process_call {
	void (*call)(void *context);
	void *context;
	unsigned long thread;
};
bool process_try(struct process_call *call, int timeout_ms);
bool process_rejoin(struct process_call *call, int timeout_ms);

#endif
