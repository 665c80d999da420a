// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every request of a machine (or of chosen devices), anybody's. In: insert,
 * issue, requeue and complete events. Out: per device and operation log2
 * histograms of queue time (allocated to issued) and service time (issued to
 * completed), depth, and each loss by reason.
 *
 * Queue time starts at the request's own allocation stamp, which the kernel
 * keeps when the queue does I/O accounting; where it does not (iostats=0), at
 * block_rq_insert if that was seen, else it is unknown and counted so.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "access.bpf.h"
#include "atomic.bpf.h"
#include "drift.bpf.h"
#include "series.bpf.h"
#include "table.bpf.h"
#include "trace.h"

char LICENSE[] SEC("license") = "GPL";

enum { REQ_OP_MASK = 0xff, REQ_OP_FLUSH = 2 };

/* The gate: nothing counts before set-up is complete nor after the end. */
__u32 counting = 0;
__u64 losses[IOSTRATA_TRACE_LOSS_COUNT] = {};

static __always_inline void lose(enum iostrata_trace_loss reason)
{
	atomic_add(&losses[reason], 1);
}

static __always_inline void bump(struct iostrata_latency *latency, u64 ns)
{
	u32 at = iostrata_hist_index(ns, IOSTRATA_KERNEL_SUB_BITS);

	if (at < IOSTRATA_KERNEL_BUCKETS) /* always; the verifier wants it said */
		latency->bucket[at]++;
	latency->sum_ns += ns;
	if (ns > latency->max_ns)
		latency->max_ns = ns;
	if (~ns > latency->min_inverted_ns)
		latency->min_inverted_ns = ~ns;
}

static __always_inline struct iostrata_device *device_at(u32 number)
{
	return bpf_map_lookup_elem(&devices, &number);
}

/* One more is in flight. The count is looked up only if it may be a new
 * maximum: that of those who left lies on a line others write.
 */
static __always_inline void device_enter(struct iostrata_device *device)
{
	u64 started = atomic_add_get(&device->started, 1), left;

	if (started - device->left_seen <= device->in_flight_max)
		return;
	left = *(volatile u64 *)&device->left;
	device->left_seen = left;
	/* Others may have started and left since our own start: not our depth. */
	if ((s64)(started - left) > 0)
		raise(&device->in_flight_max, started - left);
}

static __always_inline void device_leave(u32 number)
{
	struct iostrata_device *device = device_at(number);

	if (device)
		atomic_add(&device->left, 1);
}

/* A request's first issue. */
static __always_inline void start(u32 index, u32 number)
{
	struct iostrata_device *device = device_at(number);
	struct iostrata_series *here = series_here(index);

	if (here && index != SERIES_NONE)
		here->started++;
	if (device)
		device_enter(device);
}

/* Its allocation stamp is this request's own. Without I/O accounting it is what
 * an earlier user of that memory left, and a flush request's is a leftover of
 * the queue's one flush request.
 */
static __always_inline bool is_stamped(struct request *rq)
{
	return GET(rq, start_time_ns) && GET(rq, rq_flags) & cfg_io_stat_mask &&
	       (GET(rq, cmd_flags) & REQ_OP_MASK) != REQ_OP_FLUSH;
}

/* From its allocation, by its own stamp, or else from its insertion to its
 * first issue.
 */
static __always_inline u64 queue_time(struct request *rq, struct iostrata_flight *flight, u64 now)
{
	u64 start = GET(rq, start_time_ns);

	if (!is_stamped(rq) || start > now) {
		start = flight->queue_ns;
		flight->flags |= IOSTRATA_FLIGHT_INSERTED;
	}
	return start && start <= now ? now - start : IOSTRATA_QUEUE_UNKNOWN;
}

/* An entry that was issued and neither requeued nor completed since: we missed
 * its end, and the pointer now serves another request.
 */
static __always_inline void forget(struct iostrata_flight *flight)
{
	lose(IOSTRATA_LOSS_OVERWRITTEN);
	device_leave(flight->device);
	flight->queue_ns = 0;
	flight->flags = 0;
}

#include "nvme.bpf.h"

static __always_inline void issue(struct request *rq)
{
	u64 key = pointer_key(rq), now = bpf_ktime_get_ns(), word;
	struct iostrata_table_set *set = table_set(key);
	struct iostrata_flight *flight;
	u32 op = GET(rq, cmd_flags) & REQ_OP_MASK, dev = disk_dev(request_disk(rq)), device;

	if (!dev)
		dev = nvme_diskless_dev(key);
	word = series_of(dev, op);
	device = word >> 16 & 0xff;
	if (device == DEVICE_NO_ROOM)
		lose(IOSTRATA_LOSS_DEVICES_FULL);
	if (!set || device >= DEVICE_NO_ROOM)
		return;
	flight = table_take(set, key);
	if (!flight) {
		start(word & 0xffff, device);
		device_leave(device);
		lose(IOSTRATA_LOSS_TABLE_FULL);
		return;
	}
	if (flight->issued_ns)
		forget(flight);
	if (!(flight->flags & IOSTRATA_FLIGHT_STARTED)) {
		flight->queue_ns = queue_time(rq, flight, now);
		flight->flags |= IOSTRATA_FLIGHT_STARTED;
		start(word & 0xffff, device);
	}
	flight->series = word & 0xffff;
	flight->device = device;
	flight->bytes = GET(rq, __data_len);
	flight->issued_ns = now;
	if (flight->flags & IOSTRATA_FLIGHT_NVME)
		nvme_issue(rq, key, dev, op, now);
}

static __always_inline void count(struct iostrata_flight *flight, u64 now, u32 failed)
{
	struct iostrata_series *here = series_here(flight->series);
	u64 issued = flight->issued_ns;

	if (flight->series == SERIES_NONE || !here) {
		lose(IOSTRATA_LOSS_SERIES_FULL);
		return;
	}
	if (now < issued) {
		lose(IOSTRATA_LOSS_BACKWARDS);
		issued = now;
	}
	here->completed++;
	here->bytes += flight->bytes;
	here->errors += failed;
	bump(&here->service, now - issued);
	if (flight->queue_ns == IOSTRATA_QUEUE_UNKNOWN) {
		here->queue_unknown++;
		return;
	}
	here->queue_inserted += !!(flight->flags & IOSTRATA_FLIGHT_INSERTED);
	bump(&here->queue, flight->queue_ns);
}

static __always_inline bool is_wanted(struct request *rq)
{
	u64 word = series_of(disk_dev(request_disk(rq)), GET(rq, cmd_flags) & REQ_OP_MASK);

	return (word >> 16 & 0xff) < DEVICE_NO_ROOM;
}

/* A read or write in a flush sequence completes several times: with the
 * sequence's flag, and at last with no bytes left (blk-flush.c).
 */
static __always_inline bool is_flush_step(struct request *rq, u32 bytes)
{
	bool has_data = (GET(rq, cmd_flags) & REQ_OP_MASK) < REQ_OP_FLUSH;

	return GET(rq, rq_flags) & cfg_flush_seq_mask || (has_data && !bytes);
}

/* Not in the table, or not as issued. */
static __always_inline void complete_unmatched(struct request *rq, struct iostrata_flight *flight,
					       u32 bytes)
{
	if (flight && flight->flags & IOSTRATA_FLIGHT_STARTED) {
		lose(IOSTRATA_LOSS_NOT_REISSUED);
		device_leave(flight->device);
	} else if (is_wanted(rq)) {
		lose(is_flush_step(rq, bytes) ? IOSTRATA_LOSS_FLUSH_STEP : IOSTRATA_LOSS_UNMATCHED);
	}
	if (flight)
		table_release(flight);
}

/* The rest may be requeued: its bytes are then those of the next issue. */
static __always_inline void complete_part(struct iostrata_flight *flight, u32 bytes)
{
	struct iostrata_series *here = series_here(flight->series);

	lose(IOSTRATA_LOSS_PARTIAL);
	if (here && flight->series != SERIES_NONE)
		here->bytes += bytes;
	flight->bytes -= bytes;
}

static __always_inline void complete(struct request *rq, u32 error, u32 bytes)
{
	u64 key = pointer_key(rq), now = bpf_ktime_get_ns();
	struct iostrata_table_set *set = table_set(key);
	struct iostrata_flight *flight = set ? table_find(set, key) : 0;

	if (!flight || !flight->issued_ns) {
		complete_unmatched(rq, flight, bytes);
		return;
	}
	if (bytes < GET(rq, __data_len)) {
		complete_part(flight, bytes);
		return;
	}
	count(flight, now, error != 0);
	if (flight->flags & IOSTRATA_FLIGHT_NVME)
		nvme_end(key, now, error != 0);
	device_leave(flight->device);
	table_release(flight);
}

/* Loaded only where some device keeps no stamps of its own; of the others'
 * requests nothing is to be remembered.
 */
HOOK_IF_WANTED("block_rq_insert")
int on_block_rq_insert(u64 *ctx)
{
	struct request *rq = (void *)argument(ctx, cfg_rq_arg);
	u64 key = pointer_key(rq);
	struct iostrata_table_set *set = table_set(key);
	struct iostrata_flight *flight;

	if (!counting || !set || is_stamped(rq) ||
	    (cfg_filter_devices && !is_wanted(rq)))
		return 0;
	flight = table_take(set, key);
	/* Without a place the issue event will count the loss. */
	if (!flight || flight->flags & IOSTRATA_FLIGHT_STARTED)
		return 0;
	flight->queue_ns = bpf_ktime_get_ns();
	flight->series = SERIES_NONE; /* until it is issued */
	return 0;
}

HOOK("block_rq_issue")
int on_block_rq_issue(u64 *ctx)
{
	if (counting)
		issue((void *)argument(ctx, cfg_rq_arg));
	return 0;
}

/* Back in the queue: the next issue is the same request, not a new one. */
HOOK("block_rq_requeue")
int on_block_rq_requeue(u64 *ctx)
{
	u64 key = pointer_key((void *)argument(ctx, cfg_rq_arg));
	struct iostrata_table_set *set = table_set(key);
	struct iostrata_flight *flight = set ? table_find(set, key) : 0;
	struct iostrata_series *here;

	if (!counting || !flight)
		return 0;
	flight->issued_ns = 0;
	here = series_here(flight->series);
	if (here && flight->series != SERIES_NONE)
		here->requeues++;
	return 0;
}

HOOK("block_rq_complete")
int on_block_rq_complete(u64 *ctx)
{
	if (counting)
		complete((void *)ctx[0], (u32)ctx[1], (u32)ctx[2]);
	return 0;
}
