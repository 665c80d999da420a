/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Service processes. In: the configuration. Out: how long the server works on
 * each request, in the order in which it takes them. Pure.
 */
#ifndef IOSTRATA_MODEL_SERVICE_H
#define IOSTRATA_MODEL_SERVICE_H

#include <stdint.h>

#include "model/simulate.h"

struct service;

/* One process; random ones will keep their seed in struct service. */
struct service_kind {
	/* ns, pauses not included. */
	uint64_t (*draw)(struct service *service);
};

struct service {
	const struct service_kind *kind;
	const struct model_config *config;
	uint64_t taken; /* so far */
};

/* `config` is valid and must stay. */
void service_init(struct service *service, const struct model_config *config);
/* ns for the next request, its pause included; at most twice MODEL_TIME_MAX_NS. */
uint64_t service_next(struct service *service);

#endif
