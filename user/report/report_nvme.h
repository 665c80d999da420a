/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The report model's NVMe part of a device: layers, and what happened, by
 * hardware queue and opcode. Pointers are borrowed.
 */
#ifndef IOSTRATA_REPORT_NVME_H
#define IOSTRATA_REPORT_NVME_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/hist.h"

enum { REPORT_NVME_LAYERS = 8, REPORT_NVME_EVENTS = 8, REPORT_NVME_COUNTS = 24 };

struct report_nvme_layer { /* in the order of a request's life; only those that were seen */
	const char *layer, *from, *to;
	struct hist hist;
};

struct report_nvme_queue { /* one opcode on one hardware queue */
	uint32_t queue;	   /* as the driver counts: 0 admin, 1…; UINT32_MAX: those without a row */
	const char *class; /* "io", "passthrough", "admin" */
	bool polled;	   /* a queue without interrupts */
	char opcode[64];
	uint64_t completed, errors;
	struct hist device; /* issued to answered (or driver_done, where that is not seen) */
};

struct report_nvme_status {
	uint32_t type, code;
	char name[64];
	uint64_t count; /* of commands, each try of one that was tried again */
};

struct report_nvme_event { /* async */
	char name[64];
	uint64_t count;
};

struct report_nvme {
	char transport[16], controller[16]; /* "pcie", "nvme0"; "": unknown */
	bool status_is_known; /* else `errors` is all there is: the block layer's word */
	struct report_nvme_layer layers[REPORT_NVME_LAYERS];
	unsigned int layer_count;
	struct hist total; /* what the layers, and the unattributed, sum to */
	uint64_t unattributed, unattributed_ns, partly_seen;
	struct report_nvme_queue *queues;
	unsigned int queue_count;
	struct report_nvme_status *statuses; /* most frequent first */
	unsigned int status_count;
	struct report_nvme_event events[REPORT_NVME_EVENTS];
	unsigned int event_count;
	struct report_nvme_count {
		const char *name;
		uint64_t count;
		const char *meaning;
	} counts[REPORT_NVME_COUNTS];
	unsigned int count_count;
};

#endif
