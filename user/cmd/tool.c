// SPDX-License-Identifier: GPL-2.0-only
// In: this process. Out: how reports name it.
#include "cmd/tool.h"

#include <bpf/libbpf.h>
#include <stdio.h>

struct report_tool tool_here(void)
{
	struct report_tool tool = report_tool_here();

	/* "v1.1": the number alone. */
	tool.libbpf = libbpf_version_string() + 1;
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
