/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What the NVMe part of the `trace` programs and its reader share: the layers
 * of requests by namespace, hardware queue and opcode, and what happened to
 * them, by namespace. Free of libc. All is monotonic: a window is a difference.
 */
#ifndef IOSTRATA_NVME_H
#define IOSTRATA_NVME_H

#include "trace.h"

enum {
	IOSTRATA_NVME_ROWS_PER_CPU = 32, /* there are no more queues than CPUs */
	IOSTRATA_NVME_ROWS_MIN = 64,
	IOSTRATA_NVME_ROWS_MAX = 512,
	IOSTRATA_NVME_ROWS_SPARE = 32, /* the last ones: for "other queues" */
	IOSTRATA_NVME_DEVICES = 64,
	IOSTRATA_NVME_STATUSES = 2048, /* type (3 bits) and code (8) of a status */
	IOSTRATA_NVME_EVENTS = 8,
	IOSTRATA_NVME_JITTER_NS = 1000,
};

/* An admin queue has no disk: its number is this major and the controller's
 * instance. No disk has it: dynamic majors end far below.
 */
#define IOSTRATA_NVME_ADMIN_MAJOR 0xfffu
#define IOSTRATA_NVME_INSTANCE_UNKNOWN 0xfffffu
#define IOSTRATA_NVME_QUEUE_OTHER 0xffffu /* queues beyond those there are rows for */

enum iostrata_nvme_layer {
	IOSTRATA_NVME_SCHED,	  /* allocated to prepared; where allocation is known */
	IOSTRATA_NVME_DRIVER,	  /* prepared to first_issued */
	IOSTRATA_NVME_REQUEUE,	  /* first_issued to issued; of those issued again */
	IOSTRATA_NVME_DEVICE,	  /* issued to answered */
	IOSTRATA_NVME_DEVICE_IRQ, /* issued to driver_done: its answer has no event */
	IOSTRATA_NVME_IRQ,	  /* answered to driver_done */
	IOSTRATA_NVME_COMPLETE,	  /* driver_done to completed */
	IOSTRATA_NVME_TOTAL,	  /* all of it, also of those that are out of order */
	IOSTRATA_NVME_LAYERS,
};

enum iostrata_nvme_class { /* of a row */
	IOSTRATA_NVME_ADMIN = 1u << 0,	     /* on a queue without a disk */
	IOSTRATA_NVME_PASSTHROUGH = 1u << 1, /* a command made in user space, or the driver's own */
	IOSTRATA_NVME_POLLED = 1u << 2,	     /* a queue without interrupts */
};

/* dev (32 bits) | queue (16) | opcode (8) | class (8); 0: not in use. */
static inline iostrata_u64 iostrata_nvme_key(iostrata_u32 dev, iostrata_u32 queue,
					     iostrata_u32 opcode, iostrata_u32 class)
{
	return (iostrata_u64)dev << 32 | queue << 16 | opcode << 8 | class;
}

/* completed = total's count + partly_seen; the layers' sums + unattributed_ns =
 * total's sum.
 */
struct iostrata_nvme_row {
	iostrata_u64 key;
	iostrata_u64 device; /* its number among the NVMe devices */
	iostrata_u64 completed;
	iostrata_u64 errors;
	iostrata_u64 partly_seen;     /* completed without the driver's events: no layers */
	iostrata_u64 unattributed;    /* stamps out of order: no layers */
	iostrata_u64 unattributed_ns;
	iostrata_u64 reserved;
	struct iostrata_latency layer[IOSTRATA_NVME_LAYERS];
};

enum iostrata_nvme_count {
	IOSTRATA_NVME_RETRIES,	   /* set up again after the driver was done with it */
	IOSTRATA_NVME_TIMED_OUT,   /* ended by the timeout handler */
	IOSTRATA_NVME_POLLED_LATE, /* answered, but only the timeout handler's poll saw it */
	IOSTRATA_NVME_CANCELLED,   /* ended by the driver: reset, removal */
	IOSTRATA_NVME_STATUS_UNREAD, /* ended with a status we could not read */
	IOSTRATA_NVME_DO_NOT_RETRY, /* the device says that a retry is of no use */
	IOSTRATA_NVME_JITTER,	   /* stamps that stepped back by less than a microsecond */
	IOSTRATA_NVME_NO_ROW,	   /* completed without a row: no room */
	IOSTRATA_NVME_OTHER_QUEUES, /* given to "other queues": no room for its own */
	IOSTRATA_NVME_EVENTS_OTHER, /* async events of more kinds than are told apart */
	/* By how a stamp came before the one it must follow. */
	IOSTRATA_NVME_ORDER_PREPARED, /* prepared before allocated */
	IOSTRATA_NVME_ORDER_FIRST_ISSUED,
	IOSTRATA_NVME_ORDER_ISSUED,
	IOSTRATA_NVME_ORDER_ANSWERED,
	IOSTRATA_NVME_ORDER_DRIVER_DONE,
	IOSTRATA_NVME_ORDER_COMPLETED,
	IOSTRATA_NVME_COUNTS = 16,
};

struct iostrata_nvme_event { /* an async event */
	iostrata_u64 value; /* as the tracepoint passes it, + 1; 0: free */
	iostrata_u64 count;
};

struct iostrata_nvme_device {
	iostrata_u32 dev;	/* 0: not in use */
	iostrata_u32 instance;	/* of its controller, or IOSTRATA_NVME_INSTANCE_UNKNOWN */
	char name[32];		/* its disk's: a path of a multipath head is not in sysfs by number */
	iostrata_u64 count[IOSTRATA_NVME_COUNTS];
	struct iostrata_nvme_event event[IOSTRATA_NVME_EVENTS];
	iostrata_u32 status[IOSTRATA_NVME_STATUSES]; /* of each try; [0], success, is not counted */
};

/* A request's NVMe half, beside its entry in the table of those in flight. */
struct iostrata_nvme_flight {
	iostrata_u64 prepared_ns;
	iostrata_u64 first_issued_ns;
	iostrata_u64 answered_ns;
	iostrata_u64 done_ns;
	iostrata_u32 row;    /* IOSTRATA_NVME_NONE: not issued yet, or no room */
	iostrata_u32 device; /* the same */
	iostrata_u8 opcode;
	iostrata_u8 reserved[7];
};

struct iostrata_nvme_path { /* a hidden disk */
	char name[32];
};

#define IOSTRATA_NVME_NONE 0xffffffffu

/* Where the driver keeps what no event tells. Of vmlinux BTF or, where the
 * driver is a module, of its own: user space finds it out, perhaps later.
 */
struct iostrata_nvme_facts {
	iostrata_u32 known;	    /* 0: none of the offsets and sizes */
	iostrata_u32 request_bytes; /* struct request's: nvme_request follows it */
	iostrata_u32 status, flags, ctrl; /* offsets in struct nvme_request */
	iostrata_u32 instance;	    /* in struct nvme_ctrl */
	/* The request flag that says "its timeout handler runs", taken back when it
	 * is given more time; known whatever `known` says.
	 */
	iostrata_u32 timed_out_mask;
};

_Static_assert(sizeof(struct iostrata_nvme_row) ==
		       64 + IOSTRATA_NVME_LAYERS * sizeof(struct iostrata_latency),
	       "no implicit padding");
_Static_assert(sizeof(struct iostrata_nvme_flight) == 48, "no implicit padding");
_Static_assert(sizeof(struct iostrata_nvme_device) ==
		       40 + 8 * IOSTRATA_NVME_COUNTS + 16 * IOSTRATA_NVME_EVENTS +
			       4 * IOSTRATA_NVME_STATUSES,
	       "no implicit padding");
_Static_assert(IOSTRATA_NVME_ORDER_COMPLETED + 1 == IOSTRATA_NVME_COUNTS, "all fit");

#endif
