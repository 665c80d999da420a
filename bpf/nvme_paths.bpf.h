/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Wanted devices that are known by name only: the paths of an NVMe multipath
 * device, whose numbers sysfs does not tell. In: a request. Out: whether its disk
 * is wanted; a path's number is learned by its first request.
 */
#ifndef IOSTRATA_NVME_PATHS_BPF_H
#define IOSTRATA_NVME_PATHS_BPF_H

#include "nvme_access.bpf.h"
#include "nvme_table.bpf.h"
#include "series.bpf.h"

NVME_INDEX(nvme_paths, struct iostrata_nvme_path, IOSTRATA_DEVICES_MAX); /* to the device's number */

static __always_inline bool nvme_path_learn(struct request *rq, u32 dev)
{
	struct gendisk *disk = request_disk_by(BPF_CORE_READ, rq);
	struct iostrata_nvme_path path = {};
	struct iostrata_device *device;
	u32 *number;

	bpf_core_read_str(path.name, sizeof(path.name), &disk->disk_name);
	number = bpf_map_lookup_elem(&nvme_paths, &path);
	device = number ? bpf_map_lookup_elem(&devices, number) : 0;
	if (!device)
		return false;
	device->dev = dev;
	device->used = 1;
	/* Another CPU may have been first: it wrote the same. */
	(void)bpf_map_update_elem(&device_index, &dev, number, BPF_NOEXIST);
	return true;
}

static __always_inline bool nvme_is_wanted(struct request *rq)
{
	u32 dev;

	if (!cfg_filter_devices)
		return true;
	dev = nvme_request_dev(rq);
	if (bpf_map_lookup_elem(&device_index, &dev))
		return true;
	return cfg_late_devices && dev && nvme_path_learn(rq, dev);
}

#endif
