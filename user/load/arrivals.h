/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which I/O is due next, whatever the arrival model. In: the configuration,
 * for closed arrivals completions. Out: planned times, and how many arrivals
 * were planned by now although they could not be submitted yet: that count
 * needs no memory, it is a second reader of the same schedule. Pure.
 */
#ifndef IOSTRATA_LOAD_ARRIVALS_H
#define IOSTRATA_LOAD_ARRIVALS_H

#include "load/clients.h"
#include "load/load.h"
#include "load/schedule.h"

struct arrivals {
	uint64_t next_ns;  /* of the next one to submit; UINT64_MAX: none (yet) */
	uint64_t taken;	   /* arrivals handed out */
	uint64_t end_ns;   /* arrivals lie in [0, end) */
	uint64_t requests; /* and are at most so many */
	uint64_t think_ns;
	bool closed;
	struct schedule schedule, ahead; /* ahead: the reader that counts */
	struct clients clients;
};

/* 0 or -ENOMEM. */
int load_arrivals_init(struct arrivals *arrivals, const struct load_config *config);
void load_arrivals_free(struct arrivals *arrivals);
/* How many were planned at or before `now_ns`; calls never go back in time. */
uint64_t arrivals_planned_by(struct arrivals *arrivals, uint64_t now_ns);
/* The same in bounded time, for use under the clock: may say fewer for a while
 * when very many are due, never fewer than were taken.
 */
uint64_t arrivals_planned_about(struct arrivals *arrivals, uint64_t now_ns);

static inline bool arrivals_exhausted(const struct arrivals *arrivals)
{
	return arrivals->taken >= arrivals->requests;
}

static inline void arrivals_settle_next(struct arrivals *arrivals)
{
	uint64_t next_ns;

	if (!arrivals->closed)
		next_ns = arrivals->schedule.next_ns;
	else if (arrivals->clients.first != arrivals->clients.end)
		next_ns = clients_at(&arrivals->clients, arrivals->clients.first)->planned_ns;
	else
		next_ns = UINT64_MAX;
	arrivals->next_ns = next_ns < arrivals->end_ns && !arrivals_exhausted(arrivals)
				    ? next_ns : UINT64_MAX;
}

/* The arrival at next_ns is submitted. Returns its client (open: 0). */
static inline uint32_t arrivals_take(struct arrivals *arrivals)
{
	uint32_t client = 0;

	arrivals->taken++;
	if (arrivals->closed)
		client = clients_at(&arrivals->clients, arrivals->clients.first++)->client;
	else
		schedule_step(&arrivals->schedule);
	arrivals_settle_next(arrivals);
	return client;
}

/* Client `client`'s I/O was reaped at `reaped_ns` (from the start). */
static inline void arrivals_finished(struct arrivals *arrivals, uint32_t client, uint64_t reaped_ns)
{
	if (!arrivals->closed)
		return;
	clients_push(&arrivals->clients, client, reaped_ns + arrivals->think_ns);
	if (arrivals->next_ns == UINT64_MAX)
		arrivals_settle_next(arrivals);
}

#endif
