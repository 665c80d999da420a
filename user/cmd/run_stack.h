/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The target and what it lies on, as a report's devices: the target first, also
 * if it makes no requests of its own, then those below, each with its parent. On
 * a target that lies on nothing known the rows are left alone.
 */
#ifndef IOSTRATA_RUN_STACK_H
#define IOSTRATA_RUN_STACK_H

#include "cmd/run_report.h"

/* The devices to trace: at most 1 + DEVICE_STACK_MAX into `devs`; 0: all, for
 * the numbers of NVMe paths are not known beforehand.
 */
unsigned int run_stack_devices(const struct device_state *target, const struct device_stack *stack,
			       uint32_t *devs);
/* After the rows and their NVMe parts are filled in. */
void run_stack_rows(struct run_rows *rows, struct report *report, const struct run_outcome *outcome);

#endif
