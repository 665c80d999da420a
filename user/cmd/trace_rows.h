/* SPDX-License-Identifier: GPL-2.0-only
 *
 * From a trace snapshot (or window) to the report model's devices, losses and
 * checks; `trace` and `run` both show them.
 */
#ifndef IOSTRATA_TRACE_ROWS_H
#define IOSTRATA_TRACE_ROWS_H

#include "kernel/op_names.h"
#include "kernel/trace_session.h"
#include "report/report.h"

enum { TRACE_LOSSES = 12 };

struct trace_rows {
	struct report_device devices[IOSTRATA_DEVICES_MAX];
	unsigned int device_count;
	struct report_op ops[IOSTRATA_SERIES_MAX];
	struct report_count losses[TRACE_LOSSES];
	unsigned int loss_count;
	uint64_t lost;	      /* started requests whose latency is missing, by any reason */
	uint64_t unseen;      /* requests that were not even counted as started */
	uint64_t unaccounted; /* |started - completed - in flight - lost|: 0 at the end */
	uint64_t completed;
};

/* `window` covers `duration_ns` and ends at its snapshot; `earlier_age_ns` of
 * each device is looked up in `earlier` (NULL: the start). rows borrows the
 * window's histograms. Devices without a request are left out.
 */
void trace_rows_fill(struct trace_rows *rows, const struct trace_snapshot *window,
		     const struct trace_snapshot *earlier, uint64_t duration_ns,
		     const struct op_names *names);

/* The devices, spans, losses and the conservation check into a report. */
void trace_rows_report(struct trace_rows *rows, struct report *report);

/* "queue" or "service" of the device that has most time, and a sentence. */
void trace_rows_verdict(const struct trace_rows *rows, struct report *report);

#endif
