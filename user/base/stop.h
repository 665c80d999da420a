/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The signals that ask for an early end, as a file descriptor.
 */
#ifndef IOSTRATA_STOP_H
#define IOSTRATA_STOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"

/* Blocks SIGINT, SIGTERM and SIGHUP for the caller and returns a descriptor
 * that is readable once one came. -errno and *why.
 */
int stop_open(struct why *why);
/* Waits until `deadline_ns` (CLOCK_MONOTONIC; UINT64_MAX: for ever); true when
 * an end was asked for.
 */
bool stop_wait(int stop_fd, uint64_t deadline_ns);

#endif
