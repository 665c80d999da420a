/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Attribution: each I/O's total, shared out among the layers. In: flight
 * records of finished I/Os. Out: per layer a distribution, its share of all
 * time and of the slowest 1 %'s time, and what did not fit. Memory is fixed at
 * the start. Pure.
 */
#ifndef IOSTRATA_ATTRIBUTION_H
#define IOSTRATA_ATTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attribute/ladder.h"
#include "attribute/parts.h"
#include "attribute/row.h"
#include "stat/dist.h"

enum {
	ATTRIBUTION_ROWS = 40,
	/* Beside (from, to) pairs there are some rows of their own. */
	ATTRIBUTION_FLUSH = IOSTRATA_BOUNDARY_COUNT * IOSTRATA_BOUNDARY_COUNT,
	ATTRIBUTION_DEVICE_FLUSH, /* issued to completed, with a flush in it that can't be told apart */
	ATTRIBUTION_BIO_DEVICE, /* queued to completed where there are no requests */
	ATTRIBUTION_EARLIER,
	ATTRIBUTION_UNATTRIBUTED,
	ATTRIBUTION_KEYS,
};

struct attribution_counts {
	uint64_t ios;		      /* added */
	uint64_t whole;
	uint64_t kernel_events_missing; /* UNSEEN or INCOMPLETE */
	uint64_t order_violations;
	uint64_t clock_jitter;	      /* I/Os with a clamped step */
	uint64_t stage_sum_mismatch;  /* I/Os whose layers do not sum to the total: never */
	uint64_t rows_full;	      /* steps without a row left: unattributed */
	uint64_t violated[IOSTRATA_BOUNDARY_COUNT][IOSTRATA_BOUNDARY_COUNT]; /* by the pair */
	uint64_t split, merged, punted, requeued, end_unseen, read_ahead, bio_based, children;
};

struct attribution {
	struct attribution_row row[ATTRIBUTION_ROWS]; /* key: from * COUNT + to, or one of those above */
	unsigned int row_count;
	unsigned char row_of[ATTRIBUTION_KEYS]; /* index + 1; 0: none yet */
	bool has_tag_parts; /* set after init where the kernel shows them */
	struct tag_parts tag;
	struct dist total;		       /* planned to reaped */
	struct attribution_counts counts;
	uint64_t *depth_sum, *depth_count; /* per bucket of the total: issued_depth, where known */
};

struct attribution_share { /* one row, ready to show */
	char layer[48];
	const char *from, *to; /* "" for flush and unattributed */
	struct dist *dist;
	double share, tail_share; /* 0 to 1 */
};

struct attribution_part { /* of the row `tag` */
	const char *name;
	struct dist *dist;
	double share, tail_share; /* of all layers' time, as the rows' are */
};

struct attribution_tail { /* the slowest 1 %, by whole buckets of the total */
	uint64_t count, from_ns, sum_ns;
	double depth_mean; /* in flight on the device as they were issued; 0: unknown */
};

/* 0 or -ENOMEM. */
int attribution_init(struct attribution *attribution);
void attribution_free(struct attribution *attribution);
void attribution_add(struct attribution *attribution, const struct iostrata_record *record);

struct attribution_tail attribution_tail(const struct attribution *attribution);
/* Fills `out` (ATTRIBUTION_ROWS long) in the order of an I/O's life, the
 * unattributed last and always there; the count. Dists are borrowed.
 */
unsigned int attribution_shares(struct attribution *attribution, struct attribution_share *out);
/* What the row from queued to allocated consisted of: fills `out` with those
 * parts that occurred, the rest last; 0 where they can't be told apart.
 */
unsigned int attribution_tag_parts(struct attribution *attribution,
				   struct attribution_part out[TAG_PARTS]);
/* "prepared after first_issued (12), …": the pairs of order_violations, as many
 * as fit; "" when there are none.
 */
void attribution_violations(const struct attribution_counts *counts, char *out, size_t size);
bool attribution_is_tag(const struct attribution_share *share);

#endif
