// SPDX-License-Identifier: GPL-2.0-only
// In: an NVMe disk's name, sysfs. Out: its controller, transport and head.
#include "probe/nvme_path.h"

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
