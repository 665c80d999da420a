/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What the `trace` programs and their reader share: per device and operation,
 * histograms of queue and service time, and counts. Free of libc.
 *
 * A "series" is one device's requests of one operation; series are numbered as
 * they are first seen. Each CPU writes its own copy, so nothing is locked and
 * the reader adds them up. All is monotonic: a window is a difference.
 */
#ifndef IOSTRATA_TRACE_H
#define IOSTRATA_TRACE_H

#include "buckets.h"
#include "record.h"

enum {
	IOSTRATA_SERIES_MAX = 256,    /* devices x operations; fewer with many CPUs */
	IOSTRATA_SERIES_MIN = 32,
	IOSTRATA_SERIES_COPIES = 8192, /* series x CPUs: 64 MiB of kernel memory */
	IOSTRATA_DEVICES_MAX = 128,
	IOSTRATA_TABLE_WAYS = 4,
	IOSTRATA_TABLE_SETS = 1 << 14, /* x 4 requests in flight */
};

struct iostrata_latency {
	iostrata_u64 sum_ns;
	iostrata_u64 max_ns;
	iostrata_u64 min_inverted_ns; /* ~min, so that 0 means "none yet" */
	iostrata_u64 bucket[IOSTRATA_KERNEL_BUCKETS];
};

struct iostrata_series {
	iostrata_u64 started;	   /* written at issue; the rest at completion */
	iostrata_u64 completed;
	iostrata_u64 bytes;
	iostrata_u64 errors;	   /* of the completed ones */
	iostrata_u64 queue_unknown; /* of the completed ones: no usable queue start */
	iostrata_u64 queue_inserted; /* of them: start by block_rq_insert, not the request's own */
	iostrata_u64 requeues;
	iostrata_u64 reserved;
	struct iostrata_latency queue;
	struct iostrata_latency service;
};

struct iostrata_series_name {
	iostrata_u32 dev; /* the kernel's: major << 20 | minor */
	iostrata_u32 op;  /* REQ_OP_*; the low 8 bits of cmd_flags */
};

/* In flight: started - left. Issuers write the first line, those who end
 * requests the second: on one CPU each as a rule, and neither waits for the
 * other's.
 */
struct iostrata_device {
	iostrata_u64 started;
	iostrata_u64 in_flight_max;
	iostrata_u64 left_seen; /* some earlier value of left: bounds the in-flight count */
	iostrata_u64 reserved[4];
	iostrata_u32 dev;
	iostrata_u32 used;
	iostrata_u64 left; /* completed, or lost from sight */
	iostrata_u64 reserved_too[7];
} __attribute__((aligned(64)));

enum iostrata_flight_flag {
	IOSTRATA_FLIGHT_STARTED = 1u << 0,  /* issued at least once: it counts as in flight */
	IOSTRATA_FLIGHT_INSERTED = 1u << 1, /* its queue time starts at its insertion */
	IOSTRATA_FLIGHT_NVME = 1u << 2,	    /* it has an NVMe half (bpf/nvme.h) */
};

#define IOSTRATA_QUEUE_UNKNOWN (~0ull)

/* One request in flight: half a cache line, for two CPUs hand it to and fro. */
struct iostrata_flight {
	iostrata_u64 key; /* 0: free */
	iostrata_u64 issued_ns; /* 0: inserted or requeued, not issued */
	iostrata_u64 queue_ns; /* once started: its queue time; before: when it was inserted, or 0 */
	iostrata_u32 bytes;
	iostrata_u16 series;
	iostrata_u8 device;
	iostrata_u8 flags; /* iostrata_flight_flag */
};

struct iostrata_table_set {
	struct iostrata_flight way[IOSTRATA_TABLE_WAYS];
};

enum iostrata_trace_loss {
	IOSTRATA_LOSS_TABLE_FULL,  /* issued, but no place to remember it */
	IOSTRATA_LOSS_OVERWRITTEN, /* its completion was never seen */
	IOSTRATA_LOSS_SERIES_FULL, /* more devices x operations than series */
	IOSTRATA_LOSS_UNMATCHED,   /* completed, never seen issued: orphans at attach */
	IOSTRATA_LOSS_BACKWARDS,   /* completed before issued by the clock: counted as 0 */
	IOSTRATA_LOSS_FLUSH_STEP,  /* not a loss: a flush sequence's inner completions */
	IOSTRATA_LOSS_PARTIAL,	   /* not a loss: partial completions */
	IOSTRATA_LOSS_DEVICES_FULL, /* issued on a device beyond those there is room for */
	IOSTRATA_LOSS_NOT_REISSUED, /* requeued, and ended without being issued again */
	IOSTRATA_LOSS_NVME_DEVICES, /* NVMe commands and events of namespaces beyond those there is room for */
	IOSTRATA_LOSS_CONTENDED, /* the reader's: atomics_contended of bpf/atomic.bpf.h */
	IOSTRATA_TRACE_LOSS_COUNT = 16,
};

_Static_assert(sizeof(struct iostrata_flight) == 32, "two requests, a cache line");
_Static_assert(__builtin_offsetof(struct iostrata_device, left) == 64, "two sides, two lines");
_Static_assert(sizeof(struct iostrata_device) == 128, "no implicit padding");
_Static_assert(sizeof(struct iostrata_series_name) == 8, "a key without padding");
_Static_assert(sizeof(struct iostrata_series) == 8 * 8 + 2 * (3 + IOSTRATA_KERNEL_BUCKETS) * 8,
	       "no implicit padding");

#endif
