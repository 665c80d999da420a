// SPDX-License-Identifier: GPL-2.0-only
// In: the step queued to allocated of one I/O, and what it waited for. Out:
// rows of the parts, which sum to the step.
#include "attribute/parts.h"

const char *const tag_part_names[TAG_PARTS] = { "freeze", "rq_qos", "tag wait", "rest" };

int tag_parts_init(struct tag_parts *parts)
{
	int err = 0;

	for (int i = 0; !err && i < TAG_PARTS; i++)
		err = row_init(&parts->row[i]);
	return err;
}

void tag_parts_free(struct tag_parts *parts)
{
	for (int i = 0; i < TAG_PARTS; i++)
		row_free(&parts->row[i]);
}

void tag_parts_add(struct tag_parts *parts, uint64_t ns, const uint64_t part_ns[TAG_REST],
		   unsigned int bucket)
{
	for (int i = 0; i < TAG_REST; i++) {
		uint64_t part = part_ns[i] < ns ? part_ns[i] : ns;

		if (part)
			row_put(&parts->row[i], part, bucket);
		ns -= part;
	}
	row_put(&parts->row[TAG_REST], ns, bucket);
}
