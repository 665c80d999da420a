// SPDX-License-Identifier: GPL-2.0-only
// In: u64 values. Out: merged, windowed and folded histograms, quantiles.
#include "stat/hist.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buckets.h"

int hist_init(struct hist *hist, unsigned int sub_bits)
{
	*hist = (struct hist){ .sub_bits = sub_bits,
			       .size = IOSTRATA_HIST_BUCKETS(sub_bits),
			       .min = UINT64_MAX };
	hist->bucket = calloc(hist->size, sizeof(*hist->bucket));
	return hist->bucket ? 0 : -ENOMEM;
}

void hist_free(struct hist *hist)
{
	free(hist->bucket);
	hist->bucket = NULL;
}

void hist_clear(struct hist *hist)
{
	memset(hist->bucket, 0, hist->size * sizeof(*hist->bucket));
	hist->count = hist->sum = hist->max = 0;
	hist->min = UINT64_MAX;
}

void hist_add(struct hist *hist, uint64_t value)
{
	hist->bucket[iostrata_hist_index(value, hist->sub_bits)]++;
	hist->count++;
	hist->sum += value;
	if (value < hist->min)
		hist->min = value;
	if (value > hist->max)
		hist->max = value;
}

static void add_moments(struct hist *into, const struct hist *from)
{
	into->count += from->count;
	into->sum += from->sum;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
}

int hist_merge(struct hist *into, const struct hist *from)
{
	if (into->sub_bits != from->sub_bits)
		return -EINVAL;
	for (unsigned int i = 0; i < into->size; i++)
		into->bucket[i] += from->bucket[i];
	add_moments(into, from);
	return 0;
}

static void window_bounds(struct hist *into, const struct hist *later, const struct hist *earlier)
{
	unsigned int first = 0, last = into->size - 1;

	if (!into->count) {
		into->min = UINT64_MAX;
		into->max = 0;
		return;
	}
	while (!into->bucket[first])
		first++;
	while (!into->bucket[last])
		last--;
	/* An extreme that moved since the earlier snapshot lies in the window. */
	into->min = later->min < earlier->min ? later->min
					      : iostrata_hist_low(first, into->sub_bits);
	into->max = later->max > earlier->max ? later->max
					      : iostrata_hist_high(last, into->sub_bits);
	if (into->max > later->max)
		into->max = later->max;
	if (into->min < later->min)
		into->min = later->min;
}

int hist_window(struct hist *into, const struct hist *later, const struct hist *earlier)
{
	if (into->sub_bits != later->sub_bits || into->sub_bits != earlier->sub_bits)
		return -EINVAL;
	for (unsigned int i = 0; i < into->size; i++)
		into->bucket[i] = later->bucket[i] - earlier->bucket[i];
	into->count = later->count - earlier->count;
	into->sum = later->sum - earlier->sum;
	window_bounds(into, later, earlier);
	return 0;
}

int hist_fold(struct hist *into, const struct hist *from)
{
	if (into->sub_bits > from->sub_bits)
		return -EINVAL;
	for (unsigned int i = 0; i < from->size; i++) {
		uint64_t low = iostrata_hist_low(i, from->sub_bits);

		into->bucket[iostrata_hist_index(low, into->sub_bits)] += from->bucket[i];
	}
	add_moments(into, from);
	return 0;
}

uint64_t quantile_rank(uint64_t count, unsigned int permyriad)
{
	unsigned __int128 product = (unsigned __int128)count * permyriad;
	uint64_t rank = (uint64_t)((product + 9999) / 10000);

	return rank ? rank : 1;
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
	return value < low ? low : value > high ? high : value;
}

uint64_t hist_quantile(const struct hist *hist, unsigned int permyriad)
{
	uint64_t rank, seen = 0;

	if (!hist->count)
		return 0;
	rank = quantile_rank(hist->count, permyriad);
	for (unsigned int i = 0; i < hist->size; i++) {
		seen += hist->bucket[i];
		if (seen >= rank)
			return clamp(iostrata_hist_high(i, hist->sub_bits), hist->min, hist->max);
	}
	return hist->max;
}

double hist_rel_error(const struct hist *hist)
{
	return ldexp(1.0, -(int)hist->sub_bits);
}
