/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which block of the target the next I/O takes. In: how many blocks there
 * are. Out: byte offsets, aligned to the block size. Pure.
 */
#ifndef IOSTRATA_LOAD_OFFSETS_H
#define IOSTRATA_LOAD_OFFSETS_H

#include <stdbool.h>
#include <stdint.h>

#include "load/prng.h"

enum { OFFSETS_STREAM = 2 };

struct offsets {
	uint64_t blocks, block_bytes, next;
	bool random;
	struct prng prng;
};

/* A tail shorter than a block is never touched; target_bytes >= block_bytes. */
static inline struct offsets offsets_over(uint64_t target_bytes, uint64_t block_bytes, bool random,
					  uint64_t seed)
{
	return (struct offsets){ .blocks = target_bytes / block_bytes, .block_bytes = block_bytes,
				 .random = random, .prng = prng_seeded(seed, OFFSETS_STREAM) };
}

static inline uint64_t offsets_next(struct offsets *offsets)
{
	uint64_t block;

	if (offsets->random)
		return prng_below(&offsets->prng, offsets->blocks) * offsets->block_bytes;
	block = offsets->next++;
	if (offsets->next == offsets->blocks)
		offsets->next = 0;
	return block * offsets->block_bytes;
}

#endif
