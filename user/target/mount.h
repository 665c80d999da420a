/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The directory and the FUSE mount on it. In: nothing. Out: a path such as
 * /run/iostrata.123.Ab3xYz, and /dev/fuse connected to it.
 */
#ifndef IOSTRATA_TARGET_MOUNT_H
#define IOSTRATA_TARGET_MOUNT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/why.h"

enum { MOUNT_PATH_MAX = 48 }; /* with /disk it fits the loop driver's 63 letters */

/* Makes a directory of our own, below /run or else /tmp. */
int mount_directory(char *path, size_t size, struct why *why);
/* Mounts on it. Returns /dev/fuse: the connection lives as long as it does. */
int mount_fuse(const char *directory, struct why *why);

/* Takes mount and directory away, whatever state they are in; I/O still in
 * flight fails. Safe to call twice, and from two processes at once.
 */
void mount_remove(const char *directory);

/* Removes what targets left whose every process was killed at once: dead FUSE
 * mounts of our name.
 */
void mount_sweep(void);

/* Lazily unmounts the filesystems that lie on block device major:minor; the
 * mount point of the last one is left in `path` ("" when there was none).
 */
void mount_remove_upper(unsigned int major, unsigned int minor, char *path, size_t size);

#endif
