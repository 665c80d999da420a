// SPDX-License-Identifier: GPL-2.0-only
// In: how many may be in flight. Out: all slots free, slot 0 first.
#include "load/slots.h"

#include <errno.h>
#include <stdlib.h>

int slots_init(struct slots *slots, uint32_t count)
{
	*slots = (struct slots){ .count = count, .oldest = SLOT_NONE, .newest = SLOT_NONE };
	slots->free = calloc(count, sizeof(*slots->free));
	slots->link = calloc(count, sizeof(*slots->link));
	if (!slots->free || !slots->link) {
		slots_free(slots);
		return -ENOMEM;
	}
	for (uint32_t i = count; i--;)
		slots_put(slots, i);
	return 0;
}

void slots_free(struct slots *slots)
{
	free(slots->free);
	free(slots->link);
	slots->free = NULL;
	slots->link = NULL;
}
