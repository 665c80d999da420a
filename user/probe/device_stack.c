// SPDX-License-Identifier: GPL-2.0-only
// In: a disk. Out: the disks below it.
#include "probe/device_stack.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "probe/device_behind.h"
#include "probe/device_state.h"
#include "probe/kernel_text.h"
#include "probe/nvme_path.h"

/* A disk twice in a stack, as both legs of a mirror may be, is one device. */
static void add(struct device_stack *stack, const struct device_state *disk, const char *above)
{
	struct device_below *below = &stack->below[stack->count];

	for (unsigned int i = 0; i < stack->count; i++)
		if (!strcmp(stack->below[i].name, disk->name))
			return;
	if (stack->count == DEVICE_STACK_MAX)
		return;
	*below = (struct device_below){ .major = disk->major, .minor = disk->minor };
	memcpy(below->name, disk->name, sizeof(below->name));
	snprintf(below->above, sizeof(below->above), "%.31s", above);
	stack->count++;
}

/* By number: a slave may be a partition, whose disk is meant. */
static void add_slave(struct device_stack *stack, const char *sysfs, const char *above,
		      const char *slave)
{
	struct device_state disk;
	unsigned int major, minor;
	char path[PATH_MAX], line[32];

	snprintf(path, sizeof(path), "%s/class/block/%.255s", sysfs, slave);
	if (!kernel_line(path, "dev", line, sizeof(line)) &&
	    sscanf(line, "%u:%u", &major, &minor) == 2 &&
	    !device_state_by_number(sysfs, major, minor, &disk))
		add(stack, &disk, above);
}

static void add_slaves(struct device_stack *stack, const char *sysfs, const char *above)
{
	char path[PATH_MAX];
	struct dirent **entries;
	int count;

	snprintf(path, sizeof(path), "%s/block/%.31s/slaves", sysfs, above);
	count = scandir(path, &entries, NULL, versionsort);
	for (int i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.')
			add_slave(stack, sysfs, above, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static void add_backing(struct device_stack *stack, const char *sysfs, const char *above)
{
	char path[PATH_MAX], file[PATH_MAX];
	struct device_state disk;
	dev_t dev;

	snprintf(path, sizeof(path), "%s/block/%.31s", sysfs, above);
	if (!kernel_line(path, "loop/backing_file", file, sizeof(file)) && !device_behind(file, &dev) &&
	    !device_state_by_number(sysfs, major(dev), minor(dev), &disk))
		add(stack, &disk, above);
}

static bool is_multipath(const char *sysfs, const char *name)
{
	char path[PATH_MAX], head[32];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/block", sysfs);
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir))) {
		nvme_path_head(entry->d_name, head, sizeof(head));
		found = !strcmp(head, name);
	}
	if (dir)
		closedir(dir);
	return found;
}

static void descend(struct device_stack *stack, const char *sysfs, const char *name)
{
	add_slaves(stack, sysfs, name);
	add_backing(stack, sysfs, name);
	stack->has_paths |= is_multipath(sysfs, name);
}

void device_stack_read(const char *sysfs, const char *name, struct device_stack *out)
{
	*out = (struct device_stack){ 0 };
	descend(out, sysfs, name);
	for (unsigned int i = 0; i < out->count; i++)
		descend(out, sysfs, out->below[i].name);
}
