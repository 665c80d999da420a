/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What is written to the control file. In: one line. Out: an order.
 */
#ifndef IOSTRATA_TARGET_ORDER_H
#define IOSTRATA_TARGET_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum order_kind {
	ORDER_ARM,   /* "arm": count and log from now on */
	ORDER_PAUSE, /* "pause [DURATION]": serve nothing for so long */
	ORDER_SERVE, /* "serve": set-up is over, the service time holds from now on */
	ORDER_DRAIN, /* "drain": serve all at once again (before taking down) */
};

struct order {
	enum order_kind kind;
	bool has_duration;
	uint64_t duration_ns;
};

/* `text` need not end with NUL; one line, with or without its newline. 0, or
 * -EINVAL (no such order), -ERANGE (a duration too large).
 */
int order_parse(const char *text, size_t length, struct order *out);

#endif
