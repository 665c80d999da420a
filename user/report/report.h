/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The one report model. Commands fill it; each view (text, JSON) reads it and
 * nothing else. Pointers are borrowed; NULL or 0 means "does not apply" and is
 * left out of every view.
 */
#ifndef IOSTRATA_REPORT_H
#define IOSTRATA_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "load/load.h"
#include "probe/device_state.h"
#include "stat/dist.h"

#define REPORT_SCHEMA "iostrata.report/1"

struct report_hist { /* a bare kernel histogram */
	struct hist hist;
};

struct report_layer { /* in the order of the I/O's life */
	char layer[48], from[16], to[16];
	struct dist *dist;
	double share, tail_share; /* 0 to 1: of all time; of the slowest 1 %'s time */
};

struct report_depth { /* three different quantities, never one word */
	uint64_t capacity;	  /* nr_requests; UINT64_MAX unknown */
	double in_flight_mean, waiting_mean; /* time-weighted; negative: unknown */
	uint64_t in_flight_max, waiting_max;
};

struct report_op { /* one device's requests of one operation, anybody's */
	char op[24];		  /* "read", "write", "flush", "discard", "driver in"… */
	uint64_t started, completed, bytes, errors;
	struct hist *queue, *service; /* kernel histograms: log2 with linear sub-buckets */
	uint64_t queue_unknown;	  /* completed without a usable queue start */
};

struct report_device {
	struct device_state state;
	struct report_depth depth;
	struct report_op *ops;
	unsigned int op_count;
};

struct report_count { /* a named count: checks, losses */
	const char *name;
	uint64_t count;
	const char *meaning; /* one line; shown when count > 0 */
};

struct report_program {
	char name[32];
	uint64_t runs, ns;
};

struct report_overhead {
	struct report_program *programs;
	unsigned int program_count;
	uint64_t ios;		  /* what ns_per_io is divided by */
	double ns_per_io, cpu_share; /* negative: not measured */
};

struct report_ab { /* the same load without the tracer; NULL dists: not done */
	struct load_result *without;
};

struct report {
	const char *command;	   /* "run" */
	char command_line[512];
	const char *target;
	uint64_t started_realtime_ns, duration_ns;
	bool interrupted;
	char verdict_layer[48], verdict_text[256]; /* "" : none */

	const struct load_config *load_config; /* with load_result */
	struct load_result *load_result;
	const struct device_state *device_state; /* the target's device */

	struct report_layer *layers;
	unsigned int layer_count;
	uint64_t attributed, tail_count, tail_from_ns; /* I/Os; those in the slowest 1 %, from which total on */

	struct report_device *devices;
	unsigned int device_count;

	struct report_count *checks, *losses;
	unsigned int check_count, loss_count;
	struct report_overhead *overhead;
	struct load_result *without_tracer; /* run --ab */
	const char *notes[8];		    /* plain sentences, e.g. what was folded and why */
	unsigned int note_count;
};

enum report_format { REPORT_TEXT, REPORT_JSON };
extern const char *const report_format_names[];

struct text_style {
	bool colour, bars; /* only on a terminal; NO_COLOR respected */
	unsigned int columns;
};

/* What `out` allows. */
struct text_style text_style_for(FILE *out);

void report_text(const struct report *report, const struct text_style *style, FILE *out);
/* One JSON document and a newline. 0 or -ENOMEM. Write errors show in ferror(out). */
int report_json(const struct report *report, FILE *out);

#endif
