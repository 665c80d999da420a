// SPDX-License-Identifier: GPL-2.0-only
/*
 * What `make bench` holds the tracer against; never part of the product. Three
 * sets, of which scripts/bench.d/hold.c attaches one at a time:
 *  - empty_*: what the BPF statistics and the call cost by themselves;
 *  - only_complete: the least a latency histogram can cost, one clock reading
 *    and one bump, from the request's own stamp;
 *  - see_submit: when the kernel took each read from a ring, and whose.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "buckets.h"

char LICENSE[] SEC("license") = "GPL";

enum { SUBMISSIONS_MAX = 1 << 20, OP_READ_FIXED = 4, OP_READ = 22 };

struct io_kiocb___bench {
	u8 opcode;
} __attribute__((preserve_access_index));

__u64 seen;

struct submission {
	u64 at_ns;
	u64 pid;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, SUBMISSIONS_MAX);
	__type(key, u32);
	__type(value, struct submission);
} submissions SEC(".maps");

struct histogram {
	u64 bucket[IOSTRATA_KERNEL_BUCKETS];
};

struct {
	__uint(type, 6 /* BPF_MAP_TYPE_PERCPU_ARRAY */);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct histogram);
} totals SEC(".maps");

SEC("tp_btf/block_rq_insert")
int empty_insert(u64 *ctx __attribute__((unused)))
{
	return 0;
}

SEC("tp_btf/block_rq_issue")
int empty_issue(u64 *ctx __attribute__((unused)))
{
	return 0;
}

SEC("tp_btf/block_rq_complete")
int empty_complete(u64 *ctx __attribute__((unused)))
{
	return 0;
}

SEC("tp_btf/block_rq_complete")
int only_complete(u64 *ctx)
{
	struct request *rq = (void *)ctx[0];
	u64 total_ns = bpf_ktime_get_ns() - rq->start_time_ns;
	u32 zero = 0, at = iostrata_hist_index(total_ns, IOSTRATA_KERNEL_SUB_BITS);
	struct histogram *histogram = bpf_map_lookup_elem(&totals, &zero);

	if (histogram && at < IOSTRATA_KERNEL_BUCKETS)
		histogram->bucket[at]++;
	return 0;
}

/* Everybody's reads; whose they are is sorted out afterwards. */
SEC("tp_btf/io_uring_submit_req")
int see_submit(u64 *ctx)
{
	u8 opcode = ((struct io_kiocb___bench *)ctx[0])->opcode;
	u64 now = bpf_ktime_get_ns();
	struct submission *submission;
	u32 at;

	if (opcode != OP_READ && opcode != OP_READ_FIXED)
		return 0;
	at = __sync_fetch_and_add(&seen, 1);
	submission = bpf_map_lookup_elem(&submissions, &at);
	if (!submission)
		return 0;
	submission->at_ns = now;
	submission->pid = bpf_get_current_pid_tgid() >> 32;
	return 0;
}
