// SPDX-License-Identifier: GPL-2.0-only
// In: sysfs and the loop devices' own word. Out: whether another driver sits
// on the target, or a loop device is backed by it.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "load/refuse.h"

/* The first name in `path` but for "." and "..": 1, 0, or -errno. */
static int first_entry(const char *path, char *name, size_t size)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int ret = 0;

	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while (!ret && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, size, "%.100s", entry->d_name);
		ret = 1;
	}
	closedir(dir);
	return ret;
}

int refuse_holders(const char *sysfs, const struct refuse_scope *scope,
		   struct refuse_finding *found)
{
	char path[512], holder[128];

	for (unsigned int i = 0; i < scope->count; i++) {
		dev_t device = scope->related[i];
		int ret;

		snprintf(path, sizeof(path), "%s/dev/block/%u:%u/holders", sysfs, major(device),
			 minor(device));
		ret = first_entry(path, holder, sizeof(holder));
		if (ret < 0)
			return ret;
		if (ret) {
			found->device = device;
			snprintf(found->what, sizeof(found->what), "held by %s (dm, md or another driver)",
				 holder);
			return 1;
		}
	}
	return 0;
}

/* Asking the loop device itself also works across mount namespaces, where the
 * name in sysfs means another file. 1, 0, or -errno when it can't be asked.
 */
static int ask_loop(const char *name, const struct refuse_scope *scope, dev_t *device)
{
	struct loop_info64 info;
	char path[300];
	int fd, err = 0;

	snprintf(path, sizeof(path), "/dev/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	if (ioctl(fd, LOOP_GET_STATUS64, &info))
		err = -errno;
	close(fd);
	if (err)
		return err;
	/* The kernel's encoding of a device number there is user space's. */
	*device = (dev_t)info.lo_rdevice;
	if (scope->block)
		return info.lo_rdevice && refuse_scope_has(scope, *device);
	return info.lo_device == scope->file_dev && info.lo_inode == scope->file_ino;
}

static int read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");
	char *got;

	if (!file)
		return -errno;
	got = fgets(line, (int)size, file);
	fclose(file);
	if (!got)
		return -ENODATA;
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

static int backs(const char *sysfs, const char *name, const struct refuse_scope *scope,
		 struct refuse_finding *found)
{
	char path[512], backing[512];
	int ret;

	snprintf(path, sizeof(path), "%s/block/%s/loop/backing_file", sysfs, name);
	if (read_line(path, backing, sizeof(backing)))
		return 0; /* not set up */
	ret = ask_loop(name, scope, &found->device);
	if (ret <= 0 && refuse_scope_names(scope, backing, &found->device))
		ret = 1;
	if (ret <= 0)
		return 0;
	snprintf(found->what, sizeof(found->what), "the backing of /dev/%.100s (losetup -d would free it)",
		 name);
	return 1;
}

int refuse_loops(const char *sysfs, const struct refuse_scope *scope, struct refuse_finding *found)
{
	struct dirent *entry;
	char path[300];
	DIR *dir;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/block", sysfs);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (!ret && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, "loop", 4))
			ret = backs(sysfs, entry->d_name, scope, found);
	closedir(dir);
	return ret;
}
