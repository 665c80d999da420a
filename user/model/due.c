// SPDX-License-Identifier: GPL-2.0-only
// In: moments in any order. Out: the earliest first; a binary heap.
#include "model/due.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

int due_init(struct due_heap *heap, size_t capacity)
{
	*heap = (struct due_heap){ .capacity = capacity };
	heap->items = calloc(capacity ? capacity : 1, sizeof(*heap->items));
	return heap->items ? 0 : -ENOMEM;
}

void due_free(struct due_heap *heap)
{
	free(heap->items);
	heap->items = NULL;
}

static bool before(const struct due *a, const struct due *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

static void swap(struct due *a, struct due *b)
{
	struct due kept = *a;

	*a = *b;
	*b = kept;
}

void due_push(struct due_heap *heap, uint64_t at_ns, uint32_t client)
{
	size_t i = heap->count++;

	heap->items[i] = (struct due){ at_ns, heap->pushed++, client };
	for (; i && before(&heap->items[i], &heap->items[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&heap->items[i], &heap->items[(i - 1) / 2]);
}

static size_t earliest_of_family(const struct due_heap *heap, size_t parent)
{
	size_t earliest = parent;

	for (size_t child = 2 * parent + 1; child <= 2 * parent + 2; child++)
		if (child < heap->count && before(&heap->items[child], &heap->items[earliest]))
			earliest = child;
	return earliest;
}

struct due due_pop(struct due_heap *heap)
{
	struct due first = heap->items[0];
	size_t i = 0, child;

	heap->items[0] = heap->items[--heap->count];
	while ((child = earliest_of_family(heap, i)) != i) {
		swap(&heap->items[i], &heap->items[child]);
		i = child;
	}
	return first;
}
