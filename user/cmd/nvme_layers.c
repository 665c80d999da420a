// SPDX-License-Identifier: GPL-2.0-only
// In: NVMe rows of a snapshot. Out: one device's layers, as sums over its rows,
// and its queues and opcodes.
#include "cmd/nvme_layers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "buckets.h"
#include "kernel/nvme_names.h"

struct layer_text {
	enum iostrata_nvme_layer layer;
	const char *name, *from, *to;
};

/* Names as in bpf/boundary.h: a fold of two has both names. */
static const struct layer_text layer_texts[] = {
	{ IOSTRATA_NVME_SCHED, "sched", "allocated", "prepared" },
	{ IOSTRATA_NVME_DRIVER, "driver", "prepared", "first_issued" },
	{ IOSTRATA_NVME_REQUEUE, "requeue", "first_issued", "issued" },
	{ IOSTRATA_NVME_DEVICE, "device", "issued", "answered" },
	{ IOSTRATA_NVME_IRQ, "irq", "answered", "driver_done" },
	{ IOSTRATA_NVME_DEVICE_IRQ, "device+irq", "issued", "driver_done" },
	{ IOSTRATA_NVME_COMPLETE, "complete", "driver_done", "completed" },
};

/* A window's extremes may be unknown (0): then its buckets bound them. */
static int add_latency(struct hist *into, const struct iostrata_latency *from)
{
	uint64_t min = UINT64_MAX, max = 0;

	if (!into->bucket && hist_init(into, IOSTRATA_KERNEL_SUB_BITS))
		return -ENOMEM;
	for (unsigned int i = 0; i < into->size; i++) {
		if (!from->bucket[i])
			continue;
		into->bucket[i] += from->bucket[i];
		into->count += from->bucket[i];
		if (min == UINT64_MAX)
			min = iostrata_hist_low(i, into->sub_bits);
		max = iostrata_hist_high(i, into->sub_bits);
	}
	into->sum += from->sum_ns;
	min = from->min_inverted_ns ? ~from->min_inverted_ns : min;
	max = from->max_ns ? from->max_ns : max;
	into->min = min < into->min ? min : into->min;
	into->max = max > into->max ? max : into->max;
	return 0;
}

static bool is_of(const struct iostrata_nvme_row *row, unsigned int device)
{
	return row->key && row->device == device && row->completed;
}

static int fill_layer(struct hist *into, const struct nvme_snapshot *snapshot, unsigned int device,
		      enum iostrata_nvme_layer layer)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < snapshot->row_count; i++)
		if (is_of(&snapshot->rows[i], device))
			err = add_latency(into, &snapshot->rows[i].layer[layer]);
	return err;
}

/* Issued once, first_issued and issued are one boundary. */
static void end_driver(struct report_nvme *nvme)
{
	struct report_nvme_layer *driver = NULL;

	for (unsigned int i = 0; i < nvme->layer_count; i++) {
		if (!strcmp(nvme->layers[i].layer, "requeue"))
			return;
		if (!strcmp(nvme->layers[i].layer, "driver"))
			driver = &nvme->layers[i];
	}
	if (driver)
		driver->to = "issued";
}

static int fill_layers(struct report_nvme *nvme, const struct nvme_snapshot *snapshot,
		       unsigned int device)
{
	int err = fill_layer(&nvme->total, snapshot, device, IOSTRATA_NVME_TOTAL);

	for (size_t i = 0; !err && i < sizeof(layer_texts) / sizeof(layer_texts[0]); i++) {
		const struct layer_text *text = &layer_texts[i];
		struct report_nvme_layer *layer = &nvme->layers[nvme->layer_count];

		err = fill_layer(&layer->hist, snapshot, device, text->layer);
		if (!layer->hist.count) {
			hist_free(&layer->hist);
			layer->hist = (struct hist){ 0 };
			continue;
		}
		layer->layer = text->name;
		layer->from = text->from;
		layer->to = text->to;
		nvme->layer_count++;
	}
	if (!err)
		end_driver(nvme);
	return err;
}

static void fill_rest(struct report_nvme *nvme, const struct nvme_snapshot *snapshot,
		      unsigned int device)
{
	for (unsigned int i = 0; i < snapshot->row_count; i++) {
		const struct iostrata_nvme_row *row = &snapshot->rows[i];

		if (!is_of(row, device))
			continue;
		nvme->unattributed += row->unattributed;
		nvme->unattributed_ns += row->unattributed_ns;
		nvme->partly_seen += row->partly_seen;
	}
}

int nvme_layers_fill(struct report_nvme *nvme, const struct nvme_snapshot *snapshot,
		     unsigned int device)
{
	fill_rest(nvme, snapshot, device);
	return fill_layers(nvme, snapshot, device);
}

static int fill_queue(struct report_nvme_queue *queue, const struct iostrata_nvme_row *row)
{
	uint32_t number = row->key >> 16 & 0xffff, class = row->key & 0xff;
	int err;

	queue->queue = number == IOSTRATA_NVME_QUEUE_OTHER ? UINT32_MAX : number;
	queue->class = class & IOSTRATA_NVME_ADMIN	 ? "admin"
		       : class & IOSTRATA_NVME_PASSTHROUGH ? "passthrough"
							 : "io";
	queue->polled = class & IOSTRATA_NVME_POLLED;
	nvme_opcode_name(class & IOSTRATA_NVME_ADMIN, row->key >> 8 & 0xff, queue->opcode);
	queue->completed = row->completed;
	queue->errors = row->errors;
	err = add_latency(&queue->device, &row->layer[IOSTRATA_NVME_DEVICE]);
	return err ? err : add_latency(&queue->device, &row->layer[IOSTRATA_NVME_DEVICE_IRQ]);
}

static int by_queue(const void *a, const void *b)
{
	const struct report_nvme_queue *x = a, *y = b;

	if (x->queue != y->queue)
		return x->queue < y->queue ? -1 : 1;
	return x->completed != y->completed ? (x->completed < y->completed ? 1 : -1)
					    : strcmp(x->opcode, y->opcode);
}

int nvme_queues_fill(struct report_nvme *nvme, const struct nvme_snapshot *snapshot,
		     unsigned int device)
{
	for (unsigned int i = 0; i < snapshot->row_count; i++) {
		if (!is_of(&snapshot->rows[i], device))
			continue;
		if (fill_queue(&nvme->queues[nvme->queue_count++], &snapshot->rows[i]))
			return -ENOMEM;
	}
	qsort(nvme->queues, nvme->queue_count, sizeof(*nvme->queues), by_queue);
	return 0;
}

const struct report_nvme_layer *nvme_layers_worst(const struct report_nvme *nvme)
{
	const struct report_nvme_layer *worst = NULL;

	for (unsigned int i = 0; i < nvme->layer_count; i++)
		if (!worst || nvme->layers[i].hist.sum > worst->hist.sum)
			worst = &nvme->layers[i];
	return worst;
}
