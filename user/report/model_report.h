/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What `iostrata model` found, and its views. The command fills the model
 * below; each view reads it and nothing else. Pointers are borrowed.
 */
#ifndef IOSTRATA_MODEL_REPORT_H
#define IOSTRATA_MODEL_REPORT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/correct.h"
#include "model/simulate.h"

#define QUANTILE_METHOD "nearest rank on exact samples"

enum { MODEL_RUNS_MAX = 2 };

struct model_run {
	const char *name; /* "open", "closed" */
	const struct model_config *config;
	struct model_result *result;
	struct model_correction *correction; /* NULL: not asked for */
};

struct model_report {
	struct model_run runs[MODEL_RUNS_MAX];
	unsigned int run_count;
	uint64_t above_ns; /* responses longer than this are counted */
	uint64_t started_realtime_ns;
};

/* Write errors show in ferror(out). */
void model_text(const struct model_report *report, FILE *out);
/* One JSON document and a newline. 0 or -ENOMEM. */
int model_json(const struct model_report *report, FILE *out);
/* The `models` array of that document alone. */
struct json_object *model_json_runs(const struct model_report *report);
/* A row per request. The data set's seven columns, or with submission and
 * outcome beside them.
 */
void model_csv(const struct model_report *report, bool with_outcome, FILE *out);
/* Rows that model_csv() writes, without the heading. */
uint64_t model_csv_rows(const struct model_report *report);

/* The data set: responses.csv, metadata.json and SHA256SUMS in `directory`,
 * made if it is not there. -errno and *why.
 */
int model_publish(const struct model_report *report, const char *directory, struct why *why);

#endif
