/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which block device a file's data is on. In: a path. Out: a device number.
 * Pure stat(2) and /proc/self/mountinfo.
 */
#ifndef IOSTRATA_DEVICE_BEHIND_H
#define IOSTRATA_DEVICE_BEHIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A block device's own number (user space's encoding), else that of the device
 * its file system is mounted from. 0; -ENODEV: none (tmpfs, network); or the
 * negative errno of stat(2).
 */
int device_behind(const char *path, dev_t *out);

/* One line of /proc/self/mountinfo: the source ("/dev/sda1", its octal escapes
 * undone) of mount `mount_id` into `source`; false when it is another mount's
 * line, or too long.
 */
bool mountinfo_source(const char *line, uint64_t mount_id, char *source, size_t size);

#endif
