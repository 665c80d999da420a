/* SPDX-License-Identifier: GPL-2.0-only
 *
 * All that `iostrata check` found. In: this machine. Out: one model that the
 * text and the JSON view read and nothing else.
 */
#ifndef IOSTRATA_CHECK_H
#define IOSTRATA_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/facts.h"
#include "probe/needs.h"

struct type_fact { /* does a kernel type have the shape a program looks for? */
	const char *structure, *field;
	bool present;
};

enum { TYPE_FACTS = 14 };

struct check {
	uint64_t started_realtime_ns, duration_ns;
	struct findings findings;
	struct boundary_state boundaries[IOSTRATA_BOUNDARY_COUNT];
	struct need_verdict verdicts[NEED_COMMANDS];
	struct type_fact types[TYPE_FACTS];
	struct facts facts;
	bool has_nvme; /* some NVMe device is there: its boundaries matter */
	bool has_nvme_driver; /* built in, or loaded */
};

/* Probes everything; takes some 0.2 s, changes nothing, never fails: what can't
 * be found out is in the model as such. libbpf's messages are to be silenced
 * by the caller. `btf`: a file with this kernel's types, or NULL.
 */
void check_machine(const char *btf, struct check *check);

/* `colour`: escapes for a terminal. */
void check_text(const struct check *check, bool colour, FILE *out);

#endif
