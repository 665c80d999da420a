/* SPDX-License-Identifier: GPL-2.0-only
 *
 * xoshiro256++ (Blackman and Vigna), seeded by splitmix64: the same numbers on
 * every machine and libc. In: a seed and a stream number. Out: u64 draws.
 */
#ifndef IOSTRATA_LOAD_PRNG_H
#define IOSTRATA_LOAD_PRNG_H

#include <stdint.h>

struct prng {
	uint64_t s[4];
};

static inline uint64_t prng_splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* Streams of one seed are independent: gaps and offsets never share draws. */
static inline struct prng prng_seeded(uint64_t seed, uint64_t stream)
{
	uint64_t mix = stream, state = seed ^ prng_splitmix(&mix);
	struct prng prng;

	for (int i = 0; i < 4; i++)
		prng.s[i] = prng_splitmix(&state);
	return prng;
}

static inline uint64_t prng_rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

static inline uint64_t prng_next(struct prng *prng)
{
	uint64_t *s = prng->s, t = s[1] << 17;
	uint64_t out = prng_rotate(s[0] + s[3], 23) + s[0];

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = prng_rotate(s[3], 45);
	return out;
}

/* Uniform in [0, bound) without a division; its bias is below bound / 2^64. */
static inline uint64_t prng_below(struct prng *prng, uint64_t bound)
{
	return (uint64_t)((unsigned __int128)prng_next(prng) * bound >> 64);
}

/* Uniform in (0, 1]: a logarithm of it is always finite. */
static inline double prng_unit(struct prng *prng)
{
	return (double)((prng_next(prng) >> 11) + 1) * 0x1p-53;
}

#endif
