// SPDX-License-Identifier: GPL-2.0-only
// In: a flight record. Out: its ladder of boundaries, and layers' names.
#include "attribute/ladder.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define NAME(id, name, alias, by, starts, meaning) name,
	IOSTRATA_BOUNDARIES(NAME)
#undef NAME
};

static const char *const starts[] = {
#define STARTS(id, name, alias, by, starts, meaning) starts,
	IOSTRATA_BOUNDARIES(STARTS)
#undef STARTS
};

const char *boundary_name(enum iostrata_boundary boundary)
{
	return names[boundary];
}

/* The layer that ends at `to` when the boundary before it is the usual one. */
static const char *ends(enum iostrata_boundary from, enum iostrata_boundary to)
{
	switch (to) {
	case IOSTRATA_PUNTED:
		return "fs";
	case IOSTRATA_BIO:
		return from == IOSTRATA_PUNTED ? "punt" : "fs";
	case IOSTRATA_INSERTED:
		return "plug";
	case IOSTRATA_PREPARED:
	case IOSTRATA_FIRST_ISSUED:
	case IOSTRATA_ISSUED:
		if (from == IOSTRATA_FIRST_ISSUED)
			return "requeue";
		if (from == IOSTRATA_PREPARED)
			return "driver";
		return from == IOSTRATA_INSERTED ? "scheduler" : "sched";
	case IOSTRATA_DRIVER_DONE:
		return from == IOSTRATA_ANSWERED ? "irq" : "device";
	case IOSTRATA_COMPLETED:
		return from == IOSTRATA_DRIVER_DONE ? "complete" : "device";
	default:
		/* The others end the layer that starts one boundary earlier. */
		return starts[to - 1];
	}
}

static const char *begins(enum iostrata_boundary from, enum iostrata_boundary to)
{
	/* A request given to the scheduler: its wait before is the plug's. */
	if (from == IOSTRATA_ALLOCATED && to == IOSTRATA_INSERTED)
		return "plug";
	return starts[from];
}

void layer_name(enum iostrata_boundary from, enum iostrata_boundary to, char *out, unsigned int size)
{
	const char *first = begins(from, to), *last = ends(from, to);

	if (!strcmp(first, last))
		snprintf(out, size, "%s", first);
	else
		snprintf(out, size, "%s+%s", first, last);
}

static enum ladder_state state_of(const struct iostrata_record *record)
{
	if (record->kernel_generation != (record->generation & IOSTRATA_GENERATION_MASK))
		return LADDER_UNSEEN;
	if (!record->stamp[IOSTRATA_RETURNED] || record->bios_done != record->bios_started)
		return LADDER_INCOMPLETE;
	return LADDER_WHOLE;
}

static void push(struct ladder *ladder, enum iostrata_boundary at, uint64_t ns)
{
	ladder->step[ladder->count++] = (struct ladder_step){ at, ns };
}

/* Issued once: the first and the last time are one boundary. */
static bool is_seen(const struct iostrata_record *record, int at)
{
	if (at == IOSTRATA_FIRST_ISSUED && record->stamp[at] == record->stamp[IOSTRATA_ISSUED])
		return false;
	return record->stamp[at] != 0;
}

static void gather(struct ladder *ladder, const struct iostrata_record *record)
{
	push(ladder, IOSTRATA_PLANNED, record->planned_ns);
	push(ladder, IOSTRATA_SUBMITTED, record->submitted_ns);
	for (int at = IOSTRATA_ENTERED; at <= IOSTRATA_RETURNED; at++)
		if (ladder->state == LADDER_WHOLE && is_seen(record, at))
			push(ladder, (enum iostrata_boundary)at, record->stamp[at]);
	push(ladder, IOSTRATA_REAPED, record->reaped_ns);
}

/* Moves a kernel stamp that lies just outside [low, high] onto the edge. */
static bool clamp(struct ladder *ladder, uint64_t *ns, uint64_t low, uint64_t high)
{
	uint64_t want = *ns < low ? low : *ns > high ? high : *ns;
	uint64_t off = want > *ns ? want - *ns : *ns - want;

	if (off >= LADDER_JITTER_NS)
		return false;
	ladder->jitters += off != 0;
	*ns = want;
	return true;
}

static bool is_ordered(struct ladder *ladder)
{
	uint64_t end = ladder->step[ladder->count - 1].ns;

	for (unsigned int i = 2; i + 1 < ladder->count; i++) {
		uint64_t before = ladder->step[i - 1].ns;
		bool late = ladder->step[i].ns >= before; /* not below `before`: beyond the end */

		if (clamp(ladder, &ladder->step[i].ns, before, end))
			continue;
		ladder->violated_from = ladder->step[late ? i : i - 1].at;
		ladder->violated_to = late ? IOSTRATA_REAPED : ladder->step[i].at;
		return false;
	}
	return true;
}

static void gather_parts(struct ladder *ladder, const struct iostrata_record *record)
{
	uint64_t first_ns = record->first_bio_ns, last_ns = record->stamp[IOSTRATA_BIO];

	ladder->earlier_at = last_ns ? IOSTRATA_BIO : IOSTRATA_QUEUED;
	if (!last_ns)
		last_ns = record->stamp[IOSTRATA_QUEUED];
	ladder->flush_ns = record->flush_ns;
	ladder->bio_based = record->kernel_flags & IOSTRATA_K_BIO_BASED;
	ladder->tag_part_ns[TAG_FREEZE] = record->freeze_ns;
	ladder->tag_part_ns[TAG_QOS] = record->qos_ns;
	ladder->tag_part_ns[TAG_WAIT] = record->tag_wait_ns;
	ladder->flush_unseen = (record->kernel_flags & IOSTRATA_K_FLUSH_UNSEEN) && !record->flush_ns;
	if (first_ns && first_ns < last_ns)
		ladder->earlier_ns = last_ns - first_ns;
}

void ladder_build(struct ladder *ladder, const struct iostrata_record *record)
{
	*ladder = (struct ladder){ .state = state_of(record) };
	gather(ladder, record);
	if (ladder->state != LADDER_WHOLE)
		return;
	if (is_ordered(ladder)) {
		gather_parts(ladder, record);
		return;
	}
	*ladder = (struct ladder){ .state = LADDER_DISORDERED,
				   .violated_from = ladder->violated_from,
				   .violated_to = ladder->violated_to };
	gather(ladder, record);
}
