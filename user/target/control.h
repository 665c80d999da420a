/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The client's side of a target's control file. In: a device's path. Out: the
 * target behind it told to arm. Needs no other part of user/target.
 */
#ifndef IOSTRATA_TARGET_CONTROL_H
#define IOSTRATA_TARGET_CONTROL_H

#include <stddef.h>

#include "base/why.h"

/* From now on the target behind `device_path` counts and logs its requests.
 * Call it after every probe of the device. Returns 1 if armed, 0 if the device
 * is none of our targets (no loop device, or no control file on FUSE beside its
 * backing file), -errno and *why when it is one but can't be armed.
 */
int target_control_arm(const char *device_path, struct why *why);

/* Writes the control file's path behind `device_path` into `path`. Returns as
 * above, with 1 for found.
 */
int target_control_find(const char *device_path, char *path, size_t size, struct why *why);

/* Writes one command line to the control file at `path`. 0, or -errno. */
int target_control_write(const char *path, const char *command, struct why *why);

#endif
