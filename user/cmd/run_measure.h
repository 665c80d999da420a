/* SPDX-License-Identifier: GPL-2.0-only
 *
 * One traced load: generator and tracer together. In: a load and its target.
 * Out: what both clocks saw. `run` and `demo` both use it.
 */
#ifndef IOSTRATA_RUN_MEASURE_H
#define IOSTRATA_RUN_MEASURE_H

#include "attribute/attribution.h"
#include "cmd/nvme_rows.h"
#include "kernel/run_session.h"
#include "kernel/trace_session.h"
#include "load/io_log.h"
#include "load/load.h"
#include "probe/device_stack.h"
#include "probe/device_state.h"

struct run_outcome { /* zeroed before; run_outcome_free after */
	struct device_state device;
	struct device_stack stack; /* what it lies on */
	struct load_result load;
	struct attribution attribution;
	struct trace_snapshot requests; /* everybody's, on the target's device */
	struct nvme_rows nvme; /* the report borrows from it */
	uint64_t traced_ns;		/* how long it was traced */
	uint64_t counts[IOSTRATA_RUN_COUNT];
	struct run_depths depths;
	enum run_way ways[RUN_HOOK_COUNT]; /* how the optional functions were hooked */
	uint32_t boundaries; /* bit per boundary that can be seen here */
	uint64_t run_misses; /* events withheld from the run programs */
	uint64_t run_contended; /* changes by them that found a lock taken */
	enum flavour trace_flavour, run_flavour; /* of the programs that loaded */
	bool on_file;	     /* the target is a file on the device */
	bool overhead;	     /* BPF statistics were on for the whole of it */
	struct session_program programs[SESSION_PROGRAMS_MAX];
	unsigned int program_count, run_program_count; /* the run programs come first */
	struct io_log *io_log; /* NULL: not asked for */
	struct run_session *session; /* while it runs */
	struct trace_session *trace;
};

struct run_wish {
	const struct load_config *load;
	bool io_log, overhead;
	int flavour; /* enum flavour */
	const char *btf; /* NULL: the kernel's own */
};

/* 0 or -errno and *why; free the outcome in either case. */
int run_measure(const struct run_wish *wish, struct run_outcome *outcome, struct why *why);
/* The same load, nothing attached: run --ab. */
int run_measure_untraced(const struct load_config *config, struct load_result *result,
			 struct why *why);
void run_outcome_free(struct run_outcome *outcome);

#endif
