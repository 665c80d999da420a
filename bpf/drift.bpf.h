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

/* Where in a block_rq_insert/issue's arguments the request lies: 1 up to 5.10,
 * 0 since a54895fa057c ("block: remove the request_queue to argument request
 * based tracepoints", 5.11, also in 5.10.137).
 */
const volatile __u32 cfg_rq_arg = 0;

/* Non-zero: io_uring_complete's third argument is the CQE itself, since 6.9
 * (the commit that passes "cqe pointer"); before it is user_data.
 */
const volatile __u32 cfg_complete_has_cqe = 1;

/* The request-flag bit that says "in a flush sequence": an enum since 6.12
 * (5f89154e8e9e), the macro (1 << 4) before.
 */
static __always_inline u32 flush_seq_mask(void)
{
	if (bpf_core_enum_value_exists(enum rqf_flags, __RQF_FLUSH_SEQ))
		return 1u << bpf_core_enum_value(enum rqf_flags, __RQF_FLUSH_SEQ);
	return 1u << 4;
}

/* The one that says "counted by I/O accounting": only then is start_time_ns
 * surely this request's own. The same enum; the macro (1 << 13) before.
 */
static __always_inline u32 io_stat_mask(void)
{
	if (bpf_core_enum_value_exists(enum rqf_flags, __RQF_IO_STAT))
		return 1u << bpf_core_enum_value(enum rqf_flags, __RQF_IO_STAT);
	return 1u << 13;
}

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
static __always_inline struct gendisk *bio_disk(struct bio *bio)
{
	if (bpf_core_field_exists(((struct bio___bi_disk *)0)->bi_disk))
		return GET((struct bio___bi_disk *)bio, bi_disk);
	return GET(bio, bi_bdev, bd_disk);
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

/* An io_uring request's user_data: a field of its own until 5.19
 * (cef216fc32d7, "io_uring: explicitly keep a CQE in io_kiocb").
 */
#define kiocb_user_data_by(READ, req)                                          \
	(bpf_core_field_exists((req)->cqe)                                     \
		 ? READ(req, cqe.user_data)                                    \
		 : READ((struct io_kiocb___user_data *)(req), user_data))

/* Of a request an event hands us, and of one found by following pointers. */
static __always_inline u64 event_user_data(struct io_kiocb *req)
{
	return kiocb_user_data_by(GET, req);
}

static __always_inline u64 kiocb_user_data(struct io_kiocb *req)
{
	return kiocb_user_data_by(BPF_CORE_READ, req);
}

#endif
