/* SPDX-License-Identifier: GPL-2.0-only
 *
 * One I/O's boundaries as a ladder: in order, checked, clamped. In: a flight
 * record. Out: its steps, or why it cannot be attributed. Pure.
 */
#ifndef IOSTRATA_LADDER_H
#define IOSTRATA_LADDER_H

#include <stdbool.h>
#include <stdint.h>

#include "attribute/parts.h"
#include "record.h"

/* The kernel's fast clock can step back slightly against user space's: a
 * reversal below this is jitter, a larger one an order violation.
 */
enum { LADDER_JITTER_NS = 1000 };

enum ladder_state {
	LADDER_WHOLE,	   /* all steps are in order */
	LADDER_UNSEEN,	   /* the kernel's half is not of this I/O: never entered, as we saw */
	LADDER_INCOMPLETE, /* the kernel lost a part: children not done, no return */
	LADDER_DISORDERED, /* a reversal beyond jitter */
};

struct ladder_step {
	enum iostrata_boundary at;
	uint64_t ns;
};

struct ladder {
	struct ladder_step step[IOSTRATA_BOUNDARY_COUNT]; /* clamped: never decreasing */
	unsigned int count;
	enum ladder_state state;
	enum iostrata_boundary violated_from, violated_to; /* DISORDERED: the first pair that is */
	unsigned int jitters; /* reversals that were clamped */
	uint64_t flush_ns;    /* part of the step into COMPLETED */
	uint64_t earlier_ns;  /* part of the step into earlier_at: since the I/O's first bio was */
	enum iostrata_boundary earlier_at; /* BIO, or QUEUED where that is not seen */
	bool bio_based;	      /* its device made no request of it */
	uint64_t tag_part_ns[TAG_REST]; /* of the step from QUEUED to ALLOCATED */
	bool flush_unseen;    /* there was a flush in the step into COMPLETED, of unknown size */
};

/* PLANNED, SUBMITTED and REAPED are the generator's and always there; they are
 * never moved. A state but WHOLE keeps just these three.
 */
void ladder_build(struct ladder *ladder, const struct iostrata_record *record);

/* "fs", or when boundaries in between were not seen "fs+throttle": the layer
 * that starts at `from`, and the one that ends at `to`.
 */
void layer_name(enum iostrata_boundary from, enum iostrata_boundary to, char *out, unsigned int size);
const char *boundary_name(enum iostrata_boundary boundary);

#endif
