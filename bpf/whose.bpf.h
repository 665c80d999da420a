/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Whose bio is it? In: a bio about to be queued on the target's device. Out:
 * the user_data of our I/O that it serves, or 0.
 *
 * The first that applies:
 *  (a) current is an io-wq worker: its current work is an io_kiocb;
 *  (b) the bio belongs to a direct I/O, known by its end function: bio -> dio
 *      -> iocb, which is the io_kiocb. Alone finds bios that io.max held back,
 *      for a kworker queues those;
 *  (c) the submitting thread's current request, valid from its submission to
 *      its punt or completion, and only while that thread is inside
 *      io_uring_enter (the generator says so in `control`) and still submitting:
 *      task work, which comes after, goes on with buffered reads of long ago,
 *      and no event says which.
 */
#ifndef IOSTRATA_WHOSE_BPF_H
#define IOSTRATA_WHOSE_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "access.bpf.h"
#include "drift.bpf.h"
#include "slot.bpf.h"

/* Kernel addresses (/proc/kallsyms) by iostrata_end_io; 0: not known. */
const volatile __u64 cfg_end_io[IOSTRATA_END_IO_COUNT] = {};
const volatile __u64 cfg_io_complete_rw = 0; /* ki_complete of an io_uring read or write; 0: not known */

__u64 ring_context = 0;	/* our ring's struct io_ring_ctx */
__u64 ring_owner = 0;		/* its thread: bpf_get_current_pid_tgid() */
struct iostrata_run_current submitting = {};

static __always_inline u64 ours_or_none(struct io_kiocb *req)
{
	u64 user_data;

	if ((u64)BPF_CORE_READ(req, ctx) != ring_context)
		return 0;
	user_data = kiocb_user_data(req);
	return iostrata_is_ours(user_data) ? user_data : 0;
}

static __always_inline u64 by_worker(struct io_worker *worker)
{
	struct io_wq_work *work = BPF_CORE_READ(worker, cur_work);

	if (!work)
		return 0;
	return ours_or_none((void *)work - bpf_core_field_offset(struct io_kiocb, work));
}

static __always_inline struct kiocb *iocb_of(struct bio *bio, u64 end_io, struct blkdev_dio *dio)
{
	if (!end_io)
		return 0;
	if (end_io == cfg_end_io[IOSTRATA_END_IO_BLKDEV_ASYNC])
		dio = (void *)bio - bpf_core_field_offset(struct blkdev_dio, bio);
	else if (end_io == cfg_end_io[IOSTRATA_END_IO_IOMAP])
		return BPF_CORE_READ((struct iomap_dio *)dio, iocb);
	else if (end_io != cfg_end_io[IOSTRATA_END_IO_BLKDEV])
		return 0;
	return BPF_CORE_READ(dio, iocb);
}

/* A synchronous direct I/O keeps its waiter where the iocb is, and libaio's
 * kiocb is not an io_kiocb: the end function tells them apart, and so does the
 * ring context behind it.
 */
static __always_inline u64 by_iocb(struct bio *bio, u64 end_io, void *private)
{
	struct kiocb *iocb = iocb_of(bio, end_io, private);

	if (!iocb)
		return 0;
	if (cfg_io_complete_rw && (u64)BPF_CORE_READ(iocb, ki_complete) != cfg_io_complete_rw)
		return 0;
	return ours_or_none((struct io_kiocb *)iocb);
}

static __always_inline bool is_inside_enter(void)
{
	u32 zero = 0;
	struct iostrata_control *word = bpf_map_lookup_elem(&control, &zero);

	return word && *(volatile u32 *)&word->in_enter;
}

/* io_submit_sqes() publishes the queue's head once all of a call are issued. */
static __always_inline bool is_submitting(void)
{
	struct io_ring_ctx *ctx = (void *)ring_context;
	struct io_rings *rings = BPF_CORE_READ(ctx, rings);

	return BPF_CORE_READ(ctx, cached_sq_head) != BPF_CORE_READ(rings, sq.head);
}

/* The ring's own thread, inside io_uring_enter. */
static __always_inline bool is_by_our_thread(void)
{
	return bpf_get_current_pid_tgid() == ring_owner && is_inside_enter();
}

static __always_inline u64 by_thread(void)
{
	return is_by_our_thread() && is_submitting() ? submitting.user_data : 0;
}

static __always_inline u64 counted(u64 user_data, enum iostrata_run_count how)
{
	run_count(how);
	return user_data;
}

/* `end_io` and `private` are the bio's, read by whoever knows how. */
static __always_inline u64 whose(struct bio *bio, u64 end_io, void *private)
{
	struct io_worker *worker = io_worker_of(current_task());
	u64 user_data;

	if (worker) {
		user_data = by_worker(worker);
		return user_data ? counted(user_data, IOSTRATA_RUN_BY_WORKER) : 0;
	}
	user_data = by_iocb(bio, end_io, private);
	if (user_data)
		return counted(user_data, IOSTRATA_RUN_BY_IOCB);
	user_data = by_thread();
	return user_data ? counted(user_data, IOSTRATA_RUN_BY_THREAD) : 0;
}

#endif
