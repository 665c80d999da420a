// SPDX-License-Identifier: GPL-2.0-only
// In: a window of the trace programs' counts. Out: report rows.
#include "cmd/trace_rows.h"

#include <stdio.h>
#include <string.h>

#include "cmd/nvme_layers.h"
#include "probe/devno.h"
#include "report/format.h"

struct loss_text {
	const char *name, *meaning;
	bool normal, is_lost; /* is_lost: a started request whose latency is missing */
};

static const struct loss_text loss_texts[TRACE_LOSSES] = {
	[IOSTRATA_LOSS_TABLE_FULL] = { "map_full", "more requests in flight than the table holds",
				       false, true },
	[IOSTRATA_LOSS_OVERWRITTEN] = { "completion_missed",
					"the request's memory was reused before we saw it end", false,
					true },
	[IOSTRATA_LOSS_SERIES_FULL] = { "series_full",
					"more devices and operations than can be told apart", false,
					true },
	[IOSTRATA_LOSS_UNMATCHED] = { "orphans_at_attach",
				      "completed, but issued before we attached (or lost above)", true,
				      false },
	[IOSTRATA_LOSS_BACKWARDS] = { "clock_backwards",
				      "completed before issued by the clock: counted as 0", false,
				      false },
	[IOSTRATA_LOSS_FLUSH_STEP] = { "flush_steps",
				       "inner completions of flush sequences, not yet told apart",
				       true, false },
	[IOSTRATA_LOSS_PARTIAL] = { "partial_completions",
				    "completions of a part of a request: not its end", true, false },
	[IOSTRATA_LOSS_DEVICES_FULL] = { "devices_full",
					 "requests of devices beyond those there is room for", false,
					 false },
	[IOSTRATA_LOSS_NOT_REISSUED] = { "ended_in_queue",
					 "requeued, and ended without being issued again", false, true },
	[IOSTRATA_LOSS_NVME_DEVICES] = { "nvme_devices_full",
					 "NVMe commands and events of namespaces beyond those there "
					 "is room for: in no NVMe layer", false, false },
	[IOSTRATA_LOSS_CONTENDED] = { "atomics_contended",
				      "changes of a shared count or table that found its lock taken "
				      "(raw programs only)",
				      false, false },
};

enum { LOSS_MISSES = TRACE_LOSSES - 1 };

static uint64_t earlier_age(const struct trace_snapshot *earlier, unsigned int device)
{
	return earlier && device < earlier->device_count ? earlier->devices[device].age_ns : 0;
}

static void fill_op(struct report_op *op, struct trace_series *series, const struct op_names *names)
{
	*op = (struct report_op){ .started = series->started,
				  .completed = series->completed,
				  .bytes = series->bytes,
				  .errors = series->errors,
				  .queue = &series->queue,
				  .service = &series->service,
				  .queue_unknown = series->queue_unknown };
	snprintf(op->op, sizeof(op->op), "%s", names->name[series->op & 0xff]);
}

/* The device's ops, one after the other from `first` on; the new count. */
static unsigned int fill_ops(struct trace_rows *rows, const struct trace_snapshot *window,
			     uint32_t dev, unsigned int first, const struct op_names *names)
{
	for (unsigned int i = 0; i < window->series_count; i++)
		if (window->series[i].dev == dev &&
		    (window->series[i].started || window->series[i].completed))
			fill_op(&rows->ops[first++], &window->series[i], names);
	return first;
}

/* The depth's integral over the window is the time completed requests spent in
 * the device plus what those in flight have spent so far, less what the latter
 * had spent before the window.
 */
static void fill_depth(struct report_device *row, const struct trace_device *device,
		       uint64_t earlier_age_ns, uint64_t duration_ns)
{
	double in_flight_ns = (double)device->age_ns - (double)earlier_age_ns, waiting_ns = 0;
	uint64_t completed = 0, unknown = 0;

	for (unsigned int i = 0; i < row->op_count; i++) {
		in_flight_ns += (double)row->ops[i].service->sum;
		waiting_ns += (double)row->ops[i].queue->sum;
		completed += row->ops[i].completed;
		unknown += row->ops[i].queue_unknown;
	}
	row->depth = (struct report_depth){
		.capacity = row->state.nr_requests,
		.in_flight_mean = duration_ns ? in_flight_ns / (double)duration_ns : -1,
		.waiting_mean = duration_ns && (unknown < completed || !unknown)
					? waiting_ns / (double)duration_ns
					: -1,
		.in_flight_max = device->in_flight_max,
		.waiting_max = UINT64_MAX,
	};
}

/* A device that is gone by now keeps its number. */
static void fill_state(struct device_state *state, uint32_t dev)
{
	if (!device_state_by_number("/sys", devno_major(dev), devno_minor(dev), state))
		return;
	state->major = devno_major(dev);
	state->minor = devno_minor(dev);
	snprintf(state->name, sizeof(state->name), "%u:%u", state->major, state->minor);
}

/* From 0, of a difference that may have gone below it. */
static uint64_t distance(uint64_t unaccounted)
{
	return unaccounted <= INT64_MAX ? unaccounted : -unaccounted;
}

/* By the device's own count of started ones: it has also those that got no
 * series. Within a window the in-flight counts of both its ends would matter.
 */
static void account(struct trace_rows *rows, const struct report_device *row,
		    const struct trace_device *device, bool whole_run)
{
	uint64_t completed = 0;

	for (unsigned int i = 0; i < row->op_count; i++)
		completed += row->ops[i].completed;
	rows->completed += completed;
	if (whole_run)
		rows->unaccounted += device->started - completed - device->in_flight;
}

static void fill_losses(struct trace_rows *rows, const struct trace_snapshot *window)
{
	for (int i = 0; i < LOSS_MISSES; i++) {
		const struct loss_text *text = &loss_texts[i];

		rows->losses[i] = (struct report_count){ text->name, window->losses[i],
							 text->meaning, text->normal };
		if (text->is_lost)
			rows->lost += window->losses[i];
	}
	rows->losses[LOSS_MISSES] = (struct report_count){
		"recursion_misses", window->misses,
		"events the kernel withheld: a program of ours was running on that CPU", false
	};
	rows->loss_count = TRACE_LOSSES;
	rows->unseen = window->losses[IOSTRATA_LOSS_DEVICES_FULL] +
		       window->losses[IOSTRATA_LOSS_CONTENDED] + window->misses;
}

void trace_rows_fill(struct trace_rows *rows, const struct trace_snapshot *window,
		     const struct trace_snapshot *earlier, uint64_t duration_ns,
		     const struct op_names *names)
{
	unsigned int ops = 0;

	*rows = (struct trace_rows){ 0 };
	for (unsigned int i = 0; i < window->device_count; i++) {
		const struct trace_device *device = &window->devices[i];
		struct report_device *row = &rows->devices[rows->device_count];
		unsigned int first = ops;

		if (!device->used)
			continue;
		ops = fill_ops(rows, window, device->dev, first, names);
		if (ops == first && !device->started)
			continue;
		fill_state(&row->state, device->dev);
		row->ops = &rows->ops[first];
		row->op_count = ops - first;
		fill_depth(row, device, earlier_age(earlier, i), duration_ns);
		account(rows, row, device, !earlier);
		rows->device_count++;
	}
	fill_losses(rows, window);
	rows->unaccounted = earlier ? 0 : distance(rows->unaccounted - rows->lost);
}

void trace_rows_report(struct trace_rows *rows, struct report *report)
{
	report->devices = rows->devices;
	report->device_count = rows->device_count;
	report->losses = rows->losses;
	report->loss_count = rows->loss_count;
	report->queue = (struct report_span){ "allocated", "issued" };
	report->service = (struct report_span){ "issued", "completed" };
}

struct time_use {
	uint64_t queue_ns, service_ns, completed;
	struct hist *slowest; /* the op with most time: whose quantile is told */
	const char *op;
};

static struct time_use time_use(const struct report_device *device)
{
	struct time_use use = { 0 };
	uint64_t most = 0;

	for (unsigned int i = 0; i < device->op_count; i++) {
		const struct report_op *op = &device->ops[i];

		use.queue_ns += op->queue->sum;
		use.service_ns += op->service->sum;
		use.completed += op->completed;
		if (op->queue->sum + op->service->sum < most || !op->completed)
			continue;
		most = op->queue->sum + op->service->sum;
		use.slowest = op->queue->sum > op->service->sum ? op->queue : op->service;
		use.op = op->op;
	}
	return use;
}

static const struct report_device *busiest(const struct trace_rows *rows, struct time_use *out)
{
	const struct report_device *best = NULL;

	*out = (struct time_use){ 0 };
	for (unsigned int i = 0; i < rows->device_count; i++) {
		struct time_use use = time_use(&rows->devices[i]);

		if (!use.completed || (best && use.queue_ns + use.service_ns <=
						       out->queue_ns + out->service_ns))
			continue;
		best = &rows->devices[i];
		*out = use;
	}
	return best;
}

/* An NVMe device's stamps tell more than queue or service. */
static bool nvme_verdict(const struct report_device *device, struct report *report)
{
	const struct report_nvme_layer *layer = device->nvme ? nvme_layers_worst(device->nvme) : NULL;
	uint64_t all = device->nvme ? device->nvme->total.sum : 0;

	if (!layer || !all)
		return false;
	snprintf(report->verdict_layer, sizeof(report->verdict_layer), "%s", layer->layer);
	snprintf(report->verdict_text, sizeof(report->verdict_text),
		 "%s: %.0f %% of its requests' time is %s (%s to %s); its p99 %s at depth %.15s in "
		 "flight, %.15s waiting (means)",
		 device->state.name, 100 * (double)layer->hist.sum / (double)all, layer->layer,
		 layer->from, layer->to, format_duration(hist_quantile(&layer->hist, 9900), false).text,
		 format_mean(device->depth.in_flight_mean).text,
		 format_mean(device->depth.waiting_mean).text);
	return true;
}

void trace_rows_verdict(const struct trace_rows *rows, struct report *report)
{
	struct time_use use;
	const struct report_device *device = busiest(rows, &use);
	bool queue = use.queue_ns > use.service_ns;
	double all = (double)(use.queue_ns + use.service_ns);
	double part = (double)(queue ? use.queue_ns : use.service_ns);

	if (!device) {
		snprintf(report->verdict_text, sizeof(report->verdict_text),
			 "no request completed while we watched");
		return;
	}
	if (nvme_verdict(device, report))
		return;
	snprintf(report->verdict_layer, sizeof(report->verdict_layer), "%s",
		 queue ? "queue" : "service");
	snprintf(report->verdict_text, sizeof(report->verdict_text),
		 "%s: %.0f %% of its requests' time is %s; %s %s p99 %s at depth %.15s in flight, "
		 "%.15s waiting (means)",
		 device->state.name, all > 0 ? 100 * part / all : 0,
		 queue ? "queue (allocated to issued)" : "service (issued to completed)", use.op,
		 queue ? "queue" : "service", format_duration(hist_quantile(use.slowest, 9900), false).text,
		 format_mean(device->depth.in_flight_mean).text,
		 format_mean(device->depth.waiting_mean).text);
}
