/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A completed NVMe request's stamps, checked for their order and turned into
 * layers. In: the request's two halves. Out: its row's histograms; layers and
 * what is unattributed sum to the total, to the nanosecond.
 */
#ifndef IOSTRATA_NVME_LAYERS_BPF_H
#define IOSTRATA_NVME_LAYERS_BPF_H

#include "nvme_table.bpf.h"

/* Kernels up to 6.1 refuse a loop whose head is fallen into ("back-edge"). */
#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED
#endif

/* In the order in which they must follow each other. */
enum nvme_step { STEP_START, STEP_PREPARED, STEP_FIRST_ISSUED, STEP_ISSUED, STEP_ANSWERED,
		 STEP_DRIVER_DONE, STEP_COMPLETED, STEPS };

struct nvme_steps {
	u64 ns[STEPS]; /* 0: not seen; only START and ANSWERED may be */
	u32 jitters, disordered;
};

/* Global, so that the verifier walks it once for all layers. */
__noinline int nvme_bump(u32 row_number, u32 layer, u64 ns)
{
	struct iostrata_nvme_row *row = nvme_row_at(row_number);
	u32 at = iostrata_hist_index(ns, IOSTRATA_KERNEL_SUB_BITS);
	struct iostrata_latency *latency;

	if (!row || layer >= IOSTRATA_NVME_LAYERS || at >= IOSTRATA_KERNEL_BUCKETS)
		return 0;
	latency = &row->layer[layer];
	atomic_add(&latency->bucket[at], 1);
	atomic_add(&latency->sum_ns, ns);
	raise(&latency->max_ns, ns);
	raise(&latency->min_inverted_ns, ~ns);
	return 0;
}

/* Apart, so that the loop over the steps is short enough to be unrolled. */
__noinline int nvme_disordered(u32 device_number, u32 step)
{
	struct iostrata_nvme_device *device = nvme_device_at(device_number);
	u32 what = IOSTRATA_NVME_ORDER_PREPARED + (step - STEP_PREPARED);

	if (device && what < IOSTRATA_NVME_COUNTS)
		atomic_add(&device->count[what], 1);
	return 1;
}

/* A stamp that lies just outside what surrounds it moves onto the edge: its
 * layer becomes 0 and the neighbour pays.
 */
static __always_inline void nvme_put_in_order(struct nvme_steps *steps, u32 device)
{
	u64 end = steps->ns[STEP_COMPLETED], before = steps->ns[STEP_START];

	UNROLLED
	for (int i = STEP_PREPARED; i < STEP_COMPLETED; i++) {
		u64 ns = steps->ns[i];

		if (!ns)
			continue;
		if (ns < before && before - ns >= IOSTRATA_NVME_JITTER_NS)
			steps->disordered = nvme_disordered(device, i);
		else if (ns > end && ns - end >= IOSTRATA_NVME_JITTER_NS)
			steps->disordered = nvme_disordered(device, STEP_COMPLETED);
		else if (ns < before)
			ns = before, steps->jitters++;
		else if (ns > end)
			ns = end, steps->jitters++;
		steps->ns[i] = before = ns;
	}
}

static __always_inline void nvme_bump_device(u32 row, const struct nvme_steps *steps)
{
	u64 issued = steps->ns[STEP_ISSUED], answered = steps->ns[STEP_ANSWERED];
	u64 done = steps->ns[STEP_DRIVER_DONE];

	if (!answered) {
		nvme_bump(row, IOSTRATA_NVME_DEVICE_IRQ, done - issued);
		return;
	}
	nvme_bump(row, IOSTRATA_NVME_DEVICE, answered - issued);
	nvme_bump(row, IOSTRATA_NVME_IRQ, done - answered);
}

static __always_inline void nvme_bump_layers(u32 row, const struct nvme_steps *steps, bool has_start)
{
	const u64 *ns = steps->ns;

	if (has_start)
		nvme_bump(row, IOSTRATA_NVME_SCHED, ns[STEP_PREPARED] - ns[STEP_START]);
	nvme_bump(row, IOSTRATA_NVME_DRIVER, ns[STEP_FIRST_ISSUED] - ns[STEP_PREPARED]);
	if (ns[STEP_ISSUED] != ns[STEP_FIRST_ISSUED])
		nvme_bump(row, IOSTRATA_NVME_REQUEUE, ns[STEP_ISSUED] - ns[STEP_FIRST_ISSUED]);
	nvme_bump_device(row, steps);
	nvme_bump(row, IOSTRATA_NVME_COMPLETE, ns[STEP_COMPLETED] - ns[STEP_DRIVER_DONE]);
}

static __always_inline u64 nvme_start(const struct iostrata_flight *flight,
				      const struct iostrata_nvme_flight *nvme)
{
	if (flight->queue_ns == IOSTRATA_QUEUE_UNKNOWN)
		return 0;
	return nvme->first_issued_ns - flight->queue_ns;
}

static __always_inline void nvme_count_jitters(u32 number, u32 jitters)
{
	struct iostrata_nvme_device *device = jitters ? nvme_device_at(number) : 0;

	if (device)
		atomic_add(&device->count[IOSTRATA_NVME_JITTER], jitters);
}

static __always_inline void nvme_attribute(struct nvme_pair pair, struct iostrata_nvme_row *row,
					   u64 now)
{
	struct iostrata_nvme_flight *nvme = pair.nvme;
	u64 start = nvme_start(pair.flight, nvme), from = start ? start : nvme->prepared_ns, total;
	struct nvme_steps steps = { .ns = { from, nvme->prepared_ns, nvme->first_issued_ns,
					    pair.flight->issued_ns, nvme->answered_ns,
					    nvme->done_ns, now } };

	total = now > from ? now - from : 0;
	nvme_put_in_order(&steps, nvme->device);
	nvme_bump(nvme->row, IOSTRATA_NVME_TOTAL, total);
	nvme_count_jitters(nvme->device, steps.jitters);
	if (steps.disordered || now < from) {
		atomic_add(&row->unattributed, 1);
		atomic_add(&row->unattributed_ns, total);
		return;
	}
	nvme_bump_layers(nvme->row, &steps, start != 0);
}

/* The block layer completes it; it is still in the table. */
__noinline int nvme_end(u64 key, u64 now, u32 failed)
{
	struct nvme_pair pair = nvme_find_prepared(key);
	struct iostrata_nvme_row *row;

	if (!pair.flight || !pair.nvme)
		return 0;
	row = nvme_row_at(pair.nvme->row);
	if (pair.nvme->device == IOSTRATA_NVME_NONE)
		lose(IOSTRATA_LOSS_NVME_DEVICES);
	if (!row) {
		nvme_count(pair.nvme->device, IOSTRATA_NVME_NO_ROW);
		return 0;
	}
	atomic_add(&row->completed, 1);
	if (failed)
		atomic_add(&row->errors, 1);
	if (pair.nvme->done_ns)
		nvme_attribute(pair, row, now);
	else
		atomic_add(&row->partly_seen, 1);
	return 0;
}

#endif
