// SPDX-License-Identifier: GPL-2.0-only
// In: a model's parameters. Out: accepted, or the first that is out of bounds.
#include "model/check.h"

#include <errno.h>
#include <inttypes.h>

struct bound {
	const char *what;
	uint64_t value, min, max;
};

static int check_bounds(const struct bound *bounds, struct why *why)
{
	for (; bounds->what; bounds++)
		if (bounds->value < bounds->min || bounds->value > bounds->max)
			return why_set(why, -EINVAL, EXIT_USAGE,
				       "%s %" PRIu64 ": must be between %" PRIu64 " and %" PRIu64,
				       bounds->what, bounds->value, bounds->min, bounds->max);
	return 0;
}

int model_check(const struct model_config *config, struct why *why)
{
	const struct bound bounds[] = {
		{ "arrival period (ns)", config->period_ns, 1, MODEL_TIME_MAX_NS },
		{ "arrivals in a period", config->per_period, 1, MODEL_TIME_MAX_NS },
		{ "clients", config->clients, 1, MODEL_REQUESTS_MAX },
		{ "think time (ns)", config->think_ns, 0, MODEL_TIME_MAX_NS },
		{ "runtime (ns)", config->runtime_ns, 0, MODEL_TIME_MAX_NS },
		{ "requests", config->requests, 0, MODEL_REQUESTS_MAX },
		{ "stall start (ns)", config->stall_at_ns, 0, MODEL_TIME_MAX_NS },
		{ "stall (ns)", config->stall_ns, 0, MODEL_TIME_MAX_NS },
		{ "service time (ns)", config->service_ns, 1, MODEL_TIME_MAX_NS },
		{ "pause (ns)", config->pause.extra_ns, 0, MODEL_TIME_MAX_NS },
		{ "request to pause at", config->pause.at_request, 1, UINT64_MAX },
		{ "cutoff (ns)", config->cutoff_ns, 0, MODEL_TIME_MAX_NS },
		{ NULL, 0, 0, 0 },
	};

	if (!config->runtime_ns && !config->requests && !config->cutoff_ns)
		return why_set(why, -EINVAL, EXIT_USAGE,
			       "the run has no end: give a runtime, a number of requests or a cutoff");
	return check_bounds(bounds, why);
}
