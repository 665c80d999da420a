/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What a layer consisted of: `tag` of waits that some kernels show apart. In:
 * the parts of one I/O's step. Out: rows beside the layers', which sum to that
 * layer's row: never added to it. Pure.
 */
#ifndef IOSTRATA_ATTRIBUTION_PARTS_H
#define IOSTRATA_ATTRIBUTION_PARTS_H

#include "attribute/row.h"

/* As they follow each other; what is none of the others is the rest. */
enum tag_part { TAG_FREEZE, TAG_QOS, TAG_WAIT, TAG_REST, TAG_PARTS };

struct tag_parts {
	struct attribution_row row[TAG_PARTS];
};

extern const char *const tag_part_names[TAG_PARTS];

int tag_parts_init(struct tag_parts *parts);
void tag_parts_free(struct tag_parts *parts);
/* `ns` of the whole step, and of its parts but the rest; if these were more than
 * the whole, the last of them would give way.
 */
void tag_parts_add(struct tag_parts *parts, uint64_t ns, const uint64_t part_ns[TAG_REST],
		   unsigned int bucket);

#endif
