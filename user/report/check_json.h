/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IOSTRATA_REPORT_CHECK_JSON_H
#define IOSTRATA_REPORT_CHECK_JSON_H

#include <stdio.h>

#include "probe/check.h"
#include "report/report.h"

/* One JSON document and a newline. 0 or -ENOMEM. */
int check_json(const struct check *check, const struct report_tool *tool, const char *command_line,
	       FILE *out);

#endif
