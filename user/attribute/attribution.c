// SPDX-License-Identifier: GPL-2.0-only
// In: flight records. Out: per-layer sums and distributions that add up.
#include "attribute/attribution.h"

#include <errno.h>
#include <stdlib.h>

#include "buckets.h"

void attribution_free(struct attribution *attribution)
{
	for (unsigned int i = 0; i < ATTRIBUTION_ROWS; i++)
		row_free(&attribution->row[i]);
	tag_parts_free(&attribution->tag);
	dist_free(&attribution->total);
	free(attribution->depth_sum);
	free(attribution->depth_count);
	*attribution = (struct attribution){ 0 };
}

/* The row of `key`; when there is no room, the unattributed one, which is the
 * first and so always there.
 */
static struct attribution_row *row_for(struct attribution *attribution, unsigned int key)
{
	unsigned int index = attribution->row_of[key];

	if (index)
		return &attribution->row[index - 1];
	if (attribution->row_count == ATTRIBUTION_ROWS) {
		attribution->counts.rows_full++;
		return &attribution->row[0];
	}
	attribution->row[attribution->row_count].key = key;
	attribution->row_of[key] = (unsigned char)++attribution->row_count;
	return &attribution->row[attribution->row_count - 1];
}

int attribution_init(struct attribution *attribution)
{
	unsigned int size = IOSTRATA_HIST_BUCKETS(DIST_SUB_BITS);
	int err;

	*attribution = (struct attribution){ 0 };
	attribution->depth_sum = calloc(size, sizeof(uint64_t));
	attribution->depth_count = calloc(size, sizeof(uint64_t));
	err = !attribution->depth_sum || !attribution->depth_count ||
	      dist_init(&attribution->total, DIST_SUB_BITS, DIST_EXACT_MAX) ||
	      tag_parts_init(&attribution->tag);
	for (unsigned int i = 0; !err && i < ATTRIBUTION_ROWS; i++)
		err = row_init(&attribution->row[i]);
	if (err) {
		attribution_free(attribution);
		return -ENOMEM;
	}
	row_for(attribution, ATTRIBUTION_UNATTRIBUTED);
	return 0;
}

static uint64_t put(struct attribution *attribution, unsigned int key, uint64_t ns,
		    unsigned int bucket)
{
	row_put(row_for(attribution, key), ns, bucket);
	return ns;
}

/* The row of the step into `to`, but for the part of it that has its own. */
static unsigned int step_key(const struct ladder *ladder, const struct ladder_step *from,
			     const struct ladder_step *to)
{
	if (ladder->state != LADDER_WHOLE && from->at == IOSTRATA_SUBMITTED)
		return ATTRIBUTION_UNATTRIBUTED;
	if (ladder->flush_unseen && from->at == IOSTRATA_ISSUED && to->at == IOSTRATA_COMPLETED)
		return ATTRIBUTION_DEVICE_FLUSH;
	if (ladder->bio_based && from->at == IOSTRATA_QUEUED && to->at == IOSTRATA_COMPLETED)
		return ATTRIBUTION_BIO_DEVICE;
	return from->at * IOSTRATA_BOUNDARY_COUNT + to->at;
}

static uint64_t put_step(struct attribution *attribution, const struct ladder *ladder,
			 unsigned int i, unsigned int bucket)
{
	const struct ladder_step *from = &ladder->step[i - 1], *to = &ladder->step[i];
	uint64_t ns = to->ns - from->ns, part = 0, sum = 0;
	unsigned int part_key = ATTRIBUTION_FLUSH;

	if (to->at == IOSTRATA_COMPLETED) {
		part = ladder->flush_ns;
	} else if (to->at == ladder->earlier_at) {
		part = ladder->earlier_ns;
		part_key = ATTRIBUTION_EARLIER;
	}
	if (part > ns)
		part = ns;
	if (part)
		sum += put(attribution, part_key, part, bucket);
	if (attribution->has_tag_parts && from->at == IOSTRATA_QUEUED && to->at == IOSTRATA_ALLOCATED)
		tag_parts_add(&attribution->tag, ns - part, ladder->tag_part_ns, bucket);
	/* A step that is all flush has no row but that. */
	if (!part || part < ns)
		sum += put(attribution, step_key(ladder, from, to), ns - part, bucket);
	return sum;
}

static void count_state(struct attribution_counts *counts, const struct ladder *ladder)
{
	counts->ios++;
	counts->whole += ladder->state == LADDER_WHOLE;
	counts->order_violations += ladder->state == LADDER_DISORDERED;
	counts->violated[ladder->violated_from][ladder->violated_to] += ladder->state == LADDER_DISORDERED;
	counts->kernel_events_missing += ladder->state == LADDER_UNSEEN ||
					 ladder->state == LADDER_INCOMPLETE;
	counts->clock_jitter += ladder->jitters != 0;
}

static void count_kernel(struct attribution *attribution, const struct iostrata_record *record,
			 unsigned int bucket)
{
	struct attribution_counts *counts = &attribution->counts;
	uint32_t flags = record->kernel_flags;

	counts->split += (flags & IOSTRATA_K_SPLIT) != 0;
	counts->merged += (flags & IOSTRATA_K_MERGED) != 0;
	counts->punted += (flags & IOSTRATA_K_PUNTED) != 0;
	counts->requeued += (flags & IOSTRATA_K_REQUEUED) != 0;
	counts->end_unseen += (flags & IOSTRATA_K_END_UNSEEN) != 0;
	counts->read_ahead += (flags & IOSTRATA_K_READ_AHEAD) != 0;
	counts->bio_based += (flags & IOSTRATA_K_BIO_BASED) != 0;
	counts->children += record->bios_done;
	attribution->depth_sum[bucket] += record->issued_depth;
	attribution->depth_count[bucket] += record->issued_depth != 0;
}

void attribution_add(struct attribution *attribution, const struct iostrata_record *record)
{
	uint64_t total = record->reaped_ns - record->planned_ns, sum = 0;
	unsigned int bucket = iostrata_hist_index(total, DIST_SUB_BITS);
	struct ladder ladder;

	ladder_build(&ladder, record);
	count_state(&attribution->counts, &ladder);
	if (ladder.state == LADDER_WHOLE)
		count_kernel(attribution, record, bucket);
	dist_add(&attribution->total, total);
	for (unsigned int i = 1; i < ladder.count; i++)
		sum += put_step(attribution, &ladder, i, bucket);
	attribution->counts.stage_sum_mismatch += sum != total;
}
