// SPDX-License-Identifier: GPL-2.0-only
// In: /proc/self. Out: which namespaces are the initial ones; the clock's offset.
#include "probe/namespaces.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "probe/kernel_text.h"

static const struct initial {
	const char *name;
	uint64_t inode;
} initial[] = {
	{ "cgroup", 0xEFFFFFFB }, { "pid", 0xEFFFFFFC }, { "user", 0xEFFFFFFD },
	{ "time", 0xEFFFFFFA },	  { NULL, 0 },
};

static int inode_of(const char *proc, const char *name, uint64_t *inode)
{
	char file[64], path[PATH_MAX];
	struct stat stat_of;
	int err;

	snprintf(file, sizeof(file), "self/ns/%s", name);
	err = kernel_path(proc, file, path, sizeof(path));
	if (err)
		return err;
	if (stat(path, &stat_of))
		return -errno;
	*inode = stat_of.st_ino;
	return 0;
}

enum namespace_kind namespace_of(const char *proc, const char *name)
{
	uint64_t inode;

	if (inode_of(proc, name, &inode))
		return NAMESPACE_UNKNOWN;
	for (const struct initial *at = initial; at->name; at++)
		if (!strcmp(at->name, name))
			return at->inode == inode ? NAMESPACE_INITIAL : NAMESPACE_OTHER;
	return NAMESPACE_UNKNOWN;
}

static int read_offset(const char *proc, int64_t *offset_ns)
{
	char path[PATH_MAX], line[128];
	int64_t seconds, ns;
	int err = kernel_path(proc, "self/timens_offsets", path, sizeof(path));
	FILE *in = err ? NULL : fopen(path, "re");

	if (!in)
		return err ? err : -errno;
	err = -EINVAL;
	while (err && fgets(line, sizeof(line), in)) {
		if (sscanf(line, "monotonic %" SCNd64 " %" SCNd64, &seconds, &ns) != 2)
			continue;
		*offset_ns = seconds * (int64_t)NS_PER_S + ns;
		err = 0;
	}
	fclose(in);
	return err;
}

int namespace_clock_offset(const char *proc, int64_t *offset_ns)
{
	uint64_t own, childrens;
	int err = inode_of(proc, "time", &own);

	*offset_ns = 0;
	/* No such file: a kernel without time namespaces (before 5.6). */
	if (err == -ENOENT || (!err && namespace_of(proc, "time") == NAMESPACE_INITIAL))
		return 0;
	if (err)
		return err;
	/* timens_offsets shows the namespace our children will be in. */
	err = inode_of(proc, "time_for_children", &childrens);
	if (err)
		return err;
	return own == childrens ? read_offset(proc, offset_ns) : -ENODATA;
}
