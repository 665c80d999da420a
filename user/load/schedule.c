// SPDX-License-Identifier: GPL-2.0-only
// In: a rate, a seed. Out: deadlines that never drift: constant ones in
// integers, Poisson ones as a whole number of ns and the rest of it carried.
#include "load/schedule.h"

#include <math.h>

#define MICRO_PER_UNIT 1000000ull
#define NS_PER_1E6_S 1000000000000000ull

enum { STREAM_GAPS = 1 };

/* Decimal rates people write (0.1, 333.25) are exact here, in binary not. */
static uint64_t per_million_s(double rate_per_s)
{
	return (uint64_t)llround(rate_per_s * (double)MICRO_PER_UNIT);
}

struct schedule schedule_constant(double rate_per_s)
{
	uint64_t per = per_million_s(rate_per_s);

	return (struct schedule){
		.whole_ns = NS_PER_1E6_S / per,
		.part = NS_PER_1E6_S % per,
		.per = per,
	};
}

uint64_t schedule_constant_ns(double rate_per_s, uint64_t index)
{
	return (uint64_t)((unsigned __int128)index * NS_PER_1E6_S / per_million_s(rate_per_s));
}

/* floor(k / rate) <= at_ns holds for k < (at_ns + 1) * rate. */
uint64_t schedule_constant_count(const struct schedule *schedule, uint64_t at_ns)
{
	unsigned __int128 scaled = ((unsigned __int128)at_ns + 1) * schedule->per;

	return (uint64_t)((scaled + NS_PER_1E6_S - 1) / NS_PER_1E6_S);
}

struct schedule schedule_poisson(double rate_per_s, uint64_t seed)
{
	struct schedule schedule = {
		.poisson = true,
		.mean_ns = 1e9 / rate_per_s,
		.prng = prng_seeded(seed, STREAM_GAPS),
	};

	schedule_poisson_step(&schedule);
	return schedule;
}

void schedule_poisson_step(struct schedule *schedule)
{
	double gap_ns = -log(prng_unit(&schedule->prng)) * schedule->mean_ns +
			schedule->fraction_ns;
	uint64_t whole_ns = (uint64_t)gap_ns;

	/* Truncating each gap instead would make the load too fast. */
	schedule->fraction_ns = gap_ns - (double)whole_ns;
	schedule->next_ns += whole_ns;
}
