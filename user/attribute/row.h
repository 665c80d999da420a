/* SPDX-License-Identifier: GPL-2.0-only
 *
 * One row of an attribution: a distribution, and what of it the I/Os of each
 * total had. In: times, with the bucket of the I/O's total. Pure.
 */
#ifndef IOSTRATA_ATTRIBUTION_ROW_H
#define IOSTRATA_ATTRIBUTION_ROW_H

#include <stdint.h>

#include "stat/dist.h"

enum { ATTRIBUTION_EXACT_MAX = 16384 }; /* samples a row keeps exactly */

struct attribution_row {
	unsigned int key; /* which one: its owner's number */
	struct dist dist;
	uint64_t *tail_ns; /* per bucket of the total: this row's time of the I/Os in it */
};

/* 0 or -ENOMEM; row_free in either case. */
int row_init(struct attribution_row *row);
void row_free(struct attribution_row *row);
void row_put(struct attribution_row *row, uint64_t ns, unsigned int bucket);

#endif
