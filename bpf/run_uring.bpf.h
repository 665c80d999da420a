/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Where an I/O of ours enters the kernel, is given to a worker, and returns. In:
 * io_uring's events. Out: the record begun, punted, returned.
 */
#ifndef IOSTRATA_RUN_URING_BPF_H
#define IOSTRATA_RUN_URING_BPF_H

#include "access.bpf.h"
#include "bio.bpf.h"
#include "drift.bpf.h"
#include "slot.bpf.h"
#include "whose.bpf.h"

const volatile __u64 cfg_pidns_dev = 0, cfg_pidns_ino = 0; /* of /proc/self/ns/pid */
const volatile __u32 cfg_tgid = 0;	/* our process in that namespace */

/* Set by user space while it makes its ring, so that no other ring is taken. */
__u32 expect_ring = 0;

static __always_inline bool is_our_process(void)
{
	struct bpf_pidns_info info = {};

	return !bpf_get_ns_current_pid_tgid(cfg_pidns_dev, cfg_pidns_ino, (void *)&info,
					    sizeof(info)) &&
	       info.tgid == cfg_tgid;
}

HOOK("io_uring_create")
int on_io_uring_create(u64 *ctx)
{
	if (!expect_ring || !is_our_process())
		return 0;
	ring_context = ctx[1];
	ring_owner = bpf_get_current_pid_tgid();
	return 0;
}

/* Of a request that an event hands us: its type is void in some kernels. */
static __always_inline u64 ring_request(u64 req)
{
	return ring_context ? ours_or_none((void *)req) : 0;
}

/* Which I/O the kernel took from a ring. */
static __always_inline u64 taken(u64 *ctx)
{
	u64 user_data;

	if (cfg_submit_req_arg != NO_ARGUMENT)
		return ring_request(argument(ctx, cfg_submit_req_arg));
	if (ctx[0] != ring_context || !ring_context)
		return 0;
	user_data = argument(ctx, cfg_submit_user_data_arg);
	return iostrata_is_ours(user_data) ? user_data : 0;
}

static __always_inline int enter(u64 user_data)
{
	struct iostrata_record *record;
	u64 now;

	if (!user_data)
		return 0;
	now = bpf_ktime_get_ns();
	record = record_of(user_data);
	if (!record)
		return 0;
	record_begin(record, user_data, now);
	submitting.user_data = user_data;
	run_count(IOSTRATA_RUN_ENTERED);
	return 0;
}

HOOK_IF_WANTED("io_uring_submit_req")
int on_io_uring_submit_req(u64 *ctx)
{
	return enter(taken(ctx));
}

HOOK_IF_WANTED("io_uring_submit_sqe")
int on_io_uring_submit_sqe(u64 *ctx)
{
	return enter(taken(ctx));
}

/* The thread no longer submits it: what it queues from now on is another's. */
static __always_inline struct iostrata_record *leave(u64 user_data)
{
	if (!user_data)
		return 0;
	if (user_data == submitting.user_data)
		submitting.user_data = 0;
	return record_begun(user_data);
}

HOOK("io_uring_queue_async_work")
int on_io_uring_queue_async_work(u64 *ctx)
{
	u64 user_data = ring_request(argument(ctx, cfg_punt_req_arg));
	struct iostrata_record *record = leave(user_data);

	if (!record)
		return 0;
	record->stamp[IOSTRATA_PUNTED] = bpf_ktime_get_ns();
	forget_unqueued(record, user_data);
	record->first_bio_ns = 0;
	(void)atomic_fetch_or(&record->kernel_flags, IOSTRATA_K_PUNTED);
	run_count(IOSTRATA_RUN_PUNTED);
	return 0;
}

HOOK("io_uring_complete")
int on_io_uring_complete(u64 *ctx)
{
	struct iostrata_record *record;
	u64 user_data;

	if (ctx[0] != ring_context || !ring_context)
		return 0;
	user_data = argument(ctx, cfg_complete_arg);
	if (cfg_complete_has_cqe)
		user_data = BPF_CORE_READ((struct io_uring_cqe *)user_data, user_data);
	record = leave(iostrata_is_ours(user_data) ? user_data : 0);
	if (!record)
		return 0;
	record->stamp[IOSTRATA_RETURNED] = bpf_ktime_get_ns();
	forget_unqueued(record, user_data);
	if (record->bios_done != record->bios_started)
		record_settle(record, user_data);
	run_count(IOSTRATA_RUN_RETURNED);
	return 0;
}

#endif
