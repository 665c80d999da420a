// SPDX-License-Identifier: GPL-2.0-only
// In: the runs. Out: a row per request, times in ms, exact to the ns:
//
//	mode,index,arrivalMs,startMs,completedMs,queueMs,responseMs
//	open,1,10,101,102,91,92
//
// A request that was never submitted has its arrival only.
#include <inttypes.h>

#include "report/decimal.h"
#include "report/model_report.h"

static const char *outcome_text(enum model_outcome outcome)
{
	switch (outcome) {
	case MODEL_COMPLETED:
		return "completed";
	case MODEL_OUTSTANDING:
		return "outstanding";
	default:
		return "unsubmitted";
	}
}

static void cell(FILE *out, const struct model_request *request, uint64_t ns)
{
	char text[DECIMAL_SIZE];

	fprintf(out, ",%s", request->outcome == MODEL_UNSUBMITTED ? "" : decimal_ms(text, ns));
}

static void row(const struct model_request *request, bool with_outcome, FILE *out)
{
	char text[DECIMAL_SIZE];

	fprintf(out, ",%s", decimal_ms(text, request->planned_ns));
	cell(out, request, request->started_ns);
	cell(out, request, request->completed_ns);
	cell(out, request, request->started_ns - request->planned_ns);
	cell(out, request, request->completed_ns - request->planned_ns);
	if (with_outcome) {
		cell(out, request, request->submitted_ns);
		fprintf(out, ",%s", outcome_text(request->outcome));
	}
	fputc('\n', out);
}

void model_csv(const struct model_report *report, bool with_outcome, FILE *out)
{
	fprintf(out, "mode,index,arrivalMs,startMs,completedMs,queueMs,responseMs%s\n",
		with_outcome ? ",submittedMs,outcome" : "");
	for (unsigned int i = 0; i < report->run_count; i++) {
		const struct model_run *run = &report->runs[i];

		for (uint64_t k = 0; k < run->result->counts.planned; k++) {
			fprintf(out, "%s,%" PRIu64, run->name, k);
			row(&run->result->requests[k], with_outcome, out);
		}
	}
}

uint64_t model_csv_rows(const struct model_report *report)
{
	uint64_t rows = 0;

	for (unsigned int i = 0; i < report->run_count; i++)
		rows += report->runs[i].result->counts.planned;
	return rows;
}
