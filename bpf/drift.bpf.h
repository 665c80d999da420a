/* SPDX-License-Identifier: GPL-2.0-only
 *
 * All kernel drift on the BPF side: each reader hides one thing that changed,
 * with the commit or version. User space decides from BTF what only BTF can
 * tell (user/kernel/drift.c) and sets the cfg_* constants.
 */
#ifndef IOSTRATA_DRIFT_BPF_H
#define IOSTRATA_DRIFT_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "access.bpf.h"

/* Where in a block_rq_insert/issue/requeue's arguments the request lies: 1 up
 * to 5.10, 0 since a54895fa057c ("block: remove the request_queue to argument
 * request based tracepoints", 5.11, also in 5.10.137).
 */
const volatile __u32 cfg_rq_arg = 0;

/* Where in block_bio_queue's, block_split's and block_getrq's the bio lies: 1
 * up to 5.10 (after the queue; still so in 5.10.262), 0 since 5.11. In
 * block_bio_complete, which kept its queue, it is always 1.
 */
const volatile __u32 cfg_bio_arg = 0;

/* Where in the tracepoint that tells of a submission (io_uring_submit_req since
 * about 6.3, io_uring_submit_sqe before) the request lies: 0 in 6.1, 1 (after
 * the ring) in 5.10.262, which has the io_uring of 5.15. NO_ARGUMENT where it
 * tells none, up to 5.11: ring, operation, user_data.
 */
enum { NO_ARGUMENT = 255 };
const volatile __u32 cfg_submit_req_arg = 0;
/* Where the same one has the user_data, if it tells no request. */
const volatile __u32 cfg_submit_user_data_arg = 2;

/* Where in io_uring_queue_async_work's the request lies: 0 in 6.1, 2 (after the
 * ring and a flag) in 5.10.262.
 */
const volatile __u32 cfg_punt_req_arg = 0;

/* Where in io_uring_complete's the user_data lies: 1 in 5.10.262, 2 in 6.1 and
 * 6.12. Non-zero: the CQE itself is there, in 6.18.
 */
const volatile __u32 cfg_complete_arg = 2;
const volatile __u32 cfg_complete_has_cqe = 1;

/* The request flags that say "in a flush sequence" and "counted by I/O
 * accounting" (only then is start_time_ns surely this request's own): macros of
 * these values, then an enum since 6.12 (5f89154e8e9e), whose values moved. In
 * 6.12 it has no name, by which CO-RE could find it: user space looks.
 */
const volatile __u32 cfg_flush_seq_mask = 1u << 4;
const volatile __u32 cfg_io_stat_mask = 1u << 13;

/* The bi_flags that say "it passed block_bio_queue" (BIO_TRACE_COMPLETION) and
 * "io.max had it already" (BIO_THROTTLED; with 5.18, 3f98c753717c, such a bio
 * no longer passes submit_bio_noacct again, and since 6.1, 320fb0f91e55, the
 * flag is not there: 0). Their enum has no name, so CO-RE can't find them.
 */
const volatile __u32 cfg_bio_queued_mask = 0;
const volatile __u32 cfg_bio_throttled_mask = 0;

/* The bio flag that says "read-ahead": an enum for long, its number moves. */
static __always_inline u32 read_ahead_mask(void)
{
	return 1u << bpf_core_enum_value(enum req_flag_bits, __REQ_RAHEAD);
}

/* The disk a request is for: rq_disk moved to q->disk in 5.17 (f3fa33acca9f).
 * Through NULL (a queue without a disk: admin queues) it is 0.
 */
#define request_disk_by(READ, rq)                                              \
	(bpf_core_field_exists(((struct request___rq_disk *)0)->rq_disk)       \
		 ? READ((struct request___rq_disk *)(rq), rq_disk)             \
		 : READ(rq, q, disk))

static __always_inline struct gendisk *request_disk(struct request *rq)
{
	return request_disk_by(GET, rq);
}

/* The disk a bio is for: bi_disk became bi_bdev in 5.12 (309dca309fc3). */
#define bio_disk_by(READ, bio)                                                 \
	(bpf_core_field_exists(((struct bio___bi_disk *)0)->bi_disk)           \
		 ? READ((struct bio___bi_disk *)(bio), bi_disk)                \
		 : READ(bio, bi_bdev, bd_disk))

static __always_inline struct gendisk *bio_disk(struct bio *bio)
{
	return bio_disk_by(GET, bio);
}

/* The kernel's own dev_t: major << 20 | minor; 0 when there is no disk. */
#define disk_dev_by(READ, disk) ((u32)READ(disk, major) << 20 | (u32)READ(disk, first_minor))

static __always_inline u32 disk_dev(struct gendisk *disk)
{
	return disk_dev_by(GET, disk);
}

/* bpf_get_current_task_btf came with 5.11 (3ca1032ab7ab); the raw flavour needs
 * no typed pointer.
 */
static __always_inline struct task_struct *current_task(void)
{
#ifdef IOSTRATA_RAW
	return (struct task_struct *)bpf_get_current_task();
#else
	return bpf_get_current_task_btf();
#endif
}

/* The struct io_worker behind an io-wq thread, NULL for all other tasks: known by
 * task->pf_io_worker from 5.12 (and in 5.10.262), by worker_private since 5.17
 * (e32cf5dfbe22), which kernel threads use too. None in older kernels, whose
 * workers are ordinary kernel threads.
 */
enum { PF_IO_WORKER = 0x10 };

static __always_inline struct io_worker *io_worker_of(struct task_struct *task)
{
	if (bpf_core_field_exists(task->worker_private))
		return GET(task, flags) & PF_IO_WORKER ? GET(task, worker_private) : 0;
	if (bpf_core_field_exists(((struct task_struct___pf_io_worker *)0)->pf_io_worker))
		return GET((struct task_struct___pf_io_worker *)task, pf_io_worker);
	return 0;
}

/* An io_uring request's user_data: a field of its own until 5.19
 * (cef216fc32d7, "io_uring: explicitly keep a CQE in io_kiocb").
 */
static __always_inline u64 kiocb_user_data(struct io_kiocb *req)
{
	if (bpf_core_field_exists(req->cqe))
		return BPF_CORE_READ(req, cqe.user_data);
	return BPF_CORE_READ((struct io_kiocb___user_data *)req, user_data);
}

#endif
