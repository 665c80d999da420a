/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The memory I/Os read into and write from: one pool, page-aligned, in huge
 * pages where the kernel gives them. In: how many blocks of which size. Out: a
 * block for each slot. Nobody looks at the data, so that beyond a bound slots
 * share blocks and memory does not grow with cap times block size.
 */
#ifndef IOSTRATA_LOAD_BUFFERS_H
#define IOSTRATA_LOAD_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUFFERS_MAX_BYTES (64ull << 20) /* or one block, when that is larger */

struct buffers {
	unsigned char *base;
	size_t bytes;
	uint64_t stride, mask; /* slot & mask: which block */
};

/* Filled with seeded noise when `noise`: devices that compress or drop zeros
 * must not get off cheaply. 0 or -ENOMEM.
 */
int buffers_init(struct buffers *buffers, uint64_t count, uint64_t block_bytes, bool noise,
		 uint64_t seed);
void buffers_free(struct buffers *buffers);

static inline unsigned char *buffers_of(const struct buffers *buffers, uint32_t slot)
{
	return buffers->base + (slot & buffers->mask) * buffers->stride;
}

#endif
