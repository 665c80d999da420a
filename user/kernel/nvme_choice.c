// SPDX-License-Identifier: GPL-2.0-only
// In: chosen devices. Out: the paths of those that are NVMe multipath devices are
// chosen too.
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kernel/nvme_trace.h"
#include "probe/device_state.h"
#include "probe/devno.h"
#include "probe/nvme_path.h"
#include "trace.skel.h"

static unsigned int paths_of(uint32_t dev, char (*out)[NVME_DISK_NAME], unsigned int max)
{
	struct device_state state;

	if (device_state_by_number("/sys", devno_major(dev), devno_minor(dev), &state))
		return 0;
	return nvme_path_list("/sys", state.name, out, max);
}

bool nvme_trace_has_paths(const uint32_t *devs, unsigned int count)
{
	char name[1][NVME_DISK_NAME];

	for (unsigned int i = 0; i < count; i++)
		if (paths_of(devs[i], name, 1))
			return true;
	return false;
}

int nvme_trace_choose(struct trace_bpf *skel, const uint32_t *devs, unsigned int count,
		      struct why *why)
{
	char names[IOSTRATA_DEVICES_MAX][NVME_DISK_NAME];
	struct iostrata_nvme_path path;
	uint32_t number = count;

	for (unsigned int i = 0; i < count; i++) {
		unsigned int paths = paths_of(devs[i], names, IOSTRATA_DEVICES_MAX - number);

		for (unsigned int j = 0; j < paths; j++, number++) {
			memset(&path, 0, sizeof(path));
			snprintf(path.name, sizeof(path.name), "%.31s", names[j]);
			if (bpf_map_update_elem(bpf_map__fd(skel->maps.nvme_paths), &path, &number,
						BPF_ANY))
				return why_set(why, -errno, EXIT_FAILED,
					       "cannot set the device filter: %s", why_text(errno));
		}
	}
	skel->bss->devices_used = number;
	return 0;
}
