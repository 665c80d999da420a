// SPDX-License-Identifier: GPL-2.0-only
// In: a device's path. Out: its control file found beside the backing file,
// and an order written to it.
#include "target/control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef FUSE_SUPER_MAGIC
#define FUSE_SUPER_MAGIC 0x65735546
#endif

/* The directory of the loop device's backing file, with its last slash. 1, 0
 * when it is no loop device (or a free one), -errno.
 */
static int backing_directory(const char *device_path, char *path, size_t size, struct why *why)
{
	char sysfs[96], *slash;
	struct stat st;
	FILE *file;
	int found;

	if (stat(device_path, &st))
		return why_set(why, -errno, EXIT_FAILED, "%s: %s", device_path, why_text(errno));
	if (!S_ISBLK(st.st_mode))
		return 0;
	snprintf(sysfs, sizeof(sysfs), "/sys/dev/block/%u:%u/loop/backing_file", major(st.st_rdev),
		 minor(st.st_rdev));
	file = fopen(sysfs, "re");
	if (!file)
		return 0;
	found = fgets(path, (int)size, file) != NULL;
	fclose(file);
	slash = found ? strrchr(path, '/') : NULL;
	if (!slash)
		return 0;
	slash[1] = 0;
	return 1;
}

int target_control_find(const char *device_path, char *path, size_t size, struct why *why)
{
	int err = backing_directory(device_path, path, size, why);
	struct statfs fs;
	struct stat st;
	size_t length;

	if (err <= 0)
		return err;
	/* Ask for the filesystem first: looking for "control" on any other is a
	 * question to a stranger's server.
	 */
	if (statfs(path, &fs) || fs.f_type != FUSE_SUPER_MAGIC)
		return 0;
	length = strlen(path);
	if ((size_t)snprintf(path + length, size - length, "control") >= size - length)
		return 0;
	return !stat(path, &st) && S_ISREG(st.st_mode);
}

int target_control_write(const char *path, const char *command, struct why *why)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;
	ssize_t length = (ssize_t)strlen(command);

	if (fd < 0)
		return why_set(why, -errno, EXIT_FAILED, "%s: %s; does its target still run?", path,
			       why_text(errno));
	if (write(fd, command, (size_t)length) != length)
		err = why_set(why, -errno, EXIT_FAILED, "%s: '%s' refused: %s", path, command,
			      why_text(errno));
	close(fd);
	return err;
}

int target_control_arm(const char *device_path, struct why *why)
{
	char path[512];
	int err = target_control_find(device_path, path, sizeof(path), why);

	if (err <= 0)
		return err;
	err = target_control_write(path, "arm", why);
	return err ? err : 1;
}
