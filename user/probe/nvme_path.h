/* SPDX-License-Identifier: GPL-2.0-only
 *
 * How an NVMe disk hangs on its controller, by names and sysfs. In: a disk's
 * name. Out: its controller, the transport, and for a path of a multipath
 * device that device.
 */
#ifndef IOSTRATA_PROBE_NVME_PATH_H
#define IOSTRATA_PROBE_NVME_PATH_H

#include <stddef.h>
#include <stdint.h>

/* "nvme0n1" of "nvme0c2n1", a path of it; "" of what is no path. */
void nvme_path_head(const char *disk, char *out, size_t size);
/* "nvme0", the controller of a disk that is no multipath device; "" if unknown. */
void nvme_path_controller(const char *sysfs, const char *disk, char *out, size_t size);
/* "pcie", "tcp", "rdma", "fc", "loop"; "" if unknown. */
void nvme_path_transport(const char *sysfs, const char *controller, char *out, size_t size);

enum { NVME_DISK_NAME = 32 };

/* The hidden disks that are paths of `head`, at most `max`; how many. 0 of what is
 * no multipath device.
 */
unsigned int nvme_path_list(const char *sysfs, const char *head, char (*out)[NVME_DISK_NAME],
			    unsigned int max);

#endif
