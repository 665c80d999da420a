/* SPDX-License-Identifier: GPL-2.0-only
 *
 * One distribution as reports show it: a histogram, and beside it the exact
 * samples while they fit. In: ns values. Out: the JSON contract's DIST.
 * Memory is fixed at dist_init. Pure.
 */
#ifndef IOSTRATA_STAT_DIST_H
#define IOSTRATA_STAT_DIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/hist.h"

enum { DIST_SUB_BITS = 6, DIST_EXACT_MAX = 65536 };

struct dist {
	struct hist hist;
	uint64_t *exact; /* the first exact_max samples; NULL: histogram only */
	size_t exact_max;
};

struct dist_summary {
	uint64_t count, sum_ns, min_ns, mean_ns, max_ns; /* min 0 when empty */
	uint64_t p50_ns, p90_ns, p95_ns, p99_ns, p999_ns;
	double rel_error; /* of the quantiles; 0 when from exact samples */
	bool exact;
};

/* exact_max samples are kept (0: none). 0 or -ENOMEM. */
int dist_init(struct dist *dist, unsigned int sub_bits, size_t exact_max);
void dist_free(struct dist *dist);
void dist_add(struct dist *dist, uint64_t value_ns);
/* Adds `from` to `into`: stays exact while all samples fit into->exact_max,
 * else the histograms alone count. The order of merging shows nowhere in what
 * a summary says. 0, or -EINVAL when their sub_bits differ.
 */
int dist_merge(struct dist *into, const struct dist *from);
/* Sorts the exact samples in place when they are all there. */
struct dist_summary dist_summarize(struct dist *dist);
/* Any one quantile; 9990 is p99.9. */
uint64_t dist_quantile(struct dist *dist, unsigned int permyriad);
/* How many samples exceed `bound_ns`: exact, or by buckets. */
uint64_t dist_above(const struct dist *dist, uint64_t bound_ns);

/* From a bare histogram (the kernel's). */
struct dist_summary hist_summarize(const struct hist *hist);

#endif
