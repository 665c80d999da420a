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
#include "report/report_nvme.h"
#include "stat/dist.h"

#define REPORT_SCHEMA "iostrata.report/1"

/* What measured, and where: report_tool_here() fills it but for libbpf, whose
 * version the loader knows (views don't link it).
 */
struct report_tool {
	const char *version;	  /* iostrata's */
	const char *libbpf;	  /* "1.1"; NULL: no BPF was used */
	char kernel[72], arch[72]; /* uname -r, -m */
	/* "typed" or "raw", the programs that loaded; NULL: none of these */
	const char *trace_programs, *run_programs;
};

struct report_span { /* boundary names; NULL: does not apply */
	const char *from, *to;
};

struct report_part { /* of a layer; never added to the layers */
	const char *name;
	struct dist *dist;
	double share, tail_share; /* of all layers' time, as the layer's are */
};

enum { REPORT_PARTS = 4 };

struct report_layer { /* in the order of the I/O's life */
	char layer[48], from[16], to[16];
	struct dist *dist;
	double share, tail_share; /* 0 to 1: of all time; of the slowest 1 %'s time */
	struct report_part parts[REPORT_PARTS]; /* what it consisted of, where that is known */
	unsigned int part_count;
};			  /* from, to "": it is no stretch between two (flush, unattributed) */

struct report_depth { /* three different quantities, never one word */
	uint64_t capacity;	  /* nr_requests; UINT64_MAX unknown */
	double in_flight_mean, waiting_mean; /* time-weighted; negative: unknown */
	uint64_t in_flight_max, waiting_max;
};

struct report_op { /* one device's requests of one operation, anybody's */
	char op[24];		  /* "read", "write", "flush", "discard", "driver in"… */
	uint64_t started, completed, bytes, errors;
	struct hist *queue, *service; /* kernel histograms: log2 with linear sub-buckets */
	uint64_t queue_unknown;	  /* completed without a usable queue start; not in `queue` */
};

struct report_device {
	struct device_state state;
	struct report_depth depth;
	struct report_op *ops;
	unsigned int op_count;
	const char *const *children; /* the lower devices' names (dm, md, loop's backing disk) */
	unsigned int child_count;
	const char *parent; /* the device this one is a path of (NVMe multipath) */
	const struct report_nvme *nvme;
};

struct report_count { /* a named count: checks, losses */
	const char *name;
	uint64_t count;
	const char *meaning; /* one line; shown when count > 0 */
	bool normal;	     /* happens on a healthy machine (clock_jitter, orphans_at_attach) */
};

/* In-flight mean = completions per second x mean latency, all of one window
 * and of one pair of boundaries; the views show how far it is off.
 */
struct report_littles_law {
	double in_flight_mean, completed_per_s;
	uint64_t latency_mean_ns;
};

struct report_program {
	char name[32];
	uint64_t runs, ns;
};

struct report_overhead {
	struct report_program *programs;
	unsigned int program_count;
	uint64_t ios;		  /* what ns_per_io is divided by */
	double ns_per_io, cpu_share; /* of one CPU's time; negative: not measured */
};

struct report_hook { /* an optional program on a function of the kernel */
	const char *function, *way; /* "fentry", "kprobe"; "none": what it would tell is folded */
};

struct report {
	struct report_tool tool;
	const char *command;	   /* "run" */
	char command_line[512];
	const char *target;
	uint64_t started_realtime_ns, duration_ns; /* of the run, or of this window */
	uint64_t window;	   /* trace -i: 1, 2, …; 0: the report is of the whole run */
	bool interrupted;
	char verdict_layer[48], verdict_text[256]; /* "" : none */

	const struct load_config *load_config; /* with load_result */
	struct load_result *load_result;
	const struct device_state *device_state; /* the target's device */

	/* Of the completed I/Os without the warm-up, as latency is. The last row
	 * is "unattributed" (its dist: their totals), there also when it is empty:
	 * so the sums of all rows are the sum of all latencies from planned.
	 */
	struct report_layer *layers;
	unsigned int layer_count;
	uint64_t attributed, tail_count, tail_from_ns; /* I/Os; those in the slowest 1 %, from which total on */

	struct report_device *devices;
	unsigned int device_count;
	struct report_span queue, service; /* what the ops' histograms measure */

	struct report_count *checks, *losses;
	unsigned int check_count, loss_count;
	const struct report_littles_law *littles_law; /* NULL: not checked */
	struct report_overhead *overhead;
	const struct report_hook *hooks;
	unsigned int hook_count;
	struct load_result *without_tracer; /* run --ab */
	const char *notes[8];		    /* plain sentences, e.g. what was folded and why */
	unsigned int note_count;
};

enum report_format { REPORT_TEXT, REPORT_JSON };
extern const char *const report_format_names[];

/* This program on this kernel; libbpf is left NULL. */
struct report_tool report_tool_here(void);

/* Fills verdict_text when no attribution did: how a load went, or which op of
 * a trace is slowest. Does nothing when there is a text already.
 */
void report_default_verdict(struct report *report);

struct text_style {
	bool colour;	  /* only on a terminal; NO_COLOR and TERM=dumb respected */
	bool bars;	  /* the chart of the slowest 1 %: only on a terminal */
	bool unicode;	  /* only on a terminal with a UTF-8 locale; ASCII otherwise */
	bool histograms;  /* log2 histograms of each op: asked for by the user */
	unsigned int columns; /* of the terminal; 80 elsewhere */
};

/* What `out` allows; histograms is left false. Reads the environment. */
struct text_style text_style_for(FILE *out);

void report_text(const struct report *report, const struct text_style *style, FILE *out);
/* trace -i: the column heads, once (and again whenever the caller likes), then
 * for each window a line with its time and one row for each device and op.
 */
void report_text_window_head(const struct text_style *style, FILE *out);
void report_text_window(const struct report *report, const struct text_style *style, FILE *out);

/* One JSON document and a newline. 0 or -ENOMEM. Write errors show in ferror(out). */
int report_json(const struct report *report, FILE *out);
/* The same document on one line: trace -i writes one for each window (JSON lines). */
int report_json_line(const struct report *report, FILE *out);

#endif
