// SPDX-License-Identifier: GPL-2.0-only
// In: the target. Out: the device numbers that share its blocks: itself, its
// partitions, the whole disk it lies on.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "load/refuse.h"

static int add(struct refuse_scope *scope, dev_t device)
{
	/* Leaving one out could cost somebody's data. */
	if (scope->count == REFUSE_RELATED_MAX)
		return -E2BIG;
	scope->related[scope->count++] = device;
	return 0;
}

/* Reads "254:1" from `path`. -errno. */
static int read_number(const char *path, dev_t *device)
{
	unsigned int major, minor;
	FILE *file = fopen(path, "re");
	int got;

	if (!file)
		return -errno;
	got = fscanf(file, "%u:%u", &major, &minor);
	fclose(file);
	if (got != 2)
		return -EINVAL;
	*device = makedev(major, minor);
	return 0;
}

/* Subdirectories with a file `partition` are the disk's partitions. */
static int add_partitions(struct refuse_scope *scope, const char *disk)
{
	DIR *dir = opendir(disk);
	struct dirent *entry;
	char path[640];
	dev_t device;
	int err = 0;

	if (!dir)
		return -errno;
	while (!err && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s/partition", disk, entry->d_name);
		FILE *partition = fopen(path, "re");

		if (!partition)
			continue;
		fclose(partition);
		snprintf(path, sizeof(path), "%s/%s/dev", disk, entry->d_name);
		err = read_number(path, &device);
		if (!err)
			err = add(scope, device);
	}
	closedir(dir);
	return err;
}

static int add_whole_disk(struct refuse_scope *scope, const char *partition)
{
	char path[640];
	dev_t device;
	int err;

	snprintf(path, sizeof(path), "%s/../dev", partition);
	err = read_number(path, &device);
	return err ? err : add(scope, device);
}

int refuse_scope_of(const char *path, const struct stat *st, struct refuse_scope *scope)
{
	char sys[256], partition[300];
	FILE *file;

	*scope = (struct refuse_scope){ .path = path, .block = S_ISBLK(st->st_mode) };
	if (!scope->block) {
		scope->file_dev = st->st_dev;
		scope->file_ino = st->st_ino;
		return 0;
	}
	add(scope, st->st_rdev);
	snprintf(sys, sizeof(sys), "/sys/dev/block/%u:%u", major(st->st_rdev), minor(st->st_rdev));
	snprintf(partition, sizeof(partition), "%s/partition", sys);
	file = fopen(partition, "re");
	if (!file)
		return add_partitions(scope, sys);
	fclose(file);
	return add_whole_disk(scope, sys);
}

bool refuse_scope_has(const struct refuse_scope *scope, dev_t device)
{
	for (unsigned int i = 0; i < scope->count; i++)
		if (scope->related[i] == device)
			return true;
	return false;
}

bool refuse_scope_names(const struct refuse_scope *scope, const char *path, dev_t *device)
{
	struct stat st;

	*device = 0;
	if (stat(path, &st))
		return false;
	if (!scope->block)
		return st.st_dev == scope->file_dev && st.st_ino == scope->file_ino;
	*device = st.st_rdev;
	return S_ISBLK(st.st_mode) && refuse_scope_has(scope, st.st_rdev);
}
