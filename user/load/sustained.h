/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Was the offered load sustained, and if not, what was the limit? In: the
 * series and the counts. Out: a verdict and one sentence. Pure. docs/load.md
 * explains the rule to users.
 */
#ifndef IOSTRATA_LOAD_SUSTAINED_H
#define IOSTRATA_LOAD_SUSTAINED_H

#include "load/load.h"

struct sustained_input {
	const struct load_sample *series;
	unsigned int series_count;
	const struct load_counts *counts;
	uint64_t duration_ns;
	uint64_t in_flight_cap;
	enum load_arrival arrival;
	int failing_err; /* the run was ended because everything failed so; else 0 */
};

struct sustained_verdict {
	bool sustained;
	enum load_limit limit;
	char text[160]; /* "" while sustained */
};

/* Arrivals by which the outstanding count may grow over a half of the run that
 * saw `arrivals` of them: 2, 1 % of them, and for random arrivals 3 standard
 * deviations of their number.
 */
uint64_t sustained_allowance(uint64_t arrivals, bool poisson);
struct sustained_verdict sustained_judge(const struct sustained_input *in);

#endif
