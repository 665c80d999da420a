// SPDX-License-Identifier: GPL-2.0-only
// In: what someone wrote to the control file. Out: an order, or a refusal.
#include "target/order.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"

enum { LINE_MAX_BYTES = 63 };

static int take_pause(const char *rest, struct order *out)
{
	int err;

	*out = (struct order){ .kind = ORDER_PAUSE };
	if (!*rest)
		return 0;
	if (*rest != ' ')
		return -EINVAL;
	err = parse_duration_ns(rest + 1, &out->duration_ns);
	out->has_duration = !err;
	return err;
}

int order_parse(const char *text, size_t length, struct order *out)
{
	char line[LINE_MAX_BYTES + 1];

	if (length && text[length - 1] == '\n')
		length--;
	if (length > LINE_MAX_BYTES || memchr(text, 0, length) || memchr(text, '\n', length))
		return -EINVAL;
	memcpy(line, text, length);
	line[length] = 0;
	if (!strcmp(line, "arm"))
		*out = (struct order){ .kind = ORDER_ARM };
	else if (!strcmp(line, "serve"))
		*out = (struct order){ .kind = ORDER_SERVE };
	else if (!strcmp(line, "drain"))
		*out = (struct order){ .kind = ORDER_DRAIN };
	else if (!strncmp(line, "pause", 5))
		return take_pause(line + 5, out);
	else
		return -EINVAL;
	return 0;
}
