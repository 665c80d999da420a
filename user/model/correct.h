/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The known correction for coordinated omission: a model of the samples that a
 * closed run left out, not a measurement of them. In: responses, and the
 * interval at which requests were expected. Out: the same with the synthetic
 * ones. Pure.
 */
#ifndef IOSTRATA_MODEL_CORRECT_H
#define IOSTRATA_MODEL_CORRECT_H

#include <stdint.h>

#include "base/why.h"
#include "stat/dist.h"

struct model_correction {
	uint64_t interval_ns;
	uint64_t measured, synthetic; /* samples in `dist`, which add up */
	struct dist dist;
};

/* Each response r above the interval adds r - interval, r - 2 * interval …
 * while they are at least the interval. `from` holds exact samples. 0 (then
 * model_correction_free() it), -EINVAL (interval 0), -E2BIG, -ERANGE or
 * -ENOMEM with *why.
 */
int model_correct(const struct dist *from, uint64_t interval_ns, struct model_correction *out,
		  struct why *why);
void model_correction_free(struct model_correction *correction);

#endif
