// SPDX-License-Identifier: GPL-2.0-only
// In: a cause, as it is found. Out: the one line and exit status main prints.
#include "base/why.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int why_set(struct why *why, int err, enum exit_status status, const char *format, ...)
{
	va_list args;

	if (why->text[0])
		return err;
	why->status = status;
	va_start(args, format);
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	return err;
}

const char *why_text(int err)
{
	const char *text = strerrordesc_np(err < 0 ? -err : err);

	return text ? text : "unknown error";
}
