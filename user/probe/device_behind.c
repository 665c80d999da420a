// SPDX-License-Identifier: GPL-2.0-only
// In: a path. Out: the number of the block device under it.
#include "probe/device_behind.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static bool is_octal(const char *at)
{
	for (int i = 0; i < 3; i++)
		if (at[i] < '0' || at[i] > '7')
			return false;
	return true;
}

/* mountinfo writes blanks and backslashes as \ooo. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *at = text; *at; to++) {
		if (*at == '\\' && is_octal(at + 1)) {
			*to = (char)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
			at += 4;
		} else {
			*to = *at++;
		}
	}
	*to = '\0';
}

bool mountinfo_source(const char *line, uint64_t mount_id, char *source, size_t size)
{
	const char *type, *from;
	uint64_t id;
	size_t length;

	/* ID … - TYPE SOURCE OPTIONS; " - " ends the optional fields. */
	type = strstr(line, " - ");
	if (!type || sscanf(line, "%" SCNu64, &id) != 1 || id != mount_id)
		return false;
	from = strchr(type + 3, ' ');
	if (!from)
		return false;
	length = strcspn(++from, " \n");
	if (length >= size)
		return false;
	memcpy(source, from, length);
	source[length] = '\0';
	unescape(source);
	return true;
}

static bool find_source(uint64_t mount_id, char *source, size_t size)
{
	FILE *in = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (in && !found && getline(&line, &room, in) > 0)
		found = mountinfo_source(line, mount_id, source, size);
	free(line);
	if (in)
		fclose(in);
	return found;
}

/* btrfs and its like give files a number no block device has (major 0): the
 * mount's source is the device then.
 */
static int device_of_mount(const char *path, dev_t *out)
{
	char source[PATH_MAX];
	struct statx mount;
	struct stat device;

	if (statx(AT_FDCWD, path, 0, STATX_MNT_ID, &mount))
		return -errno;
	if (!(mount.stx_mask & STATX_MNT_ID) ||
	    !find_source(mount.stx_mnt_id, source, sizeof(source)) || source[0] != '/' ||
	    stat(source, &device) || !S_ISBLK(device.st_mode))
		return -ENODEV;
	*out = device.st_rdev;
	return 0;
}

int device_behind(const char *path, dev_t *out)
{
	struct stat file;

	if (stat(path, &file))
		return -errno;
	if (S_ISBLK(file.st_mode)) {
		*out = file.st_rdev;
		return 0;
	}
	if (!major(file.st_dev))
		return device_of_mount(path, out);
	*out = file.st_dev;
	return 0;
}
