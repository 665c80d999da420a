// SPDX-License-Identifier: GPL-2.0-only
// In: NVMe rows and devices of a snapshot. Out: the report model's NVMe parts.
#include "cmd/nvme_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buckets.h"
#include "kernel/nvme_names.h"
#include "probe/devno.h"
#include "probe/nvme_path.h"

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

struct count_text {
	const char *name, *meaning;
};

static const struct count_text count_texts[IOSTRATA_NVME_COUNTS] = {
	[IOSTRATA_NVME_RETRIES] = { "retries", "commands the driver sent again" },
	[IOSTRATA_NVME_TIMED_OUT] = { "timed_out", "commands ended by the timeout handler" },
	[IOSTRATA_NVME_POLLED_LATE] = { "polled_late",
					"answers no interrupt told of: the timeout handler polled" },
	[IOSTRATA_NVME_CANCELLED] = { "cancelled", "commands ended by the driver (reset, removal)" },
	[IOSTRATA_NVME_STATUS_UNREAD] = { "status_unread", "commands whose status was not read" },
	[IOSTRATA_NVME_DO_NOT_RETRY] = { "do_not_retry", "errors marked as not worth a retry" },
	[IOSTRATA_NVME_JITTER] = { "clock_jitter", "stamps that stepped back by less than 1 us" },
	[IOSTRATA_NVME_NO_ROW] = { "no_row", "completed, but there was no room for its queue and opcode" },
	[IOSTRATA_NVME_OTHER_QUEUES] = { "other_queues", "issued on queues that had no room for rows of their own" },
	[IOSTRATA_NVME_EVENTS_OTHER] = { "events_other", "async events of more kinds than are told apart" },
	[IOSTRATA_NVME_ORDER_PREPARED] = { "prepared_before_allocated", "stamps out of order" },
	[IOSTRATA_NVME_ORDER_FIRST_ISSUED] = { "first_issued_before_prepared", "stamps out of order" },
	[IOSTRATA_NVME_ORDER_ISSUED] = { "issued_before_first_issued", "stamps out of order" },
	[IOSTRATA_NVME_ORDER_ANSWERED] = { "answered_before_issued", "stamps out of order" },
	[IOSTRATA_NVME_ORDER_DRIVER_DONE] = { "driver_done_before_answered", "stamps out of order" },
	[IOSTRATA_NVME_ORDER_COMPLETED] = { "completed_before_driver_done", "stamps out of order" },
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

static int fill_queues(struct nvme_rows *rows, struct report_nvme *nvme,
		       const struct nvme_snapshot *snapshot, unsigned int device)
{
	nvme->queues = &rows->queues[rows->queue_count];
	for (unsigned int i = 0; i < snapshot->row_count; i++) {
		if (!is_of(&snapshot->rows[i], device))
			continue;
		rows->queue_count++;
		if (fill_queue(&nvme->queues[nvme->queue_count++], &snapshot->rows[i]))
			return -ENOMEM;
	}
	qsort(nvme->queues, nvme->queue_count, sizeof(*nvme->queues), by_queue);
	return 0;
}

static int by_count(const void *a, const void *b)
{
	const struct report_nvme_status *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (int)(x->type << 8 | x->code) - (int)(y->type << 8 | y->code);
}

static int fill_statuses(struct report_nvme *nvme, const struct iostrata_nvme_device *device)
{
	unsigned int kinds = 0;

	for (uint32_t i = 1; i < IOSTRATA_NVME_STATUSES; i++)
		kinds += device->status[i] != 0;
	nvme->statuses = calloc(kinds + 1, sizeof(*nvme->statuses));
	if (!nvme->statuses)
		return -ENOMEM;
	for (uint32_t i = 1; i < IOSTRATA_NVME_STATUSES; i++) {
		struct report_nvme_status *status = &nvme->statuses[nvme->status_count];

		if (!device->status[i])
			continue;
		*status = (struct report_nvme_status){ .type = i >> 8, .code = i & 0xff,
						       .count = device->status[i] };
		nvme_status_name(i, status->name);
		nvme->status_count++;
	}
	qsort(nvme->statuses, nvme->status_count, sizeof(*nvme->statuses), by_count);
	return 0;
}

static void fill_events(struct report_nvme *nvme, const struct iostrata_nvme_device *device)
{
	for (int i = 0; i < IOSTRATA_NVME_EVENTS; i++) {
		struct report_nvme_event *event = &nvme->events[nvme->event_count];

		if (!device->event[i].count)
			continue;
		nvme_event_name((uint32_t)device->event[i].value - 1, event->name);
		event->count = device->event[i].count;
		nvme->event_count++;
	}
}

/* The admin command Abort is what the driver does about a slow command first. */
static void fill_counts(struct report_nvme *nvme, const struct iostrata_nvme_device *device)
{
	uint64_t aborts = 0;

	for (unsigned int i = 0; i < nvme->queue_count; i++)
		if (!strcmp(nvme->queues[i].class, "admin") && !strcmp(nvme->queues[i].opcode, "abort"))
			aborts += nvme->queues[i].completed;
	for (int i = 0; i < IOSTRATA_NVME_COUNTS; i++)
		nvme->counts[nvme->count_count++] = (struct report_nvme_count){
			count_texts[i].name, device->count[i], count_texts[i].meaning };
	nvme->counts[nvme->count_count++] = (struct report_nvme_count){
		"aborts", aborts, "commands the driver asked the controller to abort" };
	nvme->counts[nvme->count_count++] = (struct report_nvme_count){
		"partly_seen", nvme->partly_seen,
		"completed without the driver's events: in no layer" };
}

static void fill_place(struct report_nvme *nvme, const struct iostrata_nvme_device *device)
{
	if (device->instance != IOSTRATA_NVME_INSTANCE_UNKNOWN)
		snprintf(nvme->controller, sizeof(nvme->controller), "nvme%u", device->instance);
	else if (device->name[0])
		nvme_path_controller("/sys", device->name, nvme->controller,
				     sizeof(nvme->controller));
	nvme_path_transport("/sys", nvme->controller, nvme->transport, sizeof(nvme->transport));
}

/* What sysfs could not name by its number. */
static void name_row(struct report_device *row, struct nvme_device_rows *own,
		     const struct iostrata_nvme_device *device)
{
	struct device_state *state = &row->state;
	const char *controller = own->nvme.controller;

	if (devno_major(device->dev) == IOSTRATA_NVME_ADMIN_MAJOR) {
		snprintf(state->name, sizeof(state->name), "%s", controller[0] ? controller : "nvme");
		state->major = state->minor = 0;
		return;
	}
	/* Not there by number: hidden, or gone meanwhile. */
	if (strchr(state->name, ':')) {
		device_state_by_name("/sys", device->name, state);
		snprintf(state->name, sizeof(state->name), "%.31s", device->name);
		state->major = devno_major(device->dev);
		state->minor = devno_minor(device->dev);
	}
	nvme_path_head(device->name, own->parent, sizeof(own->parent));
	row->parent = own->parent[0] ? own->parent : NULL;
}

static int fill_device(struct nvme_rows *rows, struct nvme_device_rows *own,
		       const struct nvme_snapshot *snapshot, unsigned int number)
{
	const struct iostrata_nvme_device *device = &snapshot->devices[number];
	struct report_nvme *nvme = &own->nvme;
	int err;

	nvme->status_is_known = snapshot->status_is_known;
	fill_place(nvme, device);
	fill_rest(nvme, snapshot, number);
	err = fill_layers(nvme, snapshot, number);
	if (!err)
		err = fill_queues(rows, nvme, snapshot, number);
	if (!err)
		err = fill_statuses(nvme, device);
	fill_events(nvme, device);
	fill_counts(nvme, device);
	return err;
}

static uint64_t disorders(const struct iostrata_nvme_device *device)
{
	uint64_t sum = 0;

	for (int i = IOSTRATA_NVME_ORDER_PREPARED; i <= IOSTRATA_NVME_ORDER_COMPLETED; i++)
		sum += device->count[i];
	return sum;
}

static void fill_checks(struct nvme_rows *rows, const struct nvme_snapshot *snapshot)
{
	uint64_t order = 0, no_row = 0;

	for (unsigned int i = 0; i < snapshot->device_count; i++) {
		order += disorders(&snapshot->devices[i]);
		no_row += snapshot->devices[i].count[IOSTRATA_NVME_NO_ROW];
	}
	rows->checks[rows->check_count++] = (struct report_count){
		"nvme_order_violations", order,
		"stamps of NVMe requests out of order by 1 us or more; see the device's counts" };
	rows->checks[rows->check_count++] = (struct report_count){
		"nvme_without_row", no_row, "NVMe requests of more queues and opcodes than there is room for" };
}

/* A controller with events and no command has a row of its own too. */
static struct report_device *row_of(struct trace_rows *trace, const struct iostrata_nvme_device *device,
				    bool has_events)
{
	struct report_device *row;

	for (unsigned int i = 0; i < trace->device_count; i++)
		if (devno_kernel(trace->devices[i].state.major, trace->devices[i].state.minor) == device->dev)
			return &trace->devices[i];
	if (!has_events || trace->device_count == IOSTRATA_DEVICES_MAX)
		return NULL;
	row = &trace->devices[trace->device_count++];
	*row = (struct report_device){ .depth = { .capacity = UINT64_MAX, .waiting_max = UINT64_MAX,
						  .in_flight_max = 0 } };
	row->state = (struct device_state){ .nr_requests = UINT64_MAX, .hw_queues = UINT64_MAX,
					    .size_bytes = UINT64_MAX, .logical_block = UINT64_MAX,
					    .iostats = UINT64_MAX, .rotational = UINT64_MAX,
					    .wbt_lat_usec = UINT64_MAX, .max_sectors_kb = UINT64_MAX };
	return row;
}

int nvme_rows_fill(struct nvme_rows *rows, const struct nvme_snapshot *snapshot,
		   struct trace_rows *trace)
{
	int err = 0;

	nvme_rows_free(rows);
	rows->devices = calloc(snapshot->device_count + 1, sizeof(*rows->devices));
	rows->queues = calloc(snapshot->row_count + 1, sizeof(*rows->queues));
	if (!rows->devices || !rows->queues)
		return -ENOMEM;
	for (unsigned int i = 0; !err && i < snapshot->device_count; i++) {
		struct nvme_device_rows *own = &rows->devices[rows->device_count++];
		struct report_device *row;

		if (!snapshot->devices[i].dev)
			continue;
		err = fill_device(rows, own, snapshot, i);
		row = row_of(trace, &snapshot->devices[i], own->nvme.event_count != 0);
		if (!row)
			continue;
		row->nvme = &own->nvme;
		name_row(row, own, &snapshot->devices[i]);
	}
	if (snapshot->device_count)
		fill_checks(rows, snapshot);
	return err;
}

void nvme_rows_free(struct nvme_rows *rows)
{
	for (unsigned int i = 0; i < rows->device_count; i++) {
		struct report_nvme *nvme = &rows->devices[i].nvme;

		hist_free(&nvme->total);
		for (unsigned int j = 0; j < nvme->layer_count; j++)
			hist_free(&nvme->layers[j].hist);
		free(nvme->statuses);
	}
	for (unsigned int i = 0; i < rows->queue_count; i++)
		hist_free(&rows->queues[i].device);
	free(rows->devices);
	free(rows->queues);
	*rows = (struct nvme_rows){ 0 };
}

const struct report_nvme_layer *nvme_rows_worst(const struct report_nvme *nvme)
{
	const struct report_nvme_layer *worst = NULL;

	for (unsigned int i = 0; i < nvme->layer_count; i++)
		if (!worst || nvme->layers[i].hist.sum > worst->hist.sum)
			worst = &nvme->layers[i];
	return worst;
}
