// SPDX-License-Identifier: GPL-2.0-only
// In: the configuration. Out: arrivals, and the count of those planned by now.
#include "load/arrivals.h"

#include <errno.h>
#include <stdlib.h>

/* Of a pass: some 50 us at worst. */
enum { COUNT_STEPS = 4096 };

int clients_init(struct clients *clients, uint32_t count)
{
	uint32_t places = 1;

	while (places < count)
		places *= 2;
	*clients = (struct clients){ .mask = places - 1 };
	clients->queue = calloc(places, sizeof(*clients->queue));
	if (!clients->queue)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		clients_push(clients, i, 0);
	return 0;
}

void clients_free(struct clients *clients)
{
	free(clients->queue);
	clients->queue = NULL;
}

int load_arrivals_init(struct arrivals *arrivals, const struct load_config *config)
{
	int err = 0;

	*arrivals = (struct arrivals){
		.end_ns = config->runtime_ns ? config->runtime_ns : UINT64_MAX,
		.requests = config->requests ? config->requests : UINT64_MAX,
		.think_ns = config->think_ns,
		.closed = config->arrival == LOAD_CLOSED,
	};
	if (arrivals->closed)
		err = clients_init(&arrivals->clients, (uint32_t)config->clients);
	else if (config->arrival == LOAD_POISSON)
		arrivals->schedule = schedule_poisson(config->rate_per_s, config->seed);
	else
		arrivals->schedule = schedule_constant(config->rate_per_s);
	arrivals->ahead = arrivals->schedule;
	arrivals_settle_next(arrivals);
	return err;
}

void load_arrivals_free(struct arrivals *arrivals)
{
	clients_free(&arrivals->clients);
}

static uint64_t clients_planned_by(struct clients *clients, uint64_t now_ns)
{
	if (clients->due < clients->first)
		clients->due = clients->first;
	while (clients->due != clients->end && clients_at(clients, clients->due)->planned_ns <= now_ns)
		clients->due++;
	return clients->due;
}

static uint64_t poisson_planned_by(struct arrivals *arrivals, uint64_t last_ns, uint64_t steps)
{
	struct schedule *ahead = &arrivals->ahead;

	/* What was submitted needs no second look. */
	if (ahead->index < arrivals->schedule.index)
		*ahead = arrivals->schedule;
	while (ahead->next_ns <= last_ns && ahead->index < arrivals->requests && steps--)
		schedule_step(ahead);
	return ahead->index;
}

static uint64_t planned_by(struct arrivals *arrivals, uint64_t now_ns, uint64_t steps)
{
	uint64_t last_ns = now_ns < arrivals->end_ns ? now_ns : arrivals->end_ns - 1;
	uint64_t count;

	if (arrivals->closed)
		count = clients_planned_by(&arrivals->clients, last_ns);
	else if (arrivals->schedule.poisson)
		count = poisson_planned_by(arrivals, last_ns, steps);
	else
		count = schedule_constant_count(&arrivals->schedule, last_ns);
	return count < arrivals->requests ? count : arrivals->requests;
}

uint64_t arrivals_planned_by(struct arrivals *arrivals, uint64_t now_ns)
{
	return planned_by(arrivals, now_ns, UINT64_MAX);
}

uint64_t arrivals_planned_about(struct arrivals *arrivals, uint64_t now_ns)
{
	return planned_by(arrivals, now_ns, COUNT_STEPS);
}
