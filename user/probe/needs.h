/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Can a command work here? In: what all probes found. Out: for each command
 * that needs something of the kernel yes, or what is missing, why, and the
 * exit status that it would end with.
 */
#ifndef IOSTRATA_NEEDS_H
#define IOSTRATA_NEEDS_H

#include <stdbool.h>

#include "base/why.h"
#include "probe/bpf_feature.h"
#include "probe/boundary_hooks.h"
#include "probe/target_parts.h"
#include "probe/uring_feature.h"

enum need_command { NEED_TRACE, NEED_RUN, NEED_LOAD, NEED_TARGET, NEED_COMMANDS };

struct lack {
	enum exit_status status; /* EXIT_PRIVILEGE or EXIT_KERNEL_LACKS */
	char what[64];		 /* "block_rq_issue" */
	char why[288];
	const char *remedy;
};

enum { LACKS_MAX = 16 };

/* The flavour of programs a command would use (bpf/access.bpf.h). */
enum need_programs { NEED_NO_PROGRAMS, NEED_TYPED, NEED_RAW };

struct need_verdict {
	bool possible;
	enum exit_status status; /* EXIT_DONE when possible */
	struct lack lacks[LACKS_MAX]; /* what would end the command stands first */
	unsigned int lack_count;
	enum need_programs programs; /* that it would use; of load and target none */
	struct lack not_typed; /* why not those; what "": they can be */
};

struct findings {
	struct privilege privilege;
	int types_err; /* reading the kernel's BTF */
	int shapes_err; /* or the file's that stands for it: what raw programs need */
	int64_t memlock_bytes; /* that BPF is bound to; -1: it is not */
	struct watched places[WATCHED_COUNT];
	int features[BPF_FEATURE_COUNT]; /* 0 or -errno */
	struct uring_features uring;
	int64_t uring_disabled; /* the sysctl; INT64_MIN unknown */
	struct target_parts target;
	int64_t clock_offset_ns; /* our CLOCK_MONOTONIC against the kernel's; 0 also when unknown */
};

void needs_judge(const struct findings *findings, struct need_verdict verdicts[NEED_COMMANDS]);

/* "typed", "raw"; NULL: none. */
const char *need_programs_name(enum need_programs programs);
/* "trace", "run", "load", "target" */
const char *need_command_name(enum need_command command);

#endif
