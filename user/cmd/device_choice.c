// SPDX-License-Identifier: GPL-2.0-only
// In: names of devices. Out: their numbers, and whether they keep stamps.
#include "cmd/device_choice.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/device_state.h"
#include "probe/devno.h"

static int by_path(const char *path, uint32_t *dev, struct why *why)
{
	struct stat st;

	if (stat(path, &st))
		return why_set(why, -errno, EXIT_USAGE, "%s: %s; `lsblk -d` lists the disks", path,
			       why_text(errno));
	if (!S_ISBLK(st.st_mode))
		return why_set(why, -ENOTBLK, EXIT_USAGE,
			       "%s is no block device; name the disk its data lies on (`findmnt -T %s`)",
			       path, path);
	*dev = devno_from_user(st.st_rdev);
	return 0;
}

static int by_name(const char *name, uint32_t *dev, struct why *why)
{
	char path[320];
	unsigned int major, minor;
	FILE *file;
	int got = 0;

	snprintf(path, sizeof(path), "/sys/class/block/%s/dev", name);
	file = fopen(path, "re");
	if (file) {
		got = fscanf(file, "%u:%u", &major, &minor);
		fclose(file);
	}
	if (got != 2)
		return why_set(why, -ENODEV, EXIT_USAGE,
			       "%s: no such block device; `lsblk -d` lists the disks", name);
	*dev = devno_kernel(major, minor);
	return 0;
}

static int refuse_partition(const char *word, uint32_t dev, struct why *why)
{
	struct device_state state;
	char path[64];

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/partition", devno_major(dev),
		 devno_minor(dev));
	if (access(path, F_OK))
		return 0;
	device_state_by_number("/sys", devno_major(dev), devno_minor(dev), &state);
	return why_set(why, -EINVAL, EXIT_USAGE,
		       "%s is a partition; requests queue at its disk: trace %s", word, state.name);
}

int device_choose(const char *word, uint32_t *dev, struct why *why)
{
	int err;

	if (strlen(word) > 255)
		return why_set(why, -ENAMETOOLONG, EXIT_USAGE, "%.32s...: no such block device", word);
	err = strchr(word, '/') ? by_path(word, dev, why) : by_name(word, dev, why);
	return err ? err : refuse_partition(word, *dev, why);
}

/* `disk`: its folder in sysfs. A bio-based one (zram, dm) makes no requests. */
static bool lacks_stamps(const char *disk)
{
	char path[512];
	FILE *file;
	int value = 1;

	snprintf(path, sizeof(path), "%s/mq", disk);
	if (access(path, F_OK))
		return false;
	snprintf(path, sizeof(path), "%s/queue/iostats", disk);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (fscanf(file, "%d", &value) != 1)
		value = 1;
	fclose(file);
	return value == 0;
}

static bool any_lacks_stamps(void)
{
	DIR *dir = opendir("/sys/block");
	struct dirent *entry;
	char disk[320];
	bool lacks = false;

	if (!dir)
		return true;
	while (!lacks && (entry = readdir(dir))) {
		snprintf(disk, sizeof(disk), "/sys/block/%s", entry->d_name);
		lacks = lacks_stamps(disk);
	}
	closedir(dir);
	return lacks;
}

bool devices_lack_stamps(const uint32_t *devs, unsigned int count)
{
	char disk[64];

	for (unsigned int i = 0; i < count; i++) {
		snprintf(disk, sizeof(disk), "/sys/dev/block/%u:%u", devno_major(devs[i]),
			 devno_minor(devs[i]));
		if (lacks_stamps(disk))
			return true;
	}
	return !count && any_lacks_stamps();
}

bool device_makes_requests(uint32_t dev)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/mq", devno_major(dev), devno_minor(dev));
	return !access(path, F_OK);
}
