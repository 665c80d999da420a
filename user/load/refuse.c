// SPDX-License-Identifier: GPL-2.0-only
// In: a target to be written to. Out: leave, or the line that refuses it.
#include "load/refuse.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* A table that can't be read is no proof that the target is free. */
static int unreadable(const char *table, int err, const struct refuse_scope *scope, struct why *why)
{
	return why_set(why, err, EXIT_FAILED,
		       "%s: %s cannot be read (%s), so it may be in use; writing is refused",
		       scope->path, table, why_text(err));
}

static int in_use(const struct refuse_scope *scope, const struct refuse_finding *found,
		  struct why *why)
{
	if (scope->block && found->device && found->device != scope->related[0])
		return why_set(why, -EBUSY, EXIT_FAILED,
			       "%s: shares blocks with device %u:%u, which is %s; writing is refused, "
			       "--destroy-data or not", scope->path, major(found->device),
			       minor(found->device), found->what);
	return why_set(why, -EBUSY, EXIT_FAILED,
		       "%s: is %s; writing is refused, --destroy-data or not", scope->path,
		       found->what);
}

static int search_stream(const char *table,
			 int (*search)(FILE *, const struct refuse_scope *, struct refuse_finding *),
			 const struct refuse_scope *scope, struct why *why)
{
	struct refuse_finding found = { 0 };
	FILE *stream = fopen(table, "re");
	int ret;

	if (!stream)
		return unreadable(table, -errno, scope, why);
	ret = search(stream, scope, &found);
	fclose(stream);
	if (ret < 0)
		return unreadable(table, ret, scope, why);
	return ret ? in_use(scope, &found, why) : 0;
}

static int search_sysfs(int (*search)(const char *, const struct refuse_scope *,
				      struct refuse_finding *),
			const struct refuse_scope *scope, struct why *why)
{
	struct refuse_finding found = { 0 };
	int ret = search("/sys", scope, &found);

	if (ret < 0)
		return unreadable("/sys", ret, scope, why);
	return ret ? in_use(scope, &found, why) : 0;
}

static int search_all(const struct refuse_scope *scope, struct why *why)
{
	int err = search_stream("/proc/self/mountinfo", refuse_mounts, scope, why);

	/* No /proc/swaps: a kernel without swap. */
	if (!err && !access("/proc/swaps", F_OK))
		err = search_stream("/proc/swaps", refuse_swaps, scope, why);
	if (!err && scope->block)
		err = search_sysfs(refuse_holders, scope, why);
	if (!err)
		err = search_sysfs(refuse_loops, scope, why);
	return err;
}

int refuse_in_use(const char *path, const struct stat *st, struct why *why)
{
	struct refuse_scope scope;
	int err = refuse_scope_of(path, st, &scope);

	return err ? unreadable("/sys", err, &scope, why) : search_all(&scope, why);
}

/* The consent must name this very target, by whatever path. */
static int consents(const struct load_config *config, const struct stat *target, struct why *why)
{
	struct stat named;

	if (!config->destroy_data)
		return 0;
	if (stat(config->destroy_data, &named))
		return why_set(why, -errno, EXIT_USAGE, "--destroy-data %s: %s; it must name the target",
			       config->destroy_data, why_text(errno));
	if (S_ISBLK(target->st_mode) ? S_ISBLK(named.st_mode) && named.st_rdev == target->st_rdev
				     : named.st_dev == target->st_dev && named.st_ino == target->st_ino)
		return 1;
	return why_set(why, -EPERM, EXIT_USAGE,
		       "--destroy-data %s: is not the target %s; the consent must name it",
		       config->destroy_data, config->target);
}

static int carries(int fd, const struct stat *st, struct refuse_finding *found)
{
	uint64_t bytes = 0;
	int ret = refuse_signature(fd, found);

	if (ret)
		return ret;
	if (!S_ISBLK(st->st_mode)) {
		snprintf(found->what, sizeof(found->what), "a file that exists");
		return 1;
	}
	if (ioctl(fd, BLKGETSIZE64, &bytes))
		return -errno;
	return refuse_content(fd, bytes, found);
}

int refuse_carried(const struct load_config *config, int fd, const struct stat *st,
		   struct why *why)
{
	struct refuse_finding found = { 0 };
	int ret = consents(config, st, why);

	if (ret)
		return ret < 0 ? ret : 0;
	ret = carries(fd, st, &found);
	if (ret < 0)
		return why_set(why, ret, EXIT_FAILED,
			       "%s: cannot tell what is on it (%s); writing is refused",
			       config->target, why_text(ret));
	if (ret)
		return why_set(why, -EEXIST, EXIT_FAILED,
			       "%s: carries %s; to overwrite it add: --destroy-data %s",
			       config->target, found.what, config->target);
	return 0;
}
