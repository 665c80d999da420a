// SPDX-License-Identifier: GPL-2.0-only
// In: the NVMe rows and devices the programs write. Out: copies of those in
// use, and the difference of two copies.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/nvme_trace.h"
#include "trace.skel.h"

static unsigned int used(uint32_t count, unsigned int max)
{
	return count < max ? count : max;
}

static int make(struct nvme_snapshot *out, unsigned int rows, unsigned int devices)
{
	*out = (struct nvme_snapshot){ 0 };
	out->rows = calloc(rows + 1, sizeof(*out->rows));
	out->devices = calloc(devices + 1, sizeof(*out->devices));
	if (!out->rows || !out->devices) {
		nvme_snapshot_free(out);
		return -ENOMEM;
	}
	out->row_count = rows;
	out->device_count = devices;
	return 0;
}

int nvme_trace_read(const struct nvme_trace *nvme, const struct trace_bpf *skel,
		    struct nvme_snapshot *out)
{
	unsigned int rows = used(skel->bss->nvme_rows_used, nvme->rows_max);
	unsigned int devices = used(skel->bss->nvme_devices_used, IOSTRATA_NVME_DEVICES);
	int err = make(out, rows, devices);

	if (err)
		return err;
	memcpy(out->rows, nvme->rows, rows * sizeof(*out->rows));
	memcpy(out->devices, nvme->devices, devices * sizeof(*out->devices));
	out->attached = nvme->hooks.attached;
	out->status_is_known = skel->bss->nvme_facts.known;
	return 0;
}

void nvme_snapshot_free(struct nvme_snapshot *snapshot)
{
	free(snapshot->rows);
	free(snapshot->devices);
	*snapshot = (struct nvme_snapshot){ 0 };
}

/* An extreme that did not move since then may be older than the window: its
 * buckets bound it then, see hist_window().
 */
static void window_latency(struct iostrata_latency *window, const struct iostrata_latency *earlier)
{
	for (int i = 0; i < IOSTRATA_KERNEL_BUCKETS; i++)
		window->bucket[i] -= earlier->bucket[i];
	window->sum_ns -= earlier->sum_ns;
	if (window->max_ns == earlier->max_ns)
		window->max_ns = 0;
	if (window->min_inverted_ns == earlier->min_inverted_ns)
		window->min_inverted_ns = 0;
}

static void window_row(struct iostrata_nvme_row *window, const struct iostrata_nvme_row *earlier)
{
	window->completed -= earlier->completed;
	window->errors -= earlier->errors;
	window->partly_seen -= earlier->partly_seen;
	window->unattributed -= earlier->unattributed;
	window->unattributed_ns -= earlier->unattributed_ns;
	for (int i = 0; i < IOSTRATA_NVME_LAYERS; i++)
		window_latency(&window->layer[i], &earlier->layer[i]);
}

static void window_device(struct iostrata_nvme_device *window,
			  const struct iostrata_nvme_device *earlier)
{
	for (int i = 0; i < IOSTRATA_NVME_COUNTS; i++)
		window->count[i] -= earlier->count[i];
	for (int i = 0; i < IOSTRATA_NVME_EVENTS; i++)
		window->event[i].count -= earlier->event[i].count;
	for (int i = 0; i < IOSTRATA_NVME_STATUSES; i++)
		window->status[i] -= earlier->status[i];
}

/* Rows and devices keep their numbers, so `earlier` is a prefix of `later`. */
int nvme_snapshot_window(struct nvme_snapshot *window, const struct nvme_snapshot *later,
			 const struct nvme_snapshot *earlier)
{
	int err = make(window, later->row_count, later->device_count);

	if (err)
		return err;
	window->attached = later->attached;
	window->status_is_known = later->status_is_known;
	if (later->row_count)
		memcpy(window->rows, later->rows, later->row_count * sizeof(*window->rows));
	if (later->device_count)
		memcpy(window->devices, later->devices, later->device_count * sizeof(*window->devices));
	for (unsigned int i = 0; i < earlier->row_count; i++)
		window_row(&window->rows[i], &earlier->rows[i]);
	for (unsigned int i = 0; i < earlier->device_count; i++)
		window_device(&window->devices[i], &earlier->devices[i]);
	return 0;
}
