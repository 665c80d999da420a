// SPDX-License-Identifier: GPL-2.0-only
// In: mountinfo and cgroup.controllers. Out: facts on who throttles I/O, and
// which cgroup a program sees.
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "probe/cgroup_mounts.h"
#include "probe/facts.h"
#include "probe/kernel_text.h"

/* Is `word` one of those that `separator` divides? */
static bool has_word(const char *list, const char *word, char separator)
{
	const char both[] = { separator, '\n', '\0' };
	size_t length = strlen(word), span;

	for (; *list; list += span + (list[span] != '\0')) {
		span = strcspn(list, both);
		if (span == length && !strncmp(list, word, length))
			return true;
	}
	return false;
}

/* ID PARENT DEV ROOT MOUNTPOINT … - TYPE SOURCE SUPER_OPTIONS */
static void take_line(char *line, struct cgroup_mounts *out)
{
	char *tail = strstr(line, " - "), type[16], options[256], point[160];

	if (!tail || sscanf(tail, " - %15s %*s %255s", type, options) != 2 ||
	    sscanf(line, "%*s %*s %*s %*s %159s", point) != 1)
		return;
	if (!strcmp(type, "cgroup2") && !out->v2[0])
		strcpy(out->v2, point);
	else if (!strcmp(type, "cgroup") && !out->v1_blkio[0] && has_word(options, "blkio", ','))
		strcpy(out->v1_blkio, point);
}

struct cgroup_mounts cgroup_mounts_read(FILE *mountinfo)
{
	struct cgroup_mounts out = { "", "" };
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, mountinfo) > 0)
		take_line(line, &out);
	free(line);
	return out;
}

static void add_v2(const char *point, struct facts *facts)
{
	char controllers[256];
	int err = kernel_line(point, "cgroup.controllers", controllers, sizeof(controllers));

	fact_text(facts, "cgroup", "v2_mount", point);
	if (err)
		fact_unknown(facts, "cgroup", "v2_io_controller", err);
	else
		fact_flag(facts, "cgroup", "v2_io_controller", has_word(controllers, "io", ' '));
}

static const char *describe(const struct cgroup_mounts *mounts)
{
	if (mounts->v1_blkio[0])
		return mounts->v2[0] ? "v1 and v2 (hybrid)" : "v1";
	return mounts->v2[0] ? "v2" : "none";
}

static const char *advice(const struct cgroup_mounts *mounts)
{
	if (mounts->v1_blkio[0])
		return "v1's blkio limits I/O; the id a program sees is v2's: groups made only in v1 "
		       "all look like v2's root";
	return mounts->v2[0] ? "" : "no hierarchy is mounted here: cgroups can't be named";
}

void facts_cgroup(const struct machine *machine, struct facts *facts)
{
	char path[PATH_MAX];
	struct cgroup_mounts mounts;
	int err = kernel_path(machine->proc, "self/mountinfo", path, sizeof(path));
	FILE *in = err ? NULL : fopen(path, "re");

	if (!in) {
		fact_unknown(facts, "cgroup", "hierarchies", err ? err : -errno);
		return;
	}
	mounts = cgroup_mounts_read(in);
	fclose(in);
	fact_remark(fact_text(facts, "cgroup", "hierarchies", describe(&mounts)), "%s",
		    advice(&mounts));
	if (mounts.v1_blkio[0])
		fact_text(facts, "cgroup", "v1_blkio_mount", mounts.v1_blkio);
	if (mounts.v2[0])
		add_v2(mounts.v2, facts);
}
