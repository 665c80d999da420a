// SPDX-License-Identifier: GPL-2.0-only
// In: NVMe rows and devices of a snapshot. Out: the report model's NVMe parts.
#include "cmd/nvme_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/nvme_layers.h"
#include "kernel/nvme_names.h"
#include "probe/devno.h"
#include "probe/nvme_path.h"

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
	err = nvme_layers_fill(nvme, snapshot, number);
	nvme->queues = &rows->queues[rows->queue_count];
	if (!err)
		err = nvme_queues_fill(nvme, snapshot, number);
	rows->queue_count += nvme->queue_count;
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
