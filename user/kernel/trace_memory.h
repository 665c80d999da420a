/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A trace session's insides, for its two halves: control (trace_session.c) and
 * reading (trace_snapshot.c).
 */
#ifndef IOSTRATA_TRACE_MEMORY_H
#define IOSTRATA_TRACE_MEMORY_H

#include "kernel/trace_session.h"

struct trace_bpf;

struct trace_session {
	struct trace_bpf *skel;
	const struct trace_config *config; /* while it is opened */
	enum flavour flavour;
	unsigned int cpus, series_max;
	uint32_t table_sets;
	uint64_t stopped_ns; /* 0: not yet */
	/* The programs' memory, read without a system call or a privilege. */
	struct iostrata_series *series;
	struct iostrata_series_name *names;
	struct iostrata_device *devices;
	struct iostrata_table_set *table;
	struct nvme_trace nvme;
	struct session_program program[SESSION_PROGRAMS_MAX];
	unsigned int programs;
};

#endif
