// SPDX-License-Identifier: GPL-2.0-only
// In: count and size of blocks. Out: a pool.
#include "load/buffers.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "load/prng.h"

enum { PAGE = 4096, NOISE_STREAM = 3 };
#define HUGE_PAGE (2ull << 20)

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* The largest power of two of blocks that is needed and within the bound. */
static uint64_t block_count(uint64_t count, uint64_t stride)
{
	uint64_t blocks = 1;

	while (blocks < count && 2 * blocks * stride <= BUFFERS_MAX_BYTES)
		blocks *= 2;
	return blocks;
}

/* Also touches each page now rather than under the clock. */
static void fill(struct buffers *buffers, bool noise, uint64_t seed)
{
	struct prng prng = prng_seeded(seed, NOISE_STREAM);
	uint64_t *word = (uint64_t *)(void *)buffers->base;

	if (!noise) {
		memset(buffers->base, 0x5a, buffers->bytes);
		return;
	}
	for (size_t i = 0; i < buffers->bytes / sizeof(*word); i++)
		word[i] = prng_next(&prng);
}

int buffers_init(struct buffers *buffers, uint64_t count, uint64_t block_bytes, bool noise,
		 uint64_t seed)
{
	uint64_t stride = round_up(block_bytes, PAGE), blocks = block_count(count, stride);
	size_t bytes = round_up(blocks * stride, HUGE_PAGE), slack = HUGE_PAGE;
	unsigned char *at = mmap(NULL, bytes + slack, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t skip;

	*buffers = (struct buffers){ 0 };
	if (at == MAP_FAILED)
		return -ENOMEM;
	skip = round_up((uintptr_t)at, HUGE_PAGE) - (uintptr_t)at;
	if (skip)
		munmap(at, skip);
	if (slack - skip)
		munmap(at + skip + bytes, slack - skip);
	*buffers = (struct buffers){ at + skip, bytes, stride, blocks - 1 };
	/* Only a hint: without huge pages it works just the same. */
	(void)madvise(buffers->base, bytes, MADV_HUGEPAGE);
	fill(buffers, noise, seed);
	return 0;
}

void buffers_free(struct buffers *buffers)
{
	if (buffers->base)
		munmap(buffers->base, buffers->bytes);
	buffers->base = NULL;
}
