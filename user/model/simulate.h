/* SPDX-License-Identifier: GPL-2.0-only
 *
 * One general queue model, simulated: a generator plans arrivals, submits them
 * first in first out (unless it is stalled or at its in-flight cap), and one
 * server serves them in that order. In: the parameters. Out: every request's
 * times, the counts and the latencies, exact. Pure: no I/O, no clock; all
 * arithmetic is in integer ns of simulated time, from 0.
 *
 * What stands at the edges: arrivals and submissions happen in [0, cutoff),
 * completions count up to and including the cutoff; at one instant departures
 * come before arrivals.
 */
#ifndef IOSTRATA_MODEL_SIMULATE_H
#define IOSTRATA_MODEL_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/why.h"
#include "stat/dist.h"

#define MODEL_REQUESTS_MAX 1000000ull	       /* kept rows; memory is bounded by it */
#define MODEL_TIME_MAX_NS 1000000000000000000ull /* simulated time, some 31 years */

enum model_arrival { MODEL_OPEN, MODEL_CLOSED };
enum model_limit { MODEL_LIMIT_NONE, MODEL_LIMIT_TARGET, MODEL_LIMIT_CAP };

/* Longer service for some requests, counted from 1 as they reach the server. */
struct model_pause {
	uint64_t extra_ns;   /* 0: no pause */
	uint64_t at_request; /* the first one paused, >= 1 */
	uint64_t every;	     /* then each so many requests; 0: only that one */
};

struct model_config {
	enum model_arrival arrival;
	/* Open: request i is planned at floor(i * period_ns / per_period), so
	 * that a rate such as 3/s does not drift. Both >= 1.
	 */
	uint64_t period_ns, per_period;
	/* Closed: so many clients, the first requests all planned at 0; the
	 * next of a client think_ns after its completion.
	 */
	uint64_t clients, think_ns;
	uint64_t runtime_ns; /* arrivals in [0, runtime); 0: by requests alone */
	uint64_t requests;   /* at most so many; 0: by runtime alone */

	uint64_t in_flight_cap; /* submitted and not completed; 0: none */
	uint64_t stall_at_ns, stall_ns; /* the generator submits nothing in [at, at + stall) */

	uint64_t service_ns; /* >= 1 */
	struct model_pause pause;

	uint64_t cutoff_ns; /* the run is judged here; 0: all drain first */
};

enum model_outcome { MODEL_COMPLETED, MODEL_OUTSTANDING, MODEL_UNSUBMITTED };

struct model_request { /* in planned order, which is also the order of service */
	uint64_t planned_ns;
	uint64_t submitted_ns, started_ns, completed_ns; /* 0 when unsubmitted */
	uint32_t client;
	enum model_outcome outcome; /* at the cutoff */
};

struct model_counts { /* planned = completed + outstanding + unsubmitted */
	uint64_t planned, submitted, completed, outstanding, unsubmitted;
};

struct model_result {
	struct model_request *requests; /* counts.planned of them */
	struct model_counts counts;
	uint64_t window_ns;  /* arrivals ended here: runtime, cutoff or the first arrival not taken */
	uint64_t ended_ns;   /* the last completion, drained */
	uint64_t unfinished; /* not completed at window_ns */

	/* Of requests completed by the cutoff. */
	struct dist planned_to_completed, submitted_to_completed;
	struct dist planned_to_submitted; /* backlog, of all submitted ones */
	struct dist drained; /* planned to completed, of all submitted ones */

	uint64_t in_system_max; /* planned, not completed */
	uint64_t in_flight_max; /* submitted, not completed */
	uint64_t backlog_max;	/* planned, not submitted */

	/* Open only: false when more than 1 % of the planned requests, and
	 * more than the one in service, were unfinished at window_ns.
	 */
	bool sustained;
	enum model_limit limit;
};

/* Case A1, open: 10 ms apart for 2 s, 1 ms service, +100 ms on the first; the
 * closed side (one client, 9 ms think) is there for `arrival` to choose.
 */
struct model_config model_defaults(void);

/* 0; or -EINVAL (a parameter out of its range), -E2BIG (more requests than
 * MODEL_REQUESTS_MAX), -ERANGE (a time beyond MODEL_TIME_MAX_NS or a sum that
 * does not fit), -ENOMEM, with *why set and nothing to free. On success
 * model_result_free() it.
 */
int model_simulate(const struct model_config *config, struct model_result *result, struct why *why);
void model_result_free(struct model_result *result);

#endif
