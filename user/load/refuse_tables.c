// SPDX-License-Identifier: GPL-2.0-only
// In: /proc/self/mountinfo and /proc/swaps. Out: whether the target is in one.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "load/refuse.h"

static bool is_octal(const char *at)
{
	return at[0] == '\\' && at[1] >= '0' && at[1] <= '3' && at[2] >= '0' && at[2] <= '7' &&
	       at[3] >= '0' && at[3] <= '7';
}

void refuse_unescape(char *name)
{
	char *to = name;

	for (char *at = name; *at; to++) {
		if (is_octal(at)) {
			*to = (char)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
			at += 4;
		} else {
			*to = *at++;
		}
	}
	*to = '\0';
}

struct mount {
	dev_t device;
	char *at, *source; /* unescaped; into the line */
};

/* "36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw": the fields
 * before the dash vary in number.
 */
static bool parse_mount(char *line, struct mount *mount)
{
	unsigned int major, minor;
	char *save, *field[5], *rest = strstr(line, " - ");

	if (!rest)
		return false;
	*rest = '\0';
	rest += 3;
	for (int i = 0; i < 5; i++) {
		field[i] = strtok_r(i ? NULL : line, " ", &save);
		if (!field[i])
			return false;
	}
	if (sscanf(field[2], "%u:%u", &major, &minor) != 2)
		return false;
	mount->device = makedev(major, minor);
	mount->at = field[4];
	if (!strtok_r(rest, " ", &save))
		return false;
	mount->source = strtok_r(NULL, " \n", &save);
	refuse_unescape(mount->at);
	if (mount->source)
		refuse_unescape(mount->source);
	return true;
}

/* btrfs and others show a device number of their own: then the source tells. */
static bool is_mount_of(const struct mount *mount, const struct refuse_scope *scope, dev_t *device)
{
	*device = mount->device;
	if (scope->block && refuse_scope_has(scope, mount->device))
		return true;
	return mount->source && mount->source[0] == '/' &&
	       refuse_scope_names(scope, mount->source, device);
}

int refuse_mounts(FILE *mountinfo, const struct refuse_scope *scope, struct refuse_finding *found)
{
	struct mount mount;
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	while (!ret && getline(&line, &size, mountinfo) > 0) {
		if (!parse_mount(line, &mount)) {
			ret = -EINVAL;
		} else if (is_mount_of(&mount, scope, &found->device)) {
			snprintf(found->what, sizeof(found->what), "mounted at %s", mount.at);
			ret = 1;
		}
	}
	if (!ret && ferror(mountinfo))
		ret = -EIO;
	free(line);
	return ret;
}

int refuse_swaps(FILE *swaps, const struct refuse_scope *scope, struct refuse_finding *found)
{
	char *line = NULL, *save, *name;
	size_t size = 0;
	int ret = 0;

	while (!ret && getline(&line, &size, swaps) > 0) {
		name = strtok_r(line, " \t\n", &save);
		if (!name || name[0] != '/')
			continue; /* the heading */
		refuse_unescape(name);
		if (refuse_scope_names(scope, name, &found->device)) {
			snprintf(found->what, sizeof(found->what), "used as swap (%s)", name);
			ret = 1;
		}
	}
	if (!ret && ferror(swaps))
		ret = -EIO;
	free(line);
	return ret;
}
