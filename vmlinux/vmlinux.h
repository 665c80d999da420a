/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The kernel types the programs need and nothing else. Every access is
 * CO-RE-relocated, so only names and the kind of each field matter, not
 * offsets. scripts/check-vmlinux holds this page against a kernel's BTF.
 * A shape some kernels have and others lack is a flavour (struct x___since).
 */
#ifndef IOSTRATA_VMLINUX_H
#define IOSTRATA_VMLINUX_H

typedef unsigned char __u8;
typedef short int __s16;
typedef short unsigned int __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long int __s64;
typedef long long unsigned int __u64;
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __s32 s32;
typedef __u64 u64;
typedef __s64 s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;

enum { false = 0, true = 1 };

/* From the user-space ABI (linux/bpf.h); not relocated. */
enum bpf_map_type_abi {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
};

enum bpf_map_flags_abi {
	BPF_ANY = 0,
	BPF_NOEXIST = 1,
	BPF_F_MMAPABLE = 1u << 10,
};

struct bpf_pidns_info {
	__u32 pid;
	__u32 tgid;
};

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
#endif

struct task_struct {
	unsigned int flags;
	void *worker_private; /* an io-wq worker's struct io_worker */
};

struct gendisk {
	int major;
	int first_minor;
	char disk_name[32];
};

struct block_device {
	struct gendisk *bd_disk;
};

struct request_queue {
	struct gendisk *disk; /* since 5.15 (d152c682f03c); before: rq_disk */
};

struct bvec_iter {
	unsigned int bi_size;
};

struct bio {
	struct bio *bi_next;
	unsigned int bi_opf;
	struct block_device *bi_bdev; /* since 5.12 (309dca309fc3); before: bi_disk */
	u8 bi_status;
	struct bvec_iter bi_iter;
	void *bi_end_io;
	void *bi_private;
};

struct blk_mq_hw_ctx {
	short unsigned int type;
	unsigned int queue_num;
};

struct request {
	struct request_queue *q;
	struct blk_mq_hw_ctx *mq_hctx;
	unsigned int cmd_flags;
	unsigned int rq_flags;
	unsigned int __data_len;
	struct bio *bio;
	u64 start_time_ns;
};

struct kiocb {
	void *ki_complete;
};

/* block/fops.c and fs/iomap/direct-io.c: a direct I/O's own state */
struct blkdev_dio {
	struct kiocb *iocb;
	struct bio bio;
};

struct iomap_dio {
	struct kiocb *iocb;
};

struct io_uring {
	u32 head;
};

struct io_rings {
	struct io_uring sq;
};

struct io_ring_ctx {
	struct io_rings *rings;
	unsigned int cached_sq_head;
};

struct io_cqe {
	__u64 user_data;
};

struct io_uring_cqe {
	__u64 user_data;
};

struct io_wq_work {
	int cancel_seq;
};

struct io_kiocb {
	struct io_cqe cqe;
	struct io_ring_ctx *ctx;
	struct io_wq_work work;
};

struct io_worker {
	struct io_wq_work *cur_work;
};

/* Shapes of other kernels, see bpf/drift.bpf.h. */
struct request___rq_disk {
	struct gendisk *rq_disk;
};

struct bio___bi_disk {
	struct gendisk *bi_disk;
};

struct io_kiocb___user_data {
	u64 user_data;
};

enum rqf_flags {
	__RQF_FLUSH_SEQ = 1,
	__RQF_IO_STAT = 8,
};

enum req_flag_bits {
	__REQ_RAHEAD = 19,
};

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute pop
#endif

#endif
