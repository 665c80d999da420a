/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The loop device. In: a backing file. Out: a block device that passes each
 * request on by itself (direct I/O), and goes away with its last opener.
 */
#ifndef IOSTRATA_TARGET_LOOP_H
#define IOSTRATA_TARGET_LOOP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/why.h"

struct loop {
	int number;
	bool created; /* by us: removed again */
};

/* Is there a loop driver? Else -errno, EXIT_KERNEL_LACKS. */
int loop_available(struct why *why);

/* Binds a free loop device to `path`, opened as `backing_fd`. Returns a
 * descriptor of the device that keeps it bound (autoclear), or -errno.
 */
int loop_bind(int backing_fd, const char *path, unsigned int block_bytes, struct loop *loop,
	      struct why *why);

/* Is the loop device still bound to the file `path`, mounted or detached? */
bool loop_bound(const struct loop *loop, const char *path);
/* As above, false as soon as it is not, at the latest after timeout_ms. */
bool loop_still_bound(const struct loop *loop, const char *path, int timeout_ms);

/* Its number as a device node: 7 and this. */
unsigned int loop_minor(const struct loop *loop);
/* Takes the node away if we made it. */
void loop_remove(const struct loop *loop);

/* One process that has it open, as "name (pid 12)", "" if none is seen. */
void loop_holder(const struct loop *loop, char *text, size_t size);

#endif
