/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What a block device is and how it is set up, as reports state it. In: a
 * path, or a device number. Out: what sysfs says. The device itself is never
 * opened: a tracer must not touch what it watches.
 */
#ifndef IOSTRATA_DEVICE_STATE_H
#define IOSTRATA_DEVICE_STATE_H

#include <stdint.h>

/* Text "", number UINT64_MAX: unknown, or the device has no such thing; shown
 * as such. A partition is described by its disk: that is where the queue is.
 */
struct device_state {
	char name[32];	    /* "loop0" */
	uint32_t major, minor;
	char model[64], firmware[32], scheduler[32];
	char write_cache[32]; /* "write back", "write through" */
	char backing[256];    /* a loop device's file, dm/md's slaves */
	uint64_t nr_requests, hw_queues, size_bytes, logical_block, iostats, rotational, wbt_lat_usec;
	uint64_t max_sectors_kb;
};

/* State of the device behind `path`: a block device, or any other file (then
 * the device its file system lies on). 0; -ENODEV when there is none (tmpfs,
 * network); the errno of stat(2), negative, when the path can't be looked at.
 * *out is always filled in, with "unknown" where nothing was learned.
 */
int device_state_read(const char *path, struct device_state *out);

/* The same by number, under the sysfs mounted at `sysfs` ("/sys"). 0, or
 * -ENODEV when sysfs does not know it.
 */
int device_state_by_number(const char *sysfs, uint32_t major, uint32_t minor,
			   struct device_state *out);

/* The same by a disk's name. A hidden disk (a path of an NVMe multipath device)
 * has no number there: 0:0.
 */
int device_state_by_name(const char *sysfs, const char *name, struct device_state *out);

#endif
