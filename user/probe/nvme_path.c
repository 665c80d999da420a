// SPDX-License-Identifier: GPL-2.0-only
// In: an NVMe disk's name, sysfs. Out: its controller, transport and head.
#include "probe/nvme_path.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/kernel_text.h"

void nvme_path_head(const char *disk, char *out, size_t size)
{
	unsigned int subsystem, controller, namespace;
	char end;

	out[0] = '\0';
	if (sscanf(disk, "nvme%uc%un%u%c", &subsystem, &controller, &namespace, &end) == 3)
		snprintf(out, size, "nvme%un%u", subsystem, namespace);
}

void nvme_path_controller(const char *sysfs, const char *disk, char *out, size_t size)
{
	unsigned int subsystem, controller, namespace;
	char link[PATH_MAX], target[PATH_MAX];
	const char *name;

	out[0] = '\0';
	if (sscanf(disk, "nvme%uc%un%u", &subsystem, &controller, &namespace) == 3) {
		snprintf(out, size, "nvme%u", controller);
		return;
	}
	snprintf(link, sizeof(link), "%s/block/%s/device", sysfs, disk);
	if (!realpath(link, target))
		return;
	name = strrchr(target, '/') + 1;
	/* A multipath device's is its subsystem. */
	if (sscanf(name, "nvme%u", &controller) == 1)
		snprintf(out, size, "%s", name);
}

void nvme_path_transport(const char *sysfs, const char *controller, char *out, size_t size)
{
	char dir[PATH_MAX];

	out[0] = '\0';
	if (!controller[0])
		return;
	snprintf(dir, sizeof(dir), "%s/class/nvme/%s", sysfs, controller);
	kernel_line(dir, "transport", out, size);
}

unsigned int nvme_path_list(const char *sysfs, const char *head, char (*out)[NVME_DISK_NAME],
			    unsigned int max)
{
	char dir[PATH_MAX], its_head[NVME_DISK_NAME];
	unsigned int count = 0;
	struct dirent *entry;
	DIR *disks;

	snprintf(dir, sizeof(dir), "%s/block", sysfs);
	disks = opendir(dir);
	while (disks && count < max && (entry = readdir(disks))) {
		nvme_path_head(entry->d_name, its_head, sizeof(its_head));
		if (its_head[0] && !strcmp(its_head, head))
			snprintf(out[count++], NVME_DISK_NAME, "%.31s", entry->d_name);
	}
	if (disks)
		closedir(disks);
	return count;
}
