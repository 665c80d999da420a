// SPDX-License-Identifier: GPL-2.0-only
// In: a closed run's responses. Out: them and what was omitted, as modelled.
#include "model/correct.h"

#include <errno.h>
#include <inttypes.h>

#include "model/simulate.h"

/* How many samples a response of `value` adds: those of value - k * interval,
 * k >= 1, that are at least the interval.
 */
static uint64_t omitted(uint64_t value, uint64_t interval_ns)
{
	return value > interval_ns ? value / interval_ns - 1 : 0;
}

static int count_synthetic(const struct dist *from, uint64_t interval_ns, uint64_t *out)
{
	uint64_t count = 0;

	for (uint64_t i = 0; i < from->hist.count; i++) {
		uint64_t more = omitted(from->exact[i], interval_ns);

		if (more > MODEL_REQUESTS_MAX || count + more > MODEL_REQUESTS_MAX)
			return -E2BIG;
		count += more;
	}
	*out = count;
	return 0;
}

static int fill(const struct dist *from, uint64_t interval_ns, struct dist *into)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < from->hist.count; i++) {
		uint64_t value = from->exact[i];

		for (uint64_t left = omitted(value, interval_ns) + 1; left; left--) {
			if (__builtin_add_overflow(sum, value, &sum))
				return -ERANGE;
			dist_add(into, value);
			value -= interval_ns;
		}
	}
	return 0;
}

int model_correct(const struct dist *from, uint64_t interval_ns, struct model_correction *out,
		  struct why *why)
{
	int err;

	*out = (struct model_correction){ .interval_ns = interval_ns,
					  .measured = from->hist.count };
	if (!interval_ns)
		return why_set(why, -EINVAL, EXIT_USAGE, "--correct 0: the interval must be above 0");
	err = count_synthetic(from, interval_ns, &out->synthetic);
	if (err)
		return why_set(why, err, EXIT_USAGE,
			       "--correct %" PRIu64 "ns: adds more than %llu samples; the interval at "
			       "which requests were expected is longer",
			       interval_ns, MODEL_REQUESTS_MAX);
	err = dist_init(&out->dist, DIST_SUB_BITS, out->measured + out->synthetic + 1);
	if (!err)
		err = fill(from, interval_ns, &out->dist);
	if (!err)
		return 0;
	model_correction_free(out);
	return why_set(why, err, err == -ERANGE ? EXIT_USAGE : EXIT_FAILED, "correction: %s",
		       err == -ERANGE ? "the responses do not add up in 64 bits; shorten the run"
				      : why_text(err));
}

void model_correction_free(struct model_correction *correction)
{
	dist_free(&correction->dist);
}
