// SPDX-License-Identifier: GPL-2.0-only
// In: the runs. Out: a table to read, a column for each run and clock:
//
//	p99: open 83 ms, closed 1 ms
//
//	                           open          closed
//	                   from planned    from planned
//	N                           200             190
//	p99 ms                       83               1
#include <inttypes.h>
#include <string.h>

#include "report/decimal.h"
#include "report/model_report.h"

/* Each run: from planned, from submitted, drained, corrected. */
enum { COLUMNS_MAX = 4 * MODEL_RUNS_MAX };

struct column {
	const char *run, *view;
	struct dist_summary latency;
	uint64_t above;
	const struct model_result *result; /* NULL: a correction has no rate and no depth */
};

struct table {
	struct column columns[COLUMNS_MAX];
	unsigned int count;
};

struct row {
	const char *label;
	void (*cell)(char out[DECIMAL_SIZE], const struct column *column);
};

static void cell_count(char out[DECIMAL_SIZE], const struct column *column)
{
	decimal_text(out, column->latency.count, 0);
}

static void cell_offered(char out[DECIMAL_SIZE], const struct column *column)
{
	if (column->result)
		decimal_rate(out, column->result->counts.planned, column->result->window_ns);
}

static void cell_mean(char out[DECIMAL_SIZE], const struct column *column)
{
	if (column->latency.count)
		decimal_mean_ms(out, column->latency.sum_ns, column->latency.count);
}

static void cell_above(char out[DECIMAL_SIZE], const struct column *column)
{
	decimal_text(out, column->above, 0);
}

#define CELL_MS(field)                                                                             \
	static void cell_##field(char out[DECIMAL_SIZE], const struct column *column)              \
	{                                                                                          \
		if (column->latency.count)                                                         \
			decimal_ms(out, column->latency.field##_ns);                               \
	}
CELL_MS(p50)
CELL_MS(p90)
CELL_MS(p95)
CELL_MS(p99)
CELL_MS(p999)
CELL_MS(max)

#define CELL_DEPTH(field)                                                                          \
	static void cell_##field(char out[DECIMAL_SIZE], const struct column *column)              \
	{                                                                                          \
		if (column->result)                                                                \
			decimal_text(out, column->result->field, 0);                               \
	}
CELL_DEPTH(in_system_max)
CELL_DEPTH(in_flight_max)
CELL_DEPTH(backlog_max)

static const struct row rows[] = {
	{ "N", cell_count },
	{ "offered/s", cell_offered },
	{ "p50 ms", cell_p50 },
	{ "p90 ms", cell_p90 },
	{ "p95 ms", cell_p95 },
	{ "p99 ms", cell_p99 },
	{ "p99.9 ms", cell_p999 },
	{ "max ms", cell_max },
	{ "mean ms", cell_mean },
	{ NULL, cell_above }, /* its label holds the bound */
	{ "most in system", cell_in_system_max },
	{ "most in flight", cell_in_flight_max },
	{ "most in backlog", cell_backlog_max },
};

static void add_column(struct table *table, const struct model_report *report,
		       const struct model_run *run, const char *view, struct dist *dist)
{
	table->columns[table->count++] = (struct column){
		.run = run->name,
		.view = view,
		.latency = dist_summarize(dist),
		.above = dist_above(dist, report->above_ns),
		.result = run->result,
	};
}

/* A clock of its own only where the two differ. */
static bool has_backlog(const struct model_run *run)
{
	return run->config->in_flight_cap || run->config->stall_ns;
}

static void add_columns(struct table *table, const struct model_report *report,
			const struct model_run *run)
{
	add_column(table, report, run, "from planned", &run->result->planned_to_completed);
	if (has_backlog(run))
		add_column(table, report, run, "from submitted",
			   &run->result->submitted_to_completed);
	if (run->config->cutoff_ns)
		add_column(table, report, run, "drained", &run->result->drained);
	if (run->correction) {
		add_column(table, report, run, "corrected*", &run->correction->dist);
		table->columns[table->count - 1].result = NULL;
	}
}

static void print_row(const struct table *table, const struct row *row, const char *label,
		      FILE *out)
{
	fprintf(out, "%-18s", label);
	for (unsigned int i = 0; i < table->count; i++) {
		char text[DECIMAL_SIZE] = "-";

		row->cell(text, &table->columns[i]);
		fprintf(out, "%16s", text);
	}
	fputc('\n', out);
}

static void print_heading(const struct table *table, FILE *out)
{
	fprintf(out, "%-18s", "");
	for (unsigned int i = 0; i < table->count; i++)
		fprintf(out, "%16s", table->columns[i].run);
	fprintf(out, "\n%-18s", "");
	for (unsigned int i = 0; i < table->count; i++)
		fprintf(out, "%16s", table->columns[i].view);
	fputc('\n', out);
}

static void print_table(const struct model_report *report, FILE *out)
{
	struct table table = { 0 };
	char bound[DECIMAL_SIZE], above[DECIMAL_SIZE + 16];

	for (unsigned int i = 0; i < report->run_count; i++)
		add_columns(&table, report, &report->runs[i]);
	snprintf(above, sizeof(above), "above %s ms", decimal_ms(bound, report->above_ns));
	print_heading(&table, out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		print_row(&table, &rows[i], rows[i].label ? rows[i].label : above, out);
}

static void print_p99s(const struct model_report *report, FILE *out)
{
	for (unsigned int i = 0; i < report->run_count; i++) {
		struct model_result *result = report->runs[i].result;
		struct dist *dist = &result->planned_to_completed;
		char p99[DECIMAL_SIZE];

		fprintf(out, "%s%s ", i ? ", " : "p99: ", report->runs[i].name);
		if (dist->hist.count)
			fprintf(out, "%s ms%s", decimal_ms(p99, dist_quantile(dist, 9900)),
				result->counts.completed == result->counts.planned ? "" : " (censored)");
		else
			fputs("none completed", out);
	}
	fputc('\n', out);
}

static void print_not_sustained(const struct model_run *run, FILE *out)
{
	const struct model_result *result = run->result;
	char window[DECIMAL_SIZE];

	fprintf(out, "%s: NOT SUSTAINED: %" PRIu64 " of %" PRIu64
		" planned requests were unfinished when arrivals ended at %s ms; limit: ",
		run->name, result->unfinished, result->counts.planned,
		decimal_ms(window, result->window_ns));
	if (result->limit == MODEL_LIMIT_CAP)
		fprintf(out, "in-flight cap of %" PRIu64 " (target behind it)\n",
			run->config->in_flight_cap);
	else
		fputs("target\n", out);
}

static void print_cutoff(const struct model_run *run, FILE *out)
{
	const struct model_counts *counts = &run->result->counts;
	char at[DECIMAL_SIZE], ended[DECIMAL_SIZE];

	fprintf(out, "%s: planned %" PRIu64 " = completed %" PRIu64 " + outstanding %" PRIu64
		" + unsubmitted %" PRIu64 " by the cutoff at %s ms; drained at %s ms\n",
		run->name, counts->planned, counts->completed, counts->outstanding,
		counts->unsubmitted, decimal_ms(at, run->config->cutoff_ns),
		decimal_ms(ended, run->result->ended_ns));
	if (counts->completed != counts->planned)
		fprintf(out, "%s: the quantiles of what completed by the cutoff are censored: "
			"the %" PRIu64 " that had not are missing from them\n",
			run->name, counts->planned - counts->completed);
}

static void print_verdict(const struct model_report *report, FILE *out)
{
	for (unsigned int i = 0; i < report->run_count; i++)
		if (!report->runs[i].result->sustained)
			print_not_sustained(&report->runs[i], out);
	print_p99s(report, out);
	for (unsigned int i = 0; i < report->run_count; i++)
		if (report->runs[i].config->cutoff_ns)
			print_cutoff(&report->runs[i], out);
}

static void print_arrivals(const struct model_run *run, FILE *out)
{
	const struct model_config *config = run->config;
	char text[DECIMAL_SIZE], period[DECIMAL_SIZE];

	fprintf(out, "%-8s", run->name);
	if (config->arrival == MODEL_CLOSED)
		fprintf(out, "%" PRIu64 " client%s, %s ms think after each completion",
			config->clients, config->clients == 1 ? "" : "s",
			decimal_ms(text, config->think_ns));
	else if (config->per_period == 1)
		fprintf(out, "one arrival each %s ms", decimal_ms(period, config->period_ns));
	else
		fprintf(out, "%s arrivals/s",
			decimal_rate(text, config->per_period, config->period_ns));
	fprintf(out, ", in [0, %s) ms\n", decimal_ms(text, run->result->window_ns));
}

static void print_server(const struct model_config *config, FILE *out)
{
	char text[DECIMAL_SIZE];

	fprintf(out, "server  one, first in first out, %s ms a request",
		decimal_ms(text, config->service_ns));
	if (config->pause.extra_ns) {
		fprintf(out, ", +%s ms on request %" PRIu64, decimal_ms(text, config->pause.extra_ns),
			config->pause.at_request);
		if (config->pause.every)
			fprintf(out, " and each %" PRIu64 " after", config->pause.every);
	}
	fputc('\n', out);
}

static void print_generator(const struct model_config *config, FILE *out)
{
	char text[DECIMAL_SIZE];

	if (config->stall_ns) {
		fprintf(out, "stall   the generator submits nothing in [%s, ",
			decimal_ms(text, config->stall_at_ns));
		fprintf(out, "%s) ms\n", decimal_ms(text, config->stall_at_ns + config->stall_ns));
	}
	if (config->in_flight_cap)
		fprintf(out, "cap     at most %" PRIu64 " in flight\n", config->in_flight_cap);
}

static void print_correction(const struct model_run *run, FILE *out)
{
	char text[DECIMAL_SIZE];

	if (!run->correction)
		return;
	fprintf(out, "* Corrected by a model, not measured: %s responses, expected each %s ms;\n",
		run->name, decimal_ms(text, run->correction->interval_ns));
	fprintf(out, "  %" PRIu64 " of the %" PRIu64 " samples are synthetic.\n",
		run->correction->synthetic,
		run->correction->measured + run->correction->synthetic);
}

void model_text(const struct model_report *report, FILE *out)
{
	print_verdict(report, out);
	fputc('\n', out);
	for (unsigned int i = 0; i < report->run_count; i++)
		print_arrivals(&report->runs[i], out);
	print_server(report->runs[0].config, out);
	print_generator(report->runs[0].config, out);
	fputc('\n', out);
	print_table(report, out);
	fprintf(out, "\nQuantiles: %s. Times are simulated, exact to 1 ns.\n", QUANTILE_METHOD);
	for (unsigned int i = 0; i < report->run_count; i++)
		print_correction(&report->runs[i], out);
}
