/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The kernel types the programs need and nothing else. Every access is
 * CO-RE-relocated, so only names and the kind of each field matter, not
 * offsets. scripts/check-vmlinux holds this page against a kernel's BTF.
 * The newest shape stands in the struct itself; what other kernels have instead
 * is a flavour (struct x___what), and ELSE names it at the field it replaces.
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
	BPF_MAP_TYPE_LRU_HASH = 9,
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
#define ELSE(flavour) __attribute__((btf_decl_tag("else " #flavour)))
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
#else
#define ELSE(flavour)
#endif

/* A kprobe's registers: the first two arguments. */
#ifdef __TARGET_ARCH_arm64
struct user_pt_regs {
	__u64 regs[31];
};
struct pt_regs;
#else
struct pt_regs {
	long unsigned int si;
	long unsigned int di;
};
#endif

struct task_struct {
	unsigned int flags;
	/* an io-wq worker's struct io_worker; since 5.17 (e32cf5dfbe22) */
	void *worker_private ELSE(task_struct___pf_io_worker);
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
	/* since 5.15 (d152c682f03c) */
	struct gendisk *disk ELSE(request___rq_disk);
};

struct bvec_iter {
	unsigned int bi_size;
};

struct bio {
	struct bio *bi_next;
	unsigned int bi_opf;
	/* since 5.12 (309dca309fc3) */
	struct block_device *bi_bdev ELSE(bio___bi_disk);
	short unsigned int bi_flags;
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
	__u64 user_data ELSE(io_kiocb___user_data);
};

struct io_uring_cqe {
	__u64 user_data;
};

struct io_wq_work_node {
	struct io_wq_work_node *next;
};

struct io_wq_work {
	struct io_wq_work_node list;
};

struct io_kiocb {
	/* since 5.19 (cef216fc32d7) */
	struct io_cqe cqe ELSE(io_kiocb___user_data);
	struct io_ring_ctx *ctx;
	struct io_wq_work work;
};

struct io_worker {
	struct io_wq_work *cur_work;
};

/* Shapes of other kernels, see bpf/drift.bpf.h. */
struct task_struct___pf_io_worker {
	void *pf_io_worker;
};

struct request___rq_disk {
	struct gendisk *rq_disk;
};

struct bio___bi_disk {
	struct gendisk *bi_disk;
};

struct io_kiocb___user_data {
	u64 user_data;
};

enum req_flag_bits {
	__REQ_RAHEAD = 19,
};

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute pop
#endif

#endif
