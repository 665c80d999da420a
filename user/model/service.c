// SPDX-License-Identifier: GPL-2.0-only
// In: the configuration. Out: each request's time at the server, pauses on top.
#include "model/service.h"

#include <stdbool.h>

static uint64_t fixed_draw(struct service *service)
{
	return service->config->service_ns;
}

static const struct service_kind fixed_kind = { fixed_draw };

void service_init(struct service *service, const struct model_config *config)
{
	*service = (struct service){ .kind = &fixed_kind, .config = config };
}

static bool is_paused(const struct model_pause *pause, uint64_t nth)
{
	if (nth < pause->at_request)
		return false;
	if (!pause->every)
		return nth == pause->at_request;
	return (nth - pause->at_request) % pause->every == 0;
}

uint64_t service_next(struct service *service)
{
	const struct model_pause *pause = &service->config->pause;
	uint64_t time = service->kind->draw(service);

	service->taken++;
	return is_paused(pause, service->taken) ? time + pause->extra_ns : time;
}
