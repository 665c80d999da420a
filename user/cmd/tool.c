// SPDX-License-Identifier: GPL-2.0-only
// In: this process. Out: how reports name it.
#include "cmd/tool.h"

#include <stdio.h>

#include "kernel/session.h"

struct report_tool tool_here(void)
{
	struct report_tool tool = report_tool_here();

	tool.libbpf = session_libbpf_version();
	return tool;
}

void command_line(char *out, unsigned int size)
{
	FILE *file = fopen("/proc/self/cmdline", "re");
	size_t length = file ? fread(out, 1, size - 1, file) : 0;

	if (file)
		fclose(file);
	while (length && !out[length - 1])
		length--;
	for (size_t i = 0; i < length; i++)
		if (!out[i])
			out[i] = ' ';
		else if ((unsigned char)out[i] < ' ' || out[i] == 127)
			out[i] = '?';
	out[length] = '\0';
}

int show_report(const struct report *report, int format, bool histograms, FILE *out,
		struct why *why)
{
	struct text_style style;
	int err = 0;

	if (format == REPORT_JSON) {
		err = report_json(report, out);
	} else {
		style = text_style_for(out);
		style.histograms = histograms;
		report_text(report, &style, out);
	}
	return err ? why_set(why, err, EXIT_FAILED, "cannot make the report: %s", why_text(err)) : 0;
}
