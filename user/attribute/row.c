// SPDX-License-Identifier: GPL-2.0-only
// In: times of I/Os. Out: one row's distribution and its part of the tail.
#include "attribute/row.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "buckets.h"

/* Written to, not only had: a page's first use must not fall between two I/Os,
 * where it would be measured as backlog.
 */
int row_init(struct attribution_row *row)
{
	size_t size = IOSTRATA_HIST_BUCKETS(DIST_SUB_BITS) * sizeof(*row->tail_ns);

	row->tail_ns = malloc(size);
	if (!row->tail_ns || dist_init(&row->dist, DIST_SUB_BITS, ATTRIBUTION_EXACT_MAX))
		return -ENOMEM;
	memset(row->tail_ns, 0, size);
	hist_clear(&row->dist.hist);
	row->dist.exact[0] = 0;
	return 0;
}

void row_free(struct attribution_row *row)
{
	dist_free(&row->dist);
	free(row->tail_ns);
	row->tail_ns = NULL;
}

void row_put(struct attribution_row *row, uint64_t ns, unsigned int bucket)
{
	dist_add(&row->dist, ns);
	row->tail_ns[bucket] += ns;
}
