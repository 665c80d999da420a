/* SPDX-License-Identifier: GPL-2.0-only
 *
 * One NVMe device's layers, and its queues and opcodes. In: a snapshot or window,
 * the device's number in it. Out: the report's rows; their histograms are the
 * caller's to free. All return 0 or -ENOMEM.
 */
#ifndef IOSTRATA_NVME_LAYERS_H
#define IOSTRATA_NVME_LAYERS_H

#include "kernel/nvme_trace.h"
#include "report/report_nvme.h"

int nvme_layers_fill(struct report_nvme *nvme, const struct nvme_snapshot *snapshot,
		     unsigned int device);
/* Into nvme->queues, which has room for all rows of the snapshot. */
int nvme_queues_fill(struct report_nvme *nvme, const struct nvme_snapshot *snapshot,
		     unsigned int device);

/* The layer that holds most of the device's time; NULL: it has none. */
const struct report_nvme_layer *nvme_layers_worst(const struct report_nvme *nvme);

#endif
