/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What is due when: a heap of moments, the earliest first; equal moments come
 * out in the order they went in. Its capacity is fixed when made. Pure.
 */
#ifndef IOSTRATA_MODEL_DUE_H
#define IOSTRATA_MODEL_DUE_H

#include <stddef.h>
#include <stdint.h>

struct due {
	uint64_t at_ns, order;
	uint32_t client;
};

struct due_heap {
	struct due *items;
	size_t count, capacity;
	uint64_t pushed;
};

/* 0 or -ENOMEM. due_free of a zeroed struct is harmless. */
int due_init(struct due_heap *heap, size_t capacity);
void due_free(struct due_heap *heap);
/* The caller knows that there is room; that there is an item. */
void due_push(struct due_heap *heap, uint64_t at_ns, uint32_t client);
struct due due_pop(struct due_heap *heap);

#endif
