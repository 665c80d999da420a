// SPDX-License-Identifier: GPL-2.0-only
// The kernel's tables: mounts, swaps, symbols, cgroups. In: a byte that chooses
// one, and a table of any bytes. Out: a finding or none, within bounds.
#include <errno.h>

#include "fuzz.h"
#include "kernel/symbols.h"
#include "load/refuse.h"
#include "probe/cgroup_mounts.h"
#include "probe/device_behind.h"

/* A block device nobody has, so that names are compared and nothing matches. */
static const struct refuse_scope scope = { .path = "/dev/none", .block = true, .count = 1,
					   .related = { 0x7fff } };

static void mounts(FILE *table)
{
	struct refuse_finding found = { 0 };
	int ret = refuse_mounts(table, &scope, &found);

	FUZZ_HOLDS(ret == 0 || ret == 1 || ret == -EINVAL || ret == -EIO);
	FUZZ_HOLDS(strnlen(found.what, sizeof(found.what)) < sizeof(found.what));
}

static void swaps(FILE *table)
{
	struct refuse_finding found = { 0 };
	int ret = refuse_swaps(table, &scope, &found);

	FUZZ_HOLDS(ret == 0 || ret == 1 || ret == -EIO);
}

static void symbols(FILE *table)
{
	struct symbol wanted[] = { { "blkdev_bio_end_io", 0 }, { "io_complete_rw", 0 } };

	symbols_find(table, wanted, 2);
}

static void cgroups(FILE *table)
{
	struct cgroup_mounts found = cgroup_mounts_read(table);

	FUZZ_HOLDS(strnlen(found.v2, sizeof(found.v2)) < sizeof(found.v2));
	FUZZ_HOLDS(strnlen(found.v1_blkio, sizeof(found.v1_blkio)) < sizeof(found.v1_blkio));
}

/* One line into a small room, and the escapes by both of their readers. */
static void source(const uint8_t *data, size_t size)
{
	char *line = fuzz_text(data, size), found[16] = "";
	size_t length = strlen(line);

	if (mountinfo_source(line, 36, found, sizeof(found)))
		FUZZ_HOLDS(strnlen(found, sizeof(found)) < sizeof(found));
	refuse_unescape(line);
	FUZZ_HOLDS(strlen(line) <= length);
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[])(FILE *) = { mounts, swaps, symbols, cgroups };
	FILE *table;

	if (size < 2)
		return 0;
	source(data + 1, size - 1);
	table = fuzz_stream(data + 1, size - 1);
	if (!table)
		return 0;
	readers[data[0] % 4](table);
	fclose(table);
	return 0;
}
