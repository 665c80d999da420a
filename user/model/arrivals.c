// SPDX-License-Identifier: GPL-2.0-only
// In: the configuration, completions. Out: when each request is planned.
#include "model/arrivals.h"

#include <errno.h>

/* Multiplied before divided: no error adds up from one arrival to the next. */
static int open_next(struct arrivals *arrivals, struct arrival *out)
{
	const struct model_config *config = arrivals->config;
	unsigned __int128 at = (unsigned __int128)arrivals->planned * config->period_ns;

	at /= config->per_period;
	if (at > MODEL_TIME_MAX_NS)
		return -ERANGE;
	*out = (struct arrival){ .planned_ns = (uint64_t)at };
	arrivals->planned++;
	return 1;
}

/* Open arrivals do not care: that is what makes them open. */
static int open_completed(struct arrivals *arrivals, const struct arrival *of,
			  uint64_t completed_ns)
{
	(void)arrivals;
	(void)of;
	(void)completed_ns;
	return 0;
}

static int closed_next(struct arrivals *arrivals, struct arrival *out)
{
	struct due due;

	if (!arrivals->due.count)
		return 0;
	due = due_pop(&arrivals->due);
	*out = (struct arrival){ .planned_ns = due.at_ns, .client = due.client };
	arrivals->planned++;
	return 1;
}

static int closed_completed(struct arrivals *arrivals, const struct arrival *of,
			    uint64_t completed_ns)
{
	uint64_t at = completed_ns + arrivals->config->think_ns;

	if (at > MODEL_TIME_MAX_NS)
		return -ERANGE;
	due_push(&arrivals->due, at, of->client);
	return 0;
}

static const struct model_arrivals_kind open_kind = { open_next, open_completed };
static const struct model_arrivals_kind closed_kind = { closed_next, closed_completed };

int model_arrivals_init(struct arrivals *arrivals, const struct model_config *config)
{
	uint64_t clients = config->arrival == MODEL_CLOSED ? config->clients : 0;
	int err;

	*arrivals = (struct arrivals){ .config = config };
	arrivals->kind = config->arrival == MODEL_CLOSED ? &closed_kind : &open_kind;
	err = due_init(&arrivals->due, clients);
	if (err)
		return err;
	for (uint64_t i = 0; i < clients; i++)
		due_push(&arrivals->due, 0, (uint32_t)i);
	return 0;
}

void model_arrivals_free(struct arrivals *arrivals)
{
	due_free(&arrivals->due);
}
