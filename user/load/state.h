/* SPDX-License-Identifier: GPL-2.0-only
 *
 * One load in progress: what load.c sets up, drive.c moves and finish.c sums
 * up. Times are CLOCK_MONOTONIC ns; those named _rel_ns count from start_ns.
 */
#ifndef IOSTRATA_LOAD_STATE_H
#define IOSTRATA_LOAD_STATE_H

#include "load/account.h"
#include "load/arrivals.h"
#include "load/buffers.h"
#include "load/cpu.h"
#include "load/load.h"
#include "load/offsets.h"
#include "load/ring.h"
#include "load/series.h"
#include "load/slots.h"
#include "load/interrupt.h"
#include "load/target_open.h"

/* An arrival counts as backlog once it is so late; submitting takes a moment. */
#define LOAD_LATE_NS 50000ull

struct load {
	const struct load_config *config;
	struct load_hooks hooks;
	struct load_result *result;

	struct ring ring;
	struct slots slots;
	struct arrivals arrivals;
	struct offsets offsets;
	struct iostrata_record *records;
	struct iostrata_record *own_records; /* NULL when the hooks brought theirs */
	struct iostrata_control *control, *own_control;
	struct buffers buffers;
	struct load_target target;
	struct account account;
	struct series series;
	struct interrupt interrupt;
	struct cpu_meter cpu;

	uint32_t batch[RING_SQ_ENTRIES]; /* prepared, not stamped */
	unsigned int batch_count;
	uint64_t now_ns;	/* the last clock reading: one serves as many as it can */
	uint64_t start_ns, warmup_end_ns;
	uint64_t cutoff_ns;	/* known from the start by --runtime, else UINT64_MAX */
	uint64_t last_decided_ns;
	uint64_t backlog;	/* as of this pass */
	uint64_t in_flight_sum; /* modulo 2^64: sum of reaped minus sum of submitted */
	unsigned int stops;	/* signals seen */
	int failing_err;	/* the run was ended because nothing succeeds any more */
	bool over;		/* past the cutoff: only late completions come */
	bool writes;
};

/* drive.c: from the start to the cutoff, then the drain. -errno and *why. */
int load_drive(struct load *load, struct why *why);
/* finish.c: a completion was taken from the ring, at now_ns. */
void load_reaped(struct load *load, uint32_t slot, int32_t result);
/* The oldest I/Os that timed out by `now_ns` are counted as such. */
void load_expire(struct load *load, uint64_t now_ns);
/* The run ends at `now_ns`: what is undecided was in flight then. */
void load_cut_off(struct load *load, uint64_t now_ns);
/* After the drain: everything of *result that follows from the counts. */
void load_sum_up(struct load *load);

#endif
