/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The two clocks checked against each other, and what was lost.
 */
#ifndef IOSTRATA_RUN_CHECKS_H
#define IOSTRATA_RUN_CHECKS_H

#include "cmd/run_report.h"

void run_checks_fill(struct report *report, struct run_rows *rows,
		     const struct run_outcome *outcome);

#endif
