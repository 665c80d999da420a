/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Closed arrivals: clients that think after each completion. In: a client and
 * its next arrival. Out: the clients in order of arrival. The think time is
 * the same for all and completions are reaped in order of time, so that a
 * queue is already sorted. Pure.
 */
#ifndef IOSTRATA_LOAD_CLIENTS_H
#define IOSTRATA_LOAD_CLIENTS_H

#include <stdint.h>

struct client_arrival {
	uint64_t planned_ns; /* from the start */
	uint32_t client;
	uint32_t reserved;
};

struct clients {
	struct client_arrival *queue; /* of mask + 1 places, at least one for each client */
	uint32_t mask;
	uint64_t first, due, end; /* counts from the start: taken, seen to be due, queued */
};

/* `count` clients, all arriving at 0. 0 or -ENOMEM. */
int clients_init(struct clients *clients, uint32_t count);
void clients_free(struct clients *clients);

static inline struct client_arrival *clients_at(const struct clients *clients, uint64_t index)
{
	return &clients->queue[index & clients->mask];
}

/* planned_ns must not be before that of the client queued last. */
static inline void clients_push(struct clients *clients, uint32_t client, uint64_t planned_ns)
{
	*clients_at(clients, clients->end++) = (struct client_arrival){ planned_ns, client, 0 };
}

#endif
