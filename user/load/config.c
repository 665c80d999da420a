// SPDX-License-Identifier: GPL-2.0-only
// In: options as given. Out: a configuration that makes sense, or the line
// that says why not.
#include "load/config.h"

#include <errno.h>

#include "base/clock.h"
#include "load/schedule.h"

const char *const load_rw_names[] = { "read", "randread", "write", "randwrite", NULL };
const char *const load_arrival_names[] = { "constant", "poisson", "closed", NULL };
const char *const load_sync_names[] = { "none", "dsync", NULL };
const char *const load_limit_names[] = { "none", "target", "in-flight cap", "generator", NULL };

struct load_config load_defaults(void)
{
	return (struct load_config){
		.rw = LOAD_RANDREAD,
		.arrival = LOAD_CONSTANT,
		.sync = LOAD_SYNC_NONE,
		.clients = 1,
		.block_bytes = 4096,
		.seed = 1,
		.in_flight_cap = 4096,
		.spin_ns = 100 * NS_PER_US,
		.timeout_ns = 30 * NS_PER_S,
	};
}

static int usage(struct why *why, const char *text)
{
	return why_set(why, -EINVAL, EXIT_USAGE, "%s", text);
}

static int check_rate(const struct load_config *config, struct why *why)
{
	double max = config->arrival == LOAD_POISSON ? SCHEDULE_POISSON_RATE_MAX : SCHEDULE_RATE_MAX;

	/* So written, not-a-number is refused too. */
	if (config->rate_per_s >= SCHEDULE_RATE_MIN && config->rate_per_s <= max)
		return 0;
	return why_set(why, -ERANGE, EXIT_USAGE, "--rate %.12g: must be %.6f to %.0f per second with %s arrivals",
		       config->rate_per_s, SCHEDULE_RATE_MIN, max, load_arrival_names[config->arrival]);
}

static int check_arrival(const struct load_config *config, struct why *why)
{
	if (config->arrival == LOAD_CLOSED) {
		if (config->rate_per_s != 0)
			return usage(why, "--rate is for open arrivals; closed ones are paced by "
					  "--clients and --think");
		if (config->clients < 1 || config->clients > LOAD_CLIENTS_MAX)
			return why_set(why, -EINVAL, EXIT_USAGE, "--clients %lu: must be 1 to %d",
				       config->clients, LOAD_CLIENTS_MAX);
		return 0;
	}
	if (config->clients != 1 || config->think_ns)
		return usage(why, "--clients and --think are for closed arrivals; add --arrival closed");
	if (config->rate_per_s == 0)
		return usage(why, "--rate is missing: how many I/Os per second? (or --arrival closed)");
	return check_rate(config, why);
}

static int check_time(const struct load_config *config, struct why *why)
{
	if (!config->runtime_ns && !config->requests)
		return usage(why, "--runtime or --requests is missing: when should the load end?");
	if (!config->timeout_ns)
		return usage(why, "--timeout 0: an I/O needs some time; the default is 30s");
	if (config->runtime_ns > LOAD_TIME_MAX_NS || config->timeout_ns > LOAD_TIME_MAX_NS ||
	    config->think_ns > LOAD_TIME_MAX_NS || config->spin_ns > LOAD_TIME_MAX_NS)
		return usage(why, "--runtime, --timeout, --think and --spin must be 100 years or less");
	return 0;
}

static int check_size(const struct load_config *config, struct why *why)
{
	if (!config->block_bytes || config->block_bytes > LOAD_BLOCK_MAX)
		return why_set(why, -EINVAL, EXIT_USAGE, "--bs %lu: must be 1 byte to 1g",
			       config->block_bytes);
	if (!config->in_flight_cap || config->in_flight_cap > LOAD_IN_FLIGHT_MAX)
		return why_set(why, -EINVAL, EXIT_USAGE, "--in-flight-cap %lu: must be 1 to %d",
			       config->in_flight_cap, LOAD_IN_FLIGHT_MAX);
	return 0;
}

static int check_writing(const struct load_config *config, struct why *why)
{
	bool writes = config->rw == LOAD_WRITE || config->rw == LOAD_RANDWRITE;

	if (writes && !config->write)
		return why_set(why, -EPERM, EXIT_USAGE,
			       "--rw %s overwrites %s; add --write if that is meant",
			       load_rw_names[config->rw], config->target);
	if (config->destroy_data && !config->write)
		return usage(why, "--destroy-data consents to writing; it needs --write");
	if (config->sync == LOAD_SYNC_DSYNC && !writes)
		return usage(why, "--sync dsync is for writes; add --rw write or --rw randwrite");
	return 0;
}

int load_config_check(const struct load_config *config, struct why *why)
{
	int err = check_arrival(config, why);

	if (!err)
		err = check_time(config, why);
	if (!err)
		err = check_size(config, why);
	if (!err)
		err = check_writing(config, why);
	return err;
}
