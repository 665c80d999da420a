/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The one table of boundaries: every name of a boundary or a layer that code,
 * JSON, text and docs use comes from here. Free of libc: BPF and user space
 * both include it.
 *
 * A boundary is one timestamp (CLOCK_MONOTONIC ns) in the life of one I/O, in
 * the order in which they happen. A layer is the time between two adjacent
 * boundaries that were both seen; it takes its name from the layer that starts
 * at the first and the one that ends at the second (see layer_name()).
 */
#ifndef IOSTRATA_BOUNDARY_H
#define IOSTRATA_BOUNDARY_H

/* X(id, name, alias (blktrace), stamped by, layer that starts here, meaning) */
#define IOSTRATA_BOUNDARIES(X)                                                 \
	X(PLANNED, "planned", "", "generator", "backlog",                      \
	  "the schedule meant the I/O to arrive")                              \
	X(SUBMITTED, "submitted", "", "generator", "submit",                   \
	  "the generator handed it to the ring")                               \
	X(ENTERED, "entered", "", "bpf", "fs",                                 \
	  "the kernel took it from the ring or the system call")               \
	X(PUNTED, "punted", "", "bpf", "punt",                                 \
	  "the non-blocking try was refused; a worker thread tries again")     \
	X(BIO, "bio", "", "bpf", "throttle",                                   \
	  "the block layer was called (submit_bio_noacct)")                    \
	X(QUEUED, "queued", "Q", "bpf", "tag",                                 \
	  "past blk-throttle (io.max); the last try's when refused before")    \
	X(ALLOCATED, "allocated", "G", "bpf", "sched",                         \
	  "a request and its tag were allocated")                              \
	X(INSERTED, "inserted", "I", "bpf", "scheduler",                       \
	  "given to the scheduler; absent when issued directly")               \
	X(PREPARED, "prepared", "", "bpf", "driver",                           \
	  "nvme_setup_cmd: the driver builds the command")                     \
	X(FIRST_ISSUED, "first_issued", "D", "bpf", "requeue",                 \
	  "the driver was handed the request for the first time")              \
	X(ISSUED, "issued", "D", "bpf", "device",                              \
	  "the driver was handed the request, the last time")                  \
	X(ANSWERED, "answered", "", "bpf", "irq",                              \
	  "nvme_sq: the driver saw the device's completion entry")             \
	X(DRIVER_DONE, "driver_done", "", "bpf", "complete",                   \
	  "nvme_complete_rq: after interrupt, IPI or softirq")                 \
	X(COMPLETED, "completed", "C", "bpf", "return",                        \
	  "the block layer ended the last part of the request")                \
	X(RETURNED, "returned", "", "bpf", "reap",                             \
	  "the completion entry was posted, or the system call returned")      \
	X(REAPED, "reaped", "", "generator", "",                               \
	  "the generator took the completion")

enum iostrata_boundary {
#define IOSTRATA_BOUNDARY_ENUM(id, name, alias, by, starts, meaning) IOSTRATA_##id,
	IOSTRATA_BOUNDARIES(IOSTRATA_BOUNDARY_ENUM)
#undef IOSTRATA_BOUNDARY_ENUM
	IOSTRATA_BOUNDARY_COUNT,
};

/* X(name, from, to, also known as, meaning): layers as docs and reports list
 * them. `to` names the usual end; a boundary that was not seen folds its layer
 * into the next (named "first+last").
 */
#define IOSTRATA_LAYERS(X)                                                     \
	X("backlog", "planned", "submitted", "generator delay",                \
	  "waited in the generator; coordinated omission hides it")            \
	X("submit", "submitted", "entered", "slat (part)",                     \
	  "from the ring's submission queue into the kernel")                  \
	X("fs", "entered", "bio", "",                                          \
	  "VFS, file system, page cache")                                      \
	X("punt", "punted", "bio", "io-wq",                                    \
	  "waited for an io_uring worker thread after a refused first try")    \
	X("earlier", "", "", "",                                               \
	  "earlier bios of the same I/O were handed in, or waited for")        \
	X("throttle", "bio", "queued", "io.max",                               \
	  "held back by blk-throttle")                                         \
	X("tag", "queued", "allocated", "Q2G",                                 \
	  "rq_qos (wbt, iocost), frozen queue, wait for a tag")                \
	X("plug", "allocated", "inserted", "G2I",                              \
	  "in the submitter's plug, when the scheduler was used")              \
	X("scheduler", "inserted", "issued", "I2D",                            \
	  "in the I/O scheduler or the dispatch list")                         \
	X("sched", "allocated", "issued", "G2D",                               \
	  "plug and dispatch of a request that was issued directly")           \
	X("driver", "prepared", "first_issued", "",                            \
	  "NVMe command set-up")                                               \
	X("requeue", "first_issued", "issued", "",                             \
	  "device busy, retries")                                              \
	X("device", "issued", "completed", "D2C, service time",                \
	  "driver and device worked on it (to `answered` where it is seen)")   \
	X("irq", "answered", "driver_done", "",                                \
	  "interrupt, softirq, ksoftirqd")                                     \
	X("complete", "driver_done", "completed", "",                          \
	  "driver's completion to the block layer's")                          \
	X("flush", "", "", "PREFLUSH",                                         \
	  "cache flushes asked for by a write, taken out of the layer around") \
	X("return", "completed", "returned", "",                               \
	  "task work, wake-up, the task not entering the kernel")              \
	X("reap", "returned", "reaped", "",                                    \
	  "posted, but not yet taken by the application")                      \
	X("unattributed", "", "", "",                                          \
	  "time of I/Os whose record is incomplete or out of order")

#endif
