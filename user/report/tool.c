// SPDX-License-Identifier: GPL-2.0-only
// In: this program and the running kernel. Out: their names, for every report.
#include "report/report.h"

#include <sys/utsname.h>

#include "base/version.h"

struct report_tool report_tool_here(void)
{
	struct report_tool tool = { .version = IOSTRATA_VERSION };
	struct utsname name;

	if (!uname(&name)) { /* else "": shown as unknown */
		snprintf(tool.kernel, sizeof(tool.kernel), "%s", name.release);
		snprintf(tool.arch, sizeof(tool.arch), "%s", name.machine);
	}
	return tool;
}
