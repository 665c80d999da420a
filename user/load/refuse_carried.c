// SPDX-License-Identifier: GPL-2.0-only
// In: a target open for reading. Out: what it carries: a signature libblkid
// knows, or bytes that are not zero.
#include <blkid/blkid.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load/refuse.h"

enum { SAMPLES = 64, SAMPLE_BYTES = 4096 };
#define EDGE_BYTES (1ull << 20) /* looked at in full, at the start and the end */

static void describe(blkid_probe probe, struct refuse_finding *found)
{
	const char *type = NULL, *usage = NULL, *label = NULL, *table = NULL;

	blkid_probe_lookup_value(probe, "TYPE", &type, NULL);
	blkid_probe_lookup_value(probe, "USAGE", &usage, NULL);
	blkid_probe_lookup_value(probe, "LABEL", &label, NULL);
	blkid_probe_lookup_value(probe, "PTTYPE", &table, NULL);
	if (type)
		snprintf(found->what, sizeof(found->what), "a signature: %s%s%s%s%s%s", type,
			 usage ? " (" : "", usage ? usage : "", usage ? ")" : "",
			 label ? " labelled " : "", label ? label : "");
	else
		snprintf(found->what, sizeof(found->what), "a partition table: %s",
			 table ? table : "of an unknown kind");
}

int refuse_signature(int fd, struct refuse_finding *found)
{
	blkid_probe probe = blkid_new_probe();
	int ret;

	if (!probe)
		return -ENOMEM;
	if (blkid_probe_set_device(probe, fd, 0, 0)) {
		blkid_free_probe(probe);
		return -EIO;
	}
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
							 BLKID_SUBLKS_LABEL);
	blkid_probe_enable_partitions(probe, 1);
	ret = blkid_do_safeprobe(probe);
	if (ret == 0)
		describe(probe, found);
	else if (ret == -2)
		snprintf(found->what, sizeof(found->what), "several signatures that contradict each other");
	blkid_free_probe(probe);
	return ret == 1 ? 0 : ret == 0 || ret == -2 ? 1 : -EIO;
}

static bool is_zero(const unsigned char *bytes, size_t count)
{
	return !count || (!bytes[0] && !memcmp(bytes, bytes + 1, count - 1));
}

/* 1 when a byte in [from, from + bytes) is not zero; 0; -errno. */
static int look_at(int fd, uint64_t from, uint64_t bytes)
{
	unsigned char block[16 * SAMPLE_BYTES];

	while (bytes) {
		size_t want = bytes < sizeof(block) ? (size_t)bytes : sizeof(block);
		ssize_t got = pread(fd, block, want, (off_t)from);

		if (got < 0)
			return -errno;
		if (!got)
			return 0;
		if (!is_zero(block, (size_t)got))
			return 1;
		from += (uint64_t)got;
		bytes -= (uint64_t)got;
	}
	return 0;
}

int refuse_content(int fd, uint64_t bytes, struct refuse_finding *found)
{
	uint64_t edge = bytes < EDGE_BYTES ? bytes : EDGE_BYTES;
	int ret = look_at(fd, 0, edge);

	if (!ret)
		ret = look_at(fd, bytes - edge, edge);
	for (uint64_t i = 1; !ret && i < SAMPLES; i++)
		ret = look_at(fd, bytes / SAMPLES * i, SAMPLE_BYTES);
	if (ret > 0)
		snprintf(found->what, sizeof(found->what), "data (it is not all zeros)");
	return ret;
}
