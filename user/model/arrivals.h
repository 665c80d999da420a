/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Arrival processes. In: the configuration, and word of each completion (what
 * a closed or partly-open process waits for). Out: arrivals in planned order,
 * without end: the simulator decides where the window closes. Pure.
 */
#ifndef IOSTRATA_MODEL_ARRIVALS_H
#define IOSTRATA_MODEL_ARRIVALS_H

#include <stdint.h>

#include "model/due.h"
#include "model/simulate.h"

struct arrival {
	uint64_t planned_ns;
	uint32_t client; /* closed: which one; else 0 */
};

struct arrivals;

/* One process. A new one is one such table and a line in model_arrivals_init(). */
struct model_arrivals_kind {
	/* 1 and *out; 0 when nothing is planned; -ERANGE beyond MODEL_TIME_MAX_NS. */
	int (*next)(struct arrivals *arrivals, struct arrival *out);
	/* Told in the order of service. 0 or -ERANGE. */
	int (*completed)(struct arrivals *arrivals, const struct arrival *of,
			 uint64_t completed_ns);
};

struct arrivals {
	const struct model_arrivals_kind *kind;
	const struct model_config *config;
	uint64_t planned;    /* so far */
	struct due_heap due; /* the clients that think */
};

/* `config` is valid and must stay. 0 or -ENOMEM. */
int model_arrivals_init(struct arrivals *arrivals, const struct model_config *config);
void model_arrivals_free(struct arrivals *arrivals);

#endif
