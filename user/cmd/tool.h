/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IOSTRATA_CMD_TOOL_H
#define IOSTRATA_CMD_TOOL_H

#include "report/report.h"

/* This tool with the libbpf it runs on. */
struct report_tool tool_here(void);
/* The command line as it was typed, from /proc/self/cmdline; control
 * characters become '?', the rest is cut at `size`.
 */
void command_line(char *out, unsigned int size);

/* The report in `format` (enum report_format) into `out`; `histograms`: the
 * text with log2 histograms. 0, or -errno and *why.
 */
int show_report(const struct report *report, int format, bool histograms, FILE *out,
		struct why *why);

#endif
