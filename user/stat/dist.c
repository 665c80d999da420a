// SPDX-License-Identifier: GPL-2.0-only
// In: samples. Out: count, moments and nearest-rank quantiles: exact while all
// samples were kept, else from the histogram with its error.
#include "stat/dist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "buckets.h"

int dist_init(struct dist *dist, unsigned int sub_bits, size_t exact_max)
{
	int err = hist_init(&dist->hist, sub_bits);

	dist->exact = NULL;
	dist->exact_max = exact_max;
	if (err || !exact_max)
		return err;
	/* Untouched pages cost nothing: a short run stays small. */
	dist->exact = malloc(exact_max * sizeof(*dist->exact));
	if (!dist->exact) {
		hist_free(&dist->hist);
		return -ENOMEM;
	}
	return 0;
}

void dist_free(struct dist *dist)
{
	hist_free(&dist->hist);
	free(dist->exact);
	dist->exact = NULL;
}

void dist_add(struct dist *dist, uint64_t value_ns)
{
	if (dist->hist.count < dist->exact_max)
		dist->exact[dist->hist.count] = value_ns;
	hist_add(&dist->hist, value_ns);
}

static bool all_kept(const struct dist *dist)
{
	return dist->exact && dist->hist.count <= dist->exact_max;
}

int dist_merge(struct dist *into, const struct dist *from)
{
	uint64_t held = into->hist.count, more = from->hist.count;

	if (into->hist.sub_bits != from->hist.sub_bits)
		return -EINVAL;
	if (all_kept(into) && all_kept(from) && more && held + more <= into->exact_max)
		memcpy(into->exact + held, from->exact, more * sizeof(*into->exact));
	else if (more && held <= into->exact_max)
		into->exact_max = held; /* from here on there are samples it does not hold */
	return hist_merge(&into->hist, &from->hist);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void sort(struct dist *dist)
{
	if (all_kept(dist) && dist->hist.count)
		qsort(dist->exact, dist->hist.count, sizeof(*dist->exact), compare);
}

static uint64_t sorted_quantile(const struct dist *dist, unsigned int permyriad)
{
	if (!dist->hist.count)
		return 0;
	if (!all_kept(dist))
		return hist_quantile(&dist->hist, permyriad);
	return dist->exact[quantile_rank(dist->hist.count, permyriad) - 1];
}

uint64_t dist_quantile(struct dist *dist, unsigned int permyriad)
{
	sort(dist);
	return sorted_quantile(dist, permyriad);
}

struct dist_summary hist_summarize(const struct hist *hist)
{
	return (struct dist_summary){
		.count = hist->count,
		.sum_ns = hist->sum,
		.min_ns = hist->count ? hist->min : 0,
		.mean_ns = hist->count ? hist->sum / hist->count : 0,
		.max_ns = hist->max,
		.p50_ns = hist_quantile(hist, 5000),
		.p90_ns = hist_quantile(hist, 9000),
		.p95_ns = hist_quantile(hist, 9500),
		.p99_ns = hist_quantile(hist, 9900),
		.p999_ns = hist_quantile(hist, 9990),
		.rel_error = hist_rel_error(hist),
	};
}

struct dist_summary dist_summarize(struct dist *dist)
{
	struct dist_summary summary = hist_summarize(&dist->hist);

	if (!all_kept(dist))
		return summary;
	sort(dist);
	summary.p50_ns = sorted_quantile(dist, 5000);
	summary.p90_ns = sorted_quantile(dist, 9000);
	summary.p95_ns = sorted_quantile(dist, 9500);
	summary.p99_ns = sorted_quantile(dist, 9900);
	summary.p999_ns = sorted_quantile(dist, 9990);
	summary.rel_error = 0;
	summary.exact = true;
	return summary;
}

uint64_t dist_above(const struct dist *dist, uint64_t bound_ns)
{
	uint64_t above = 0;

	if (all_kept(dist)) {
		for (uint64_t i = 0; i < dist->hist.count; i++)
			above += dist->exact[i] > bound_ns;
		return above;
	}
	for (unsigned int i = iostrata_hist_index(bound_ns, dist->hist.sub_bits) + 1;
	     i < dist->hist.size; i++)
		above += dist->hist.bucket[i];
	return above;
}
