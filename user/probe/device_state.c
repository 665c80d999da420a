// SPDX-License-Identifier: GPL-2.0-only
// In: a path or a device number. Out: struct device_state, from sysfs alone.
#include "probe/device_state.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/device_behind.h"
#include "probe/devno.h"
#include "probe/kernel_text.h"

static void set_unknown(struct device_state *out)
{
	*out = (struct device_state){
		.nr_requests = UINT64_MAX,   .hw_queues = UINT64_MAX, .size_bytes = UINT64_MAX,
		.logical_block = UINT64_MAX, .iostats = UINT64_MAX,   .rotational = UINT64_MAX,
		.wbt_lat_usec = UINT64_MAX,  .max_sectors_kb = UINT64_MAX,
	};
}

/* Where sysfs describes the disk: a partition's directory lies in its disk's. */
static int find_disk(const char *sysfs, uint32_t major, uint32_t minor, char *dir)
{
	char link[PATH_MAX], partition[PATH_MAX];
	int length = snprintf(link, sizeof(link), "%s/dev/block/%u:%u", sysfs, major, minor);

	if (length < 0 || (size_t)length >= sizeof(link))
		return -ENAMETOOLONG;
	if (!realpath(link, dir))
		return errno == ENOENT ? -ENODEV : -errno;
	if (!kernel_path(dir, "partition", partition, sizeof(partition)) &&
	    !access(partition, F_OK))
		*strrchr(dir, '/') = '\0';
	return 0;
}

static void read_number(const char *dir, struct device_state *out)
{
	char line[32];

	if (kernel_line(dir, "dev", line, sizeof(line)) ||
	    sscanf(line, "%u:%u", &out->major, &out->minor) != 2)
		out->major = out->minor = 0;
}

/* The first of `names` that says something. */
static void read_first(const char *dir, const char *const *names, char *out, size_t size)
{
	for (; *names; names++)
		if (!kernel_line(dir, *names, out, size) && out[0])
			return;
}

/* "none [mq-deadline] kyber": the one in brackets; bio-based devices of older
 * kernels say a bare "none".
 */
static void read_scheduler(const char *dir, struct device_state *out)
{
	char line[256], *from, *to;

	if (kernel_line(dir, "queue/scheduler", line, sizeof(line)))
		return;
	from = strchr(line, '[');
	to = from ? strchr(from, ']') : NULL;
	if (to)
		*to = '\0';
	snprintf(out->scheduler, sizeof(out->scheduler), "%.31s", to ? from + 1 : line);
}

static int is_entry(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void free_entries(struct dirent **entries, int count)
{
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
}

/* Hardware queues: one directory each in mq/, which bio-based devices lack. */
static void read_hw_queues(const char *dir, struct device_state *out)
{
	char path[PATH_MAX];
	struct dirent **entries;
	int count;

	if (kernel_path(dir, "mq", path, sizeof(path)))
		return;
	count = scandir(path, &entries, is_entry, NULL);
	if (count < 0)
		return;
	out->hw_queues = (uint64_t)count;
	free_entries(entries, count);
}

/* "sda1 sdb1"; a name that no longer fits shows as "…". */
static void append_slave(char *list, size_t size, const char *name)
{
	size_t used = strlen(list), room = size - used;

	if (strlen(name) + sizeof(" …") + 1 < room)
		snprintf(list + used, room, "%s%s", used ? " " : "", name);
	else if (room > sizeof(" …") && !strstr(list, "…"))
		snprintf(list + used, room, " …");
}

static void read_backing(const char *dir, struct device_state *out)
{
	char path[PATH_MAX];
	struct dirent **entries;
	int count;

	if (!kernel_line(dir, "loop/backing_file", out->backing, sizeof(out->backing)) ||
	    kernel_path(dir, "slaves", path, sizeof(path)))
		return;
	count = scandir(path, &entries, is_entry, versionsort);
	for (int i = 0; i < count; i++)
		append_slave(out->backing, sizeof(out->backing), entries[i]->d_name);
	if (count >= 0)
		free_entries(entries, count);
}

static void read_queue(const char *dir, struct device_state *out)
{
	kernel_line(dir, "queue/write_cache", out->write_cache, sizeof(out->write_cache));
	kernel_u64(dir, "queue/nr_requests", &out->nr_requests);
	kernel_u64(dir, "queue/logical_block_size", &out->logical_block);
	kernel_u64(dir, "queue/iostats", &out->iostats);
	kernel_u64(dir, "queue/rotational", &out->rotational);
	kernel_u64(dir, "queue/wbt_lat_usec", &out->wbt_lat_usec);
	kernel_u64(dir, "queue/max_sectors_kb", &out->max_sectors_kb);
	read_scheduler(dir, out);
	read_hw_queues(dir, out);
}

static void read_all(const char *dir, struct device_state *out)
{
	/* SCSI and NVMe, MMC; device-mapper has a name instead of a model. */
	static const char *const models[] = { "device/model", "device/name", "dm/name", NULL };
	static const char *const firmwares[] = { "device/firmware_rev", "device/rev",
						 "device/fwrev", NULL };
	uint64_t sectors;

	snprintf(out->name, sizeof(out->name), "%.31s", strrchr(dir, '/') + 1);
	read_number(dir, out);
	read_first(dir, models, out->model, sizeof(out->model));
	read_first(dir, firmwares, out->firmware, sizeof(out->firmware));
	if (!kernel_u64(dir, "size", &sectors))
		out->size_bytes = sectors * 512; /* sysfs counts 512-byte sectors, always */
	read_queue(dir, out);
	read_backing(dir, out);
}

int device_state_by_number(const char *sysfs, uint32_t major, uint32_t minor,
			   struct device_state *out)
{
	char dir[PATH_MAX];
	int err;

	set_unknown(out);
	err = find_disk(sysfs, major, minor, dir);
	if (!err)
		read_all(dir, out);
	return err;
}

int device_state_by_name(const char *sysfs, const char *name, struct device_state *out)
{
	char link[PATH_MAX], dir[PATH_MAX];
	int length = snprintf(link, sizeof(link), "%s/block/%s", sysfs, name);

	set_unknown(out);
	if (length < 0 || (size_t)length >= sizeof(link))
		return -ENAMETOOLONG;
	if (!realpath(link, dir))
		return errno == ENOENT ? -ENODEV : -errno;
	read_all(dir, out);
	return 0;
}

int device_state_read(const char *path, struct device_state *out)
{
	dev_t dev;
	int err;

	set_unknown(out);
	err = device_behind(path, &dev);
	return err ? err : device_state_by_number("/sys", major(dev), minor(dev), out);
}
