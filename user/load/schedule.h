/* SPDX-License-Identifier: GPL-2.0-only
 *
 * When open arrivals are due. In: a rate and a seed. Out: absolute deadlines
 * in ns from the start, one after the other, the same for the same seed. Pure:
 * a copy of a schedule is a second reader of it.
 */
#ifndef IOSTRATA_LOAD_SCHEDULE_H
#define IOSTRATA_LOAD_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "load/prng.h"

/* A rate is kept as a whole number of arrivals per 10^6 s. */
#define SCHEDULE_RATE_MIN 1e-6
#define SCHEDULE_RATE_MAX 1e9
#define SCHEDULE_POISSON_RATE_MAX 1e7 /* counting what is due then still takes little time */

struct schedule {
	uint64_t next_ns; /* deadline of arrival `index` */
	uint64_t index;
	/* Constant: the interval is whole_ns + part / per, exactly. */
	uint64_t whole_ns, part, per, carried;
	/* Poisson */
	bool poisson;
	double mean_ns, fraction_ns; /* what next_ns could not hold, in [0, 1) */
	struct prng prng;
};

/* Arrival k at floor(k / rate), first at 0. Rates within the bounds above. */
struct schedule schedule_constant(double rate_per_s);
/* Exponential gaps of mean 1 / rate, the first from 0 on. */
struct schedule schedule_poisson(double rate_per_s, uint64_t seed);
/* The deadline of arrival `index` in closed form: what schedule_constant must
 * give however far it went.
 */
uint64_t schedule_constant_ns(double rate_per_s, uint64_t index);
/* How many arrivals of a constant schedule lie in [0, at_ns]. */
uint64_t schedule_constant_count(const struct schedule *schedule, uint64_t at_ns);

void schedule_poisson_step(struct schedule *schedule);

/* On to the next arrival. No division: this runs for every I/O. */
static inline void schedule_step(struct schedule *schedule)
{
	schedule->index++;
	if (schedule->poisson) {
		schedule_poisson_step(schedule);
		return;
	}
	schedule->next_ns += schedule->whole_ns;
	schedule->carried += schedule->part;
	if (schedule->carried >= schedule->per) {
		schedule->carried -= schedule->per;
		schedule->next_ns++;
	}
}

#endif
