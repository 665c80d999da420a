// SPDX-License-Identifier: GPL-2.0-only
// In: an attribution. Out: its rows in the order of an I/O's life, with their
// shares of all time and of the slowest 1 %'s time.
#include <stdio.h>
#include <stdlib.h>

#include "attribute/attribution.h"
#include "buckets.h"

/* The bucket in which the slowest 1 % begin: that of rank N - floor(N/100) + 1
 * and at least the slowest one.
 */
static unsigned int tail_bucket(const struct hist *total)
{
	uint64_t slowest = total->count / 100 ? total->count / 100 : 1, seen = 0;

	for (unsigned int i = total->size; i-- > 0;) {
		seen += total->bucket[i];
		if (seen >= slowest)
			return i;
	}
	return 0;
}

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

struct attribution_tail attribution_tail(const struct attribution *attribution)
{
	const struct hist *total = &attribution->total.hist;
	struct attribution_tail tail = { 0 };
	unsigned int first = tail_bucket(total);
	uint64_t depth_sum = 0, depth_count = 0;

	if (!total->count)
		return tail;
	tail.from_ns = iostrata_hist_low(first, total->sub_bits);
	if (tail.from_ns < total->min)
		tail.from_ns = total->min;
	for (unsigned int i = first; i < total->size; i++) {
		tail.count += total->bucket[i];
		depth_sum += attribution->depth_sum[i];
		depth_count += attribution->depth_count[i];
	}
	tail.depth_mean = ratio(depth_sum, depth_count);
	for (unsigned int row = 0; row < attribution->row_count; row++)
		for (unsigned int i = first; i < total->size; i++)
			tail.sum_ns += attribution->row[row].tail_ns[i];
	return tail;
}

static uint64_t row_tail_ns(const struct attribution *attribution, const struct attribution_row *row)
{
	uint64_t sum = 0;

	for (unsigned int i = tail_bucket(&attribution->total.hist);
	     i < attribution->total.hist.size; i++)
		sum += row->tail_ns[i];
	return sum;
}

/* Rows that are no stretch between two boundaries have neither. */
static const char *own_name(unsigned int key)
{
	switch (key) {
	case ATTRIBUTION_FLUSH:
		return "flush";
	case ATTRIBUTION_EARLIER:
		return "earlier";
	case ATTRIBUTION_UNATTRIBUTED:
		return "unattributed";
	default:
		return NULL;
	}
}

bool attribution_is_tag(const struct attribution_share *share)
{
	return share->from == boundary_name(IOSTRATA_QUEUED) &&
	       share->to == boundary_name(IOSTRATA_ALLOCATED);
}

static void name_row(struct attribution_share *share, unsigned int key)
{
	const char *own = own_name(key);
	unsigned int from = key / IOSTRATA_BOUNDARY_COUNT, to = key % IOSTRATA_BOUNDARY_COUNT;

	share->from = share->to = "";
	if (own) {
		snprintf(share->layer, sizeof(share->layer), "%s", own);
		return;
	}
	if (key == ATTRIBUTION_DEVICE_FLUSH) {
		from = IOSTRATA_ISSUED;
		to = IOSTRATA_COMPLETED;
		snprintf(share->layer, sizeof(share->layer), "device+flush");
	} else if (key == ATTRIBUTION_BIO_DEVICE) {
		from = IOSTRATA_QUEUED;
		to = IOSTRATA_COMPLETED;
		snprintf(share->layer, sizeof(share->layer), "device");
	} else {
		layer_name(from, to, share->layer, sizeof(share->layer));
	}
	share->from = boundary_name(from);
	share->to = boundary_name(to);
}

/* Rows by where they start, then by where they end; a flush after the device
 * it lies in, earlier bios before the last one is queued, the unattributed last.
 */
static unsigned int place(unsigned int key)
{
	unsigned int device = IOSTRATA_ISSUED * IOSTRATA_BOUNDARY_COUNT + IOSTRATA_COMPLETED;

	switch (key) {
	case ATTRIBUTION_DEVICE_FLUSH:
		return 4 * device + 1;
	case ATTRIBUTION_FLUSH:
		return 4 * device + 2;
	case ATTRIBUTION_BIO_DEVICE:
		return 4 * (IOSTRATA_QUEUED * IOSTRATA_BOUNDARY_COUNT + IOSTRATA_COMPLETED) + 1;
	case ATTRIBUTION_EARLIER:
		return 4 * IOSTRATA_BIO * IOSTRATA_BOUNDARY_COUNT - 1;
	default:
		return 4 * key;
	}
}

static int by_place(const void *a, const void *b)
{
	unsigned int x = place((*(struct attribution_row *const *)a)->key);
	unsigned int y = place((*(struct attribution_row *const *)b)->key);

	return (x > y) - (x < y);
}

static void fill(struct attribution_share *share, struct attribution *attribution,
		 struct attribution_row *row, uint64_t tail_sum_ns)
{
	name_row(share, row->key);
	share->dist = &row->dist;
	share->share = ratio(row->dist.hist.sum, attribution->total.hist.sum);
	share->tail_share = ratio(row_tail_ns(attribution, row), tail_sum_ns);
}

unsigned int attribution_shares(struct attribution *attribution, struct attribution_share *out)
{
	struct attribution_row *order[ATTRIBUTION_ROWS];
	struct attribution_tail tail = attribution_tail(attribution);
	unsigned int count = 0;

	for (unsigned int i = 0; i < attribution->row_count; i++)
		if (attribution->row[i].dist.hist.count ||
		    attribution->row[i].key == ATTRIBUTION_UNATTRIBUTED)
			order[count++] = &attribution->row[i];
	qsort(order, count, sizeof(*order), by_place);
	for (unsigned int i = 0; i < count; i++)
		fill(&out[i], attribution, order[i], tail.sum_ns);
	return count;
}

unsigned int attribution_tag_parts(struct attribution *attribution,
				   struct attribution_part out[TAG_PARTS])
{
	struct attribution_tail tail = attribution_tail(attribution);
	unsigned int count = 0;

	for (unsigned int i = 0; attribution->has_tag_parts && i < TAG_PARTS; i++) {
		struct attribution_row *row = &attribution->tag.row[i];

		if (!row->dist.hist.count)
			continue;
		out[count++] = (struct attribution_part){
			.name = tag_part_names[i],
			.dist = &row->dist,
			.share = ratio(row->dist.hist.sum, attribution->total.hist.sum),
			.tail_share = ratio(row_tail_ns(attribution, row), tail.sum_ns),
		};
	}
	return count;
}

void attribution_violations(const struct attribution_counts *counts, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (int key = 0; key < IOSTRATA_BOUNDARY_COUNT * IOSTRATA_BOUNDARY_COUNT; key++) {
		int from = key / IOSTRATA_BOUNDARY_COUNT, to = key % IOSTRATA_BOUNDARY_COUNT;

		if (!counts->violated[from][to] || used >= size)
			continue;
		used += (size_t)snprintf(out + used, size - used, "%s%s after %s (%llu)",
					 used ? ", " : "", boundary_name((enum iostrata_boundary)from),
					 boundary_name((enum iostrata_boundary)to),
					 (unsigned long long)counts->violated[from][to]);
	}
}
