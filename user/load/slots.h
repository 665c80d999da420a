/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which flight-record slots are free, and in what order the taken ones were
 * submitted. In: take, submit, decide, put. Out: slot numbers. A slot is free
 * again only by slots_put (its CQE); a time-out merely takes it out of the
 * order (slots_decide). Fixed memory, every step O(1). Pure.
 */
#ifndef IOSTRATA_LOAD_SLOTS_H
#define IOSTRATA_LOAD_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#define SLOT_NONE UINT32_MAX

struct slot_link {
	uint32_t next, previous;
	bool undecided; /* submitted, and neither finished nor timed out */
};

struct slots {
	uint32_t *free;
	uint32_t count, free_count;
	uint32_t oldest, newest; /* of the undecided; SLOT_NONE */
	uint32_t undecided;
	struct slot_link *link;
};

/* 0 or -ENOMEM. */
int slots_init(struct slots *slots, uint32_t count);
void slots_free(struct slots *slots);

/* free_count must not be 0. Last freed, first taken: its record is warm. */
static inline uint32_t slots_take(struct slots *slots)
{
	return slots->free[--slots->free_count];
}

static inline uint32_t slots_in_flight(const struct slots *slots)
{
	return slots->count - slots->free_count;
}

/* Taken slot `slot` is submitted, after all those submitted before. */
static inline void slots_submit(struct slots *slots, uint32_t slot)
{
	slots->link[slot] = (struct slot_link){ SLOT_NONE, slots->newest, true };
	if (slots->newest == SLOT_NONE)
		slots->oldest = slot;
	else
		slots->link[slots->newest].next = slot;
	slots->newest = slot;
	slots->undecided++;
}

/* What became of the I/O is known. False if it was known before. */
static inline bool slots_decide(struct slots *slots, uint32_t slot)
{
	struct slot_link *link = &slots->link[slot];

	if (!link->undecided)
		return false;
	link->undecided = false;
	slots->undecided--;
	if (link->previous == SLOT_NONE)
		slots->oldest = link->next;
	else
		slots->link[link->previous].next = link->next;
	if (link->next == SLOT_NONE)
		slots->newest = link->previous;
	else
		slots->link[link->next].previous = link->previous;
	return true;
}

static inline void slots_put(struct slots *slots, uint32_t slot)
{
	slots->free[slots->free_count++] = slot;
}

#endif
