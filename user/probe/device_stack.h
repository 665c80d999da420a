/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What a disk lies on: dm's and md's slaves, the disk of a loop device's file,
 * and so on down. In: a disk's name, sysfs. Out: the disks below, each with the
 * one above it. Nothing is opened but sysfs.
 */
#ifndef IOSTRATA_PROBE_DEVICE_STACK_H
#define IOSTRATA_PROBE_DEVICE_STACK_H

#include <stdbool.h>
#include <stdint.h>

enum { DEVICE_STACK_MAX = 16 };

struct device_below {
	char name[32], above[32];
	uint32_t major, minor;
};

struct device_stack {
	struct device_below below[DEVICE_STACK_MAX]; /* upper ones first */
	unsigned int count;
	bool has_paths; /* NVMe multipath: its paths are hidden and have no number here */
};

/* What does not fit or can't be read is left out. */
void device_stack_read(const char *sysfs, const char *name, struct device_stack *out);

#endif
