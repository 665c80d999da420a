/* SPDX-License-Identifier: GPL-2.0-only
 *
 * NVMe requests between the block layer's events. In: the driver's tracepoints,
 * and from trace.bpf.c the issue and the end of what these have marked. Out:
 * when each was prepared, answered and done, its status, and async events.
 *
 * The order in nature, on every transport: setup_cmd, block_rq_issue, [sq,]
 * complete_rq, block_rq_complete. Only nvme-pci has sq. After a retry or a
 * requeue it begins again at setup_cmd.
 */
#ifndef IOSTRATA_NVME_BPF_H
#define IOSTRATA_NVME_BPF_H

#include "nvme_access.bpf.h"
#include "nvme_layers.bpf.h"
#include "nvme_paths.bpf.h"
#include "nvme_table.bpf.h"

enum {
	NVME_HOST_ABORTED = 0x371,
	NVME_REQ_CANCELLED = 1 << 0,
	NVME_DNR = 1 << 14,
	HCTX_POLLED = 2,
	OP_DRV_IN = 34,
	OP_DRV_OUT = 35,
};

struct iostrata_nvme_facts nvme_facts = {}; /* user space's, perhaps after a while */

/* The controller's number, by the request's own pointer to it. */
static __always_inline u32 nvme_instance(void *ctrl)
{
	u32 instance = 0;

	if (!nvme_facts.known ||
	    bpf_probe_read_kernel(&instance, sizeof(instance), ctrl + nvme_facts.instance))
		return IOSTRATA_NVME_INSTANCE_UNKNOWN;
	return instance & IOSTRATA_NVME_INSTANCE_UNKNOWN;
}

static __always_inline u32 nvme_request_instance(u64 key)
{
	void *ctrl = 0, *own = key_number(key) + nvme_facts.request_bytes;

	if (!nvme_facts.known || bpf_probe_read_kernel(&ctrl, sizeof(ctrl), own + nvme_facts.ctrl))
		return IOSTRATA_NVME_INSTANCE_UNKNOWN;
	return nvme_instance(ctrl);
}

static __always_inline u32 nvme_admin_dev(u32 instance)
{
	return IOSTRATA_NVME_ADMIN_MAJOR << 20 | instance;
}

/* A request without a disk: NVMe's are their controller's. */
static __noinline u32 nvme_diskless_dev(u64 key)
{
	struct nvme_pair pair = nvme_find_prepared(key);

	return pair.flight ? nvme_admin_dev(nvme_request_instance(key)) : 0;
}

/* An entry for it before it is issued. */
static __always_inline struct nvme_pair nvme_take(u64 key)
{
	struct iostrata_table_set *set = table_set(key);

	if (!set || !table_take(set, key))
		return (struct nvme_pair){};
	return nvme_find(key);
}

/* Its first set-up, or one more: a retry if the driver was done with it before. */
static __always_inline void nvme_prepare(struct nvme_pair pair, u64 now)
{
	struct iostrata_nvme_flight *nvme = pair.nvme;

	if (!(pair.flight->flags & IOSTRATA_FLIGHT_NVME)) {
		pair.flight->flags |= IOSTRATA_FLIGHT_NVME;
		nvme->row = nvme->device = IOSTRATA_NVME_NONE;
		nvme->first_issued_ns = nvme->done_ns = 0;
	}
	if (nvme->done_ns)
		nvme_count(nvme->device, IOSTRATA_NVME_RETRIES);
	if (!nvme->first_issued_ns)
		nvme->prepared_ns = now;
	nvme->answered_ns = nvme->done_ns = 0;
}

SEC("raw_tp/nvme_setup_cmd")
int on_nvme_setup_cmd(u64 *ctx)
{
	u64 key = number_key((void *)ctx[0]);
	struct nvme_pair pair;

	if (!counting || !nvme_is_wanted((void *)ctx[0]))
		return 0;
	pair = nvme_take(key);
	if (!pair.flight || !pair.nvme)
		return 0; /* the issue event will count the loss */
	if (pair.flight->issued_ns) {
		forget(pair.flight);
		pair.flight->issued_ns = 0;
	}
	if (!(pair.flight->flags & IOSTRATA_FLIGHT_STARTED))
		pair.flight->series = SERIES_NONE; /* until it is issued */
	nvme_prepare(pair, bpf_ktime_get_ns());
	bpf_probe_read_kernel(&pair.nvme->opcode, sizeof(pair.nvme->opcode), (void *)ctx[1]);
	return 0;
}

static __always_inline u32 nvme_class(struct request *rq, u32 dev, u32 op)
{
	u32 class = op == OP_DRV_IN || op == OP_DRV_OUT ? IOSTRATA_NVME_PASSTHROUGH : 0;

	if (dev >> 20 == IOSTRATA_NVME_ADMIN_MAJOR)
		class |= IOSTRATA_NVME_ADMIN;
	if (GET(rq, mq_hctx, type) == HCTX_POLLED)
		class |= IOSTRATA_NVME_POLLED;
	return class;
}

static __noinline u32 nvme_device_new(struct request *rq, u64 key, u32 dev)
{
	u32 number = nvme_device_make(dev);
	struct iostrata_nvme_device *device = nvme_device_at(number);
	struct gendisk *disk = request_disk(rq);

	if (!device || device->dev != dev)
		return number;
	device->instance = nvme_request_instance(key);
	if (disk)
		bpf_core_read_str(device->name, sizeof(device->name), &disk->disk_name);
	return number;
}

/* Handed to the driver, from block_rq_issue: its first time, or again. */
static __always_inline void nvme_issue(struct request *rq, u64 key, u32 dev, u32 op, u64 now)
{
	struct nvme_pair pair = nvme_find_prepared(key);
	u32 queue, device;
	u64 row_key;

	if (!pair.flight || !pair.nvme || pair.nvme->first_issued_ns)
		return;
	pair.nvme->first_issued_ns = now;
	queue = dev >> 20 == IOSTRATA_NVME_ADMIN_MAJOR ? 0 : GET(rq, mq_hctx, queue_num) + 1;
	row_key = iostrata_nvme_key(dev, queue & 0xffff, pair.nvme->opcode, nvme_class(rq, dev, op));
	device = nvme_device_known(dev);
	if (device == IOSTRATA_NVME_NONE)
		device = nvme_device_new(rq, key, dev);
	pair.nvme->device = device;
	pair.nvme->row = nvme_row_known(row_key);
	if (pair.nvme->row == IOSTRATA_NVME_NONE && device != IOSTRATA_NVME_NONE)
		pair.nvme->row = nvme_row_search(row_key, device);
}

SEC("raw_tp/nvme_sq")
int on_nvme_sq(u64 *ctx)
{
	struct request *rq = (void *)ctx[0];
	struct nvme_pair pair;

	if (!counting)
		return 0;
	pair = nvme_find_prepared(number_key(rq));
	if (!pair.flight || !pair.nvme)
		return 0;
	pair.nvme->answered_ns = bpf_ktime_get_ns();
	/* An interrupt had not told of it. */
	if (BPF_CORE_READ(rq, rq_flags) & nvme_facts.timed_out_mask)
		nvme_count(pair.nvme->device, IOSTRATA_NVME_POLLED_LATE);
	return 0;
}

struct nvme_outcome {
	u16 status;
	u8 flags;
};

static __always_inline bool nvme_outcome(u64 key, struct nvme_outcome *out)
{
	void *own = key_number(key) + nvme_facts.request_bytes;

	return nvme_facts.known &&
	       !bpf_probe_read_kernel(&out->status, sizeof(out->status), own + nvme_facts.status) &&
	       !bpf_probe_read_kernel(&out->flags, sizeof(out->flags), own + nvme_facts.flags);
}

static __always_inline void nvme_count_outcome(u64 key, u32 number)
{
	struct iostrata_nvme_device *device = nvme_device_at(number);
	struct nvme_outcome outcome = {};
	u32 code;

	if (!device)
		return;
	if (!nvme_outcome(key, &outcome)) {
		atomic_add(&device->count[IOSTRATA_NVME_STATUS_UNREAD], 1);
		return;
	}
	code = outcome.status & (IOSTRATA_NVME_STATUSES - 1);
	if (code)
		atomic_add(&device->status[code], 1);
	if (outcome.status & NVME_DNR)
		atomic_add(&device->count[IOSTRATA_NVME_DO_NOT_RETRY], 1);
	if (code == NVME_HOST_ABORTED || outcome.flags & NVME_REQ_CANCELLED)
		atomic_add(&device->count[IOSTRATA_NVME_CANCELLED], 1);
}

SEC("raw_tp/nvme_complete_rq")
int on_nvme_complete_rq(u64 *ctx)
{
	struct request *rq = (void *)ctx[0];
	u64 key = number_key(rq);
	struct nvme_pair pair;

	if (!counting)
		return 0;
	pair = nvme_find_prepared(key);
	if (!pair.flight || !pair.nvme)
		return 0;
	pair.nvme->done_ns = bpf_ktime_get_ns();
	nvme_count_outcome(key, pair.nvme->device);
	if (!pair.nvme->answered_ns && BPF_CORE_READ(rq, rq_flags) & nvme_facts.timed_out_mask)
		nvme_count(pair.nvme->device, IOSTRATA_NVME_TIMED_OUT);
	return 0;
}

/* Commands of the driver's own that have no request and wait at the device
 * until something happens there.
 */
static __always_inline void nvme_count_event(struct iostrata_nvme_device *device, u64 value)
{
	for (int i = 0; i < IOSTRATA_NVME_EVENTS; i++) {
		struct iostrata_nvme_event *event = &device->event[i];
		u64 was = atomic_cas(&event->value, 0, value + 1);

		if (was && was != value + 1)
			continue;
		atomic_add(&event->count, 1);
		return;
	}
	atomic_add(&device->count[IOSTRATA_NVME_EVENTS_OTHER], 1);
}

SEC("raw_tp/nvme_async_event")
int on_nvme_async_event(u64 *ctx)
{
	u32 instance, number;
	struct iostrata_nvme_device *device;

	if (!counting || cfg_filter_devices)
		return 0;
	instance = nvme_instance((void *)ctx[0]);
	number = nvme_device_known(nvme_admin_dev(instance));
	if (number == IOSTRATA_NVME_NONE)
		number = nvme_device_make(nvme_admin_dev(instance));
	device = nvme_device_at(number);
	if (!device) {
		lose(IOSTRATA_LOSS_NVME_DEVICES);
		return 0;
	}
	device->instance = instance;
	nvme_count_event(device, (u32)ctx[1]);
	return 0;
}

#endif
