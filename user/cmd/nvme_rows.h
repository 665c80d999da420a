/* SPDX-License-Identifier: GPL-2.0-only
 *
 * From the NVMe part of a snapshot (or window) to the report model: each
 * device's layers, queues and opcodes, statuses and events. In: a snapshot, and
 * the devices it is about. Out: they have their NVMe part, and names that sysfs
 * does not give by number: of controllers' admin queues, of multipath's paths.
 */
#ifndef IOSTRATA_NVME_ROWS_H
#define IOSTRATA_NVME_ROWS_H

#include "cmd/trace_rows.h"
#include "kernel/nvme_trace.h"

struct nvme_device_rows { /* what one device's report_nvme borrows */
	struct report_nvme nvme;
	char parent[32];
};

struct nvme_rows {
	struct nvme_device_rows *devices;
	struct report_nvme_queue *queues;     /* all devices', one after the other */
	struct report_nvme_status *statuses;
	unsigned int device_count, queue_count;
	struct report_count checks[2];
	unsigned int check_count; /* 0 without NVMe */
};

/* 0 or -ENOMEM. `rows` is zeroed, or filled before. `trace` gets its part. */
int nvme_rows_fill(struct nvme_rows *rows, const struct nvme_snapshot *snapshot,
		   struct trace_rows *trace);
void nvme_rows_free(struct nvme_rows *rows);

#endif
