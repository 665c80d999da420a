/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A histogram of u64 values: log2 with linear sub-buckets, uncapped, exact
 * count, sum, minimum and maximum; merges by addition. In: values, or a
 * kernel histogram's buckets. Out: quantiles as bucket bounds, with their
 * error. Pure: no I/O, no clock.
 */
#ifndef IOSTRATA_STAT_HIST_H
#define IOSTRATA_STAT_HIST_H

#include <stdint.h>

struct hist {
	unsigned int sub_bits;
	unsigned int size; /* buckets */
	uint64_t count, sum, min, max; /* min is UINT64_MAX while empty */
	uint64_t *bucket;
};

/* sub_bits 0 to 10. 0 or -ENOMEM. hist_free of a zeroed struct is harmless. */
int hist_init(struct hist *hist, unsigned int sub_bits);
void hist_free(struct hist *hist);
void hist_clear(struct hist *hist);
void hist_add(struct hist *hist, uint64_t value);
/* Adds `from` to `into`; -EINVAL when their sub_bits differ. */
int hist_merge(struct hist *into, const struct hist *from);
/* into = later - earlier, both monotonic snapshots of one histogram. The
 * window's min and max are its outermost buckets' bounds, unless the exact
 * ones are known to lie in the window.
 */
int hist_window(struct hist *into, const struct hist *later, const struct hist *earlier);
/* Coarser: `into` gets fewer sub_bits; exact. -EINVAL if it has more. */
int hist_fold(struct hist *into, const struct hist *from);

/* The nearest-rank quantile's bucket: its high bound, never above max nor
 * below min. permyriad: 9990 is p99.9. 0 while empty.
 */
uint64_t hist_quantile(const struct hist *hist, unsigned int permyriad);
/* Largest relative error of a quantile: 2^-sub_bits. */
double hist_rel_error(const struct hist *hist);

/* Nearest rank, in integers: ceil(count * permyriad / 10000), at least 1. */
uint64_t quantile_rank(uint64_t count, unsigned int permyriad);

#endif
