/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The `trace` programs of one machine: attached, read, detached. Everything
 * read is monotonic since the start; a window is the difference of two
 * snapshots.
 */
#ifndef IOSTRATA_TRACE_SESSION_H
#define IOSTRATA_TRACE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"
#include "kernel/flavour.h"
#include "kernel/nvme_trace.h"
#include "kernel/session.h"
#include "stat/hist.h"
#include "trace.h"

struct trace_config {
	const uint32_t *devs; /* whole disks, major << 20 | minor; none: all */
	unsigned int dev_count;
	bool insert_stamps;   /* some device keeps no stamps of its own (iostats=0) */
	enum flavour flavour; /* of the programs */
	const char *btf;      /* a file with the kernel's types; NULL: its own */
	uint32_t table_sets;  /* power of two; 0: IOSTRATA_TABLE_SETS */
};

struct trace_series {
	uint32_t dev, op;
	uint64_t started, completed, bytes, errors, queue_unknown, queue_inserted, requeues;
	struct hist queue, service;
};

struct trace_device {
	uint32_t dev;
	bool used; /* else its number was lost to a race, and is nobody's */
	uint64_t started, in_flight, in_flight_max; /* started: modulo 2^40; max UINT64_MAX: unknown */
	/* Sum of the ages of the requests in flight at the snapshot: with the
	 * completed ones' service time the integral of the depth.
	 */
	uint64_t age_ns, tabled; /* tabled: entries the ages are of */
};

struct trace_snapshot {
	uint64_t taken_ns;
	struct trace_series *series;
	unsigned int series_count;
	struct trace_device *devices;
	unsigned int device_count;
	struct nvme_snapshot nvme;
	uint64_t losses[IOSTRATA_TRACE_LOSS_COUNT];
	uint64_t misses; /* events the kernel did not give our programs */
};

struct trace_session;

/* Loads and attaches; nothing is counted yet. -errno and *why else. */
int trace_session_open(const struct trace_config *config, struct why *why,
		       struct trace_session **out);
/* The NVMe driver is not loaded (yet): look for it now and then. It may take
 * CAP_BPF, see nvme_hooks.h.
 */
bool trace_session_awaits_nvme(const struct trace_session *session);
/* Gives up all capabilities but what that takes on this kernel. */
int trace_session_drop_privilege(const struct trace_session *session, struct why *why);
int trace_session_attach_nvme(struct trace_session *session, struct why *why);
/* Start and stop return when, in CLOCK_MONOTONIC ns. */
uint64_t trace_session_start(struct trace_session *session);
/* Detaches; what was counted can still be read. Once: later calls do nothing. */
uint64_t trace_session_stop(struct trace_session *session);
void trace_session_close(struct trace_session *session);
enum flavour trace_session_flavour(const struct trace_session *session);

/* 0 or -ENOMEM. A zeroed snapshot, or one taken before. */
int trace_session_read(struct trace_session *session, struct trace_snapshot *snapshot);
void trace_snapshot_free(struct trace_snapshot *snapshot);
/* later - earlier. 0 or -ENOMEM. */
int trace_snapshot_window(struct trace_snapshot *window, const struct trace_snapshot *later,
			  const struct trace_snapshot *earlier);

unsigned int trace_session_programs(const struct trace_session *session,
				    struct session_program *out, unsigned int count);

#endif
