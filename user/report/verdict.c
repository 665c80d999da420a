// SPDX-License-Identifier: GPL-2.0-only
// In: a report without attribution. Out: its one-line verdict, in the model so
// that every view has it.
#include "report/report.h"

#include <stdarg.h>

#include "report/format.h"

static void say(struct report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct report *report, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(report->verdict_text, sizeof(report->verdict_text), format, args);
	va_end(args);
}

/* From planned: the latency that an arrival would have seen. */
static void of_load(struct report *report)
{
	struct load_result *result = report->load_result;
	struct dist_summary s = dist_summarize(&result->planned_to_reaped);

	if (!s.count) {
		say(report, "No I/O completed.");
		return;
	}
	say(report,
		 "%s completed of %s offered%s: p99 %s, max %s from the planned arrival; in flight "
		 "mean %s, max %s.",
		 format_rate(result->rate_completed).text, format_rate(result->rate_offered).text,
		 result->sustained ? ", sustained" : ", NOT sustained",
		 format_duration(s.p99_ns, false).text, format_duration(s.max_ns, false).text,
		 format_mean(result->in_flight_mean).text, format_count(result->in_flight_max).text);
}

/* Which is slower: by the p99 of queue or service time, whichever is larger. */
static uint64_t p99(const struct hist *hist)
{
	return hist ? hist_quantile(hist, 9900) : 0;
}

static uint64_t worse(const struct report_op *op)
{
	uint64_t queue = p99(op->queue), service = p99(op->service);

	return queue > service ? queue : service;
}

/* A trace has no single total: it names the op whose tail is longest. */
static void of_trace(struct report *report)
{
	const struct report_device *device = NULL;
	const struct report_op *slowest = NULL;
	uint64_t completed = 0;

	for (unsigned int i = 0; i < report->device_count; i++)
		for (unsigned int j = 0; j < report->devices[i].op_count; j++) {
			const struct report_op *op = &report->devices[i].ops[j];

			completed += op->completed;
			if (!op->completed || (slowest && worse(op) <= worse(slowest)))
				continue;
			slowest = op;
			device = &report->devices[i];
		}
	if (!slowest) {
		say(report,
			 "No request completed in %s.", format_duration(report->duration_ns, false).text);
		return;
	}
	say(report,
		 "%s requests in %s; slowest: %s on %s, p99 %s of queue and %s of service time.",
		 format_count(completed).text, format_duration(report->duration_ns, false).text,
		 slowest->op, device->state.name, format_duration(p99(slowest->queue), false).text,
		 format_duration(p99(slowest->service), false).text);
}

void report_default_verdict(struct report *report)
{
	if (report->verdict_text[0])
		return;
	if (report->load_result)
		of_load(report);
	else if (report->device_count)
		of_trace(report);
}
