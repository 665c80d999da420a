/* SPDX-License-Identifier: GPL-2.0-only
 *
 * From a traced load's outcome to the report model.
 */
#ifndef IOSTRATA_RUN_REPORT_H
#define IOSTRATA_RUN_REPORT_H

#include "cmd/run_measure.h"
#include "cmd/trace_rows.h"
#include "report/report.h"

enum { RUN_CHECKS = 12, RUN_LOSSES = TRACE_LOSSES + 8, RUN_NOTES = 8, RUN_CHILDREN = 32 };

/* What the report borrows; as long-lived as the report. Large: allocate it. */
struct run_rows {
	struct trace_rows trace;
	struct report_device stacked[RUN_CHILDREN]; /* below the target, while rows are put in order */
	const char *children[RUN_CHILDREN];
	unsigned int child_count;
	struct report_layer layers[ATTRIBUTION_ROWS];
	struct report_count checks[RUN_CHECKS], losses[RUN_LOSSES];
	struct report_littles_law littles_law;
	struct report_overhead overhead;
	struct report_program programs[SESSION_PROGRAMS_MAX];
	struct report_hook hooks[RUN_HOOK_COUNT];
	char notes[RUN_NOTES][200], violations[200], misses[200];
};

void run_report_fill(struct report *report, struct run_rows *rows,
		     const struct load_config *config, struct run_outcome *outcome,
		     const struct op_names *names);

/* Whether anything measured was lost or does not add up, by any reason. */
bool run_has_lost(const struct report *report);

#endif
