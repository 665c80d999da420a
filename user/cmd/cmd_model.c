// SPDX-License-Identifier: GPL-2.0-only
// In: a model's parameters. Out: what it says, on stdout or in files; exit
// status 5 when the offered rate was not sustained.
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/output.h"
#include "cmd/commands.h"
#include "report/model_report.h"
#include "report/pool.h"

enum { ARRIVAL_BOTH, ARRIVAL_OPEN, ARRIVAL_CLOSED };
enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };
#define NOT_GIVEN UINT64_MAX

static const char *const arrival_names[] = { "both", "open", "closed", NULL };
static const char *const format_names[] = { "text", "json", "csv", NULL };

struct model_options {
	struct model_config config;
	int arrival, format;
	uint64_t interval_ns, correct_ns, above_ns;
	double rate_per_s;
	const char *output, *publish;
	bool pool;
};

#define AT(field) offsetof(struct model_options, field)

static const struct option_spec options[] = {
	{ NULL, 0, OPTION_HEADING, NULL, "Arrivals:", 0, NULL, 0, 0 },
	{ "arrival", 0, OPTION_CHOICE, "KIND", "open, closed or both side by side (default both)",
	  AT(arrival), arrival_names, 0, 0 },
	{ "interval", 0, OPTION_DURATION, "TIME", "Open: one arrival each TIME, at least 1ns (default 10ms)",
	  AT(interval_ns), NULL, 1, MODEL_TIME_MAX_NS },
	{ "rate", 0, OPTION_RATE, "N", "Open: N arrivals per second, 0.001 to 1000m, instead of --interval",
	  AT(rate_per_s), NULL, 0, 0 },
	{ "clients", 0, OPTION_U64, "N", "Closed: N clients, 1 to 1000000 (default 1)",
	  AT(config.clients), NULL, 1, MODEL_REQUESTS_MAX },
	{ "think", 0, OPTION_DURATION, "TIME", "Closed: from a completion to that client's next request (default 9ms)",
	  AT(config.think_ns), NULL, 0, MODEL_TIME_MAX_NS },
	{ "runtime", 0, OPTION_DURATION, "TIME", "Requests arrive in [0, TIME), at least 1ns (default 2s unless --requests is given)",
	  AT(config.runtime_ns), NULL, 1, MODEL_TIME_MAX_NS },
	{ "requests", 0, OPTION_U64, "N", "At most N requests in all, 1 to 1000000",
	  AT(config.requests), NULL, 1, MODEL_REQUESTS_MAX },
	{ NULL, 0, OPTION_HEADING, NULL, "Generator:", 0, NULL, 0, 0 },
	{ "in-flight-cap", 0, OPTION_U64, "N", "At most N submitted and not completed, at least 1; others wait in the generator's backlog",
	  AT(config.in_flight_cap), NULL, 1, 0 },
	{ "stall", 0, OPTION_DURATION, "TIME", "The generator submits nothing for TIME",
	  AT(config.stall_ns), NULL, 0, MODEL_TIME_MAX_NS },
	{ "stall-at", 0, OPTION_DURATION, "TIME", "When the stall begins (default 0)",
	  AT(config.stall_at_ns), NULL, 0, MODEL_TIME_MAX_NS },
	{ NULL, 0, OPTION_HEADING, NULL, "Server (one, first in first out):", 0, NULL, 0, 0 },
	{ "service", 0, OPTION_DURATION, "TIME", "Time a request takes there, at least 1ns (default 1ms)",
	  AT(config.service_ns), NULL, 1, MODEL_TIME_MAX_NS },
	{ "pause", 0, OPTION_DURATION, "TIME", "More for one request (default 100ms; 0: no pause)",
	  AT(config.pause.extra_ns), NULL, 0, MODEL_TIME_MAX_NS },
	{ "pause-at-request", 0, OPTION_U64, "K", "Which one, counted from 1 (default 1)",
	  AT(config.pause.at_request), NULL, 1, 0 },
	{ "pause-every", 0, OPTION_U64, "N", "And each N-th after it", AT(config.pause.every), NULL, 1, 0 },
	{ NULL, 0, OPTION_HEADING, NULL, "What to say:", 0, NULL, 0, 0 },
	{ "cutoff", 0, OPTION_DURATION, "TIME", "End the run at TIME: what completed by then and what did not, apart; drained figures beside",
	  AT(config.cutoff_ns), NULL, 1, MODEL_TIME_MAX_NS },
	{ "above", 0, OPTION_DURATION, "TIME", "Count responses longer than TIME (default 10ms)",
	  AT(above_ns), NULL, 0, 0 },
	{ "correct", 0, OPTION_DURATION, "TIME", "Closed: correct for coordinated omission as if one request were expected each TIME (default with both: the open interval; 0: no correction)",
	  AT(correct_ns), NULL, 0, 0 },
	{ "format", 'f', OPTION_CHOICE, "FORMAT", "text, json or csv, a row per request (default text)",
	  AT(format), format_names, 0, 0 },
	{ "output", 'o', OPTION_STRING, "FILE", "Write to FILE instead of stdout; it appears whole or not at all",
	  AT(output), NULL, 0, 0 },
	{ "publish", 0, OPTION_STRING, "DIR", "Write the data set: responses.csv, metadata.json, SHA256SUMS",
	  AT(publish), NULL, 0, 0 },
	{ "pool", 0, OPTION_FLAG, NULL, "Pool the responses in FILEs written with -f csv, instead of a run",
	  AT(pool), NULL, 0, 0 },
	{ 0 },
};

static int usage(struct why *why, const char *text)
{
	return why_set(why, -EINVAL, EXIT_USAGE, "%s", text);
}

/* The one place where a float comes in: to thousandths, then integers. */
static int take_rate(struct model_options *opt, struct why *why)
{
	const uint64_t thousand_seconds = 1000 * NS_PER_S;
	uint64_t thousandths;

	if (opt->interval_ns)
		return usage(why, "--rate and --interval: give one of them");
	if (opt->rate_per_s < 0.001 || opt->rate_per_s > 1e9)
		return usage(why, "--rate: must be between 0.001 and 1000m (one arrival each ns)");
	thousandths = (uint64_t)llround(opt->rate_per_s * 1000);
	opt->config.period_ns = thousand_seconds;
	opt->config.per_period = thousandths;
	if (thousand_seconds % thousandths == 0) {
		opt->config.period_ns = thousand_seconds / thousandths;
		opt->config.per_period = 1;
	}
	return 0;
}

static int take_correction(struct model_options *opt, struct why *why)
{
	if (opt->correct_ns == NOT_GIVEN) {
		opt->correct_ns = opt->arrival == ARRIVAL_BOTH
					  ? opt->config.period_ns / opt->config.per_period
					  : 0;
		return 0;
	}
	if (opt->correct_ns && opt->arrival == ARRIVAL_OPEN)
		return usage(why, "--correct: an open run omits nothing; it is for --arrival closed");
	return 0;
}

static int settle(struct model_options *opt, struct why *why)
{
	int err = 0;

	if (opt->rate_per_s > 0)
		err = take_rate(opt, why);
	else if (opt->interval_ns)
		opt->config.period_ns = opt->interval_ns;
	if (err)
		return err;
	if (!opt->config.runtime_ns && !opt->config.requests)
		opt->config.runtime_ns = 2 * NS_PER_S;
	if (opt->publish && (opt->output || opt->format != FORMAT_TEXT))
		return usage(why, "--publish writes its own files: leave out --output and --format");
	return take_correction(opt, why);
}

struct models {
	struct model_config configs[MODEL_RUNS_MAX];
	struct model_result results[MODEL_RUNS_MAX];
	struct model_correction correction;
	struct model_report report;
};

static int add_run(struct models *models, const struct model_options *opt,
		   enum model_arrival arrival, struct why *why)
{
	unsigned int i = models->report.run_count;
	struct model_run *run = &models->report.runs[i];
	int err;

	models->configs[i] = opt->config;
	models->configs[i].arrival = arrival;
	err = model_simulate(&models->configs[i], &models->results[i], why);
	if (err)
		return err;
	*run = (struct model_run){ .name = arrival == MODEL_OPEN ? "open" : "closed",
				   .config = &models->configs[i],
				   .result = &models->results[i] };
	models->report.run_count++;
	if (arrival == MODEL_OPEN || !opt->correct_ns)
		return 0;
	err = model_correct(&run->result->planned_to_completed, opt->correct_ns,
			    &models->correction, why);
	if (!err)
		run->correction = &models->correction;
	return err;
}

static int simulate(struct models *models, const struct model_options *opt, struct why *why)
{
	int err = 0;

	models->report.above_ns = opt->above_ns;
	models->report.started_realtime_ns = clock_ns(CLOCK_REALTIME);
	if (opt->arrival != ARRIVAL_CLOSED)
		err = add_run(models, opt, MODEL_OPEN, why);
	if (!err && opt->arrival != ARRIVAL_OPEN)
		err = add_run(models, opt, MODEL_CLOSED, why);
	return err;
}

static void models_free(struct models *models)
{
	for (unsigned int i = 0; i < models->report.run_count; i++)
		model_result_free(&models->results[i]);
	model_correction_free(&models->correction);
}

static int print_models(const struct model_report *report, int format, FILE *out)
{
	if (format == FORMAT_JSON)
		return model_json(report, out);
	if (format == FORMAT_CSV)
		model_csv(report, true, out);
	else
		model_text(report, out);
	return 0;
}

static int write_models(const struct models *models, const struct model_options *opt,
			struct why *why)
{
	struct output output;
	int err;

	if (opt->publish)
		return model_publish(&models->report, opt->publish, why);
	err = output_open(&output, opt->output, why);
	if (err)
		return err;
	err = print_models(&models->report, opt->format, output.stream);
	if (!err)
		return output_finish(&output, why);
	output_discard(&output);
	return why_set(why, err, EXIT_FAILED, "model: %s", why_text(err));
}

static int run_models(const struct model_options *opt, struct why *why)
{
	struct models models = { 0 };
	int status = EXIT_DONE, err = simulate(&models, opt, why);

	if (!err)
		err = write_models(&models, opt, why);
	for (unsigned int i = 0; i < models.report.run_count; i++)
		if (!models.results[i].sustained)
			status = EXIT_NOT_SUSTAINED;
	models_free(&models);
	return err ? err : status;
}

static int write_pool(struct pool *pool, const struct model_options *opt, struct why *why)
{
	struct output output;
	int err = output_open(&output, opt->output, why);

	if (err)
		return err;
	if (opt->format == FORMAT_JSON)
		err = pool_json(pool, output.stream);
	else
		pool_text(pool, output.stream);
	if (!err)
		return output_finish(&output, why);
	output_discard(&output);
	return why_set(why, err, EXIT_FAILED, "pool: %s", why_text(err));
}

static int run_pool(const struct model_options *opt, const struct positional *files,
		    struct why *why)
{
	struct pool pool;
	int err;

	if (!files->count)
		return usage(why, "--pool: name the files, as written with -f csv");
	if (opt->format == FORMAT_CSV || opt->publish)
		return usage(why, "--pool prints text or json: leave out -f csv and --publish");
	err = pool_read(files->words, (unsigned int)files->count, &pool, why);
	if (err)
		return err;
	err = write_pool(&pool, opt, why);
	pool_free(&pool);
	return err;
}

static int act(struct model_options *opt, const struct positional *files, struct why *why)
{
	int err = settle(opt, why);

	if (err)
		return err;
	if (opt->pool)
		return run_pool(opt, files, why);
	if (files->count)
		return why_set(why, -EINVAL, EXIT_USAGE, "%s: files are for --pool", files->words[0]);
	return run_models(opt, why);
}

static int run(const struct command_spec *spec, int argc, char **argv, struct why *why)
{
	struct model_options opt = { .config = model_defaults(),
				     .correct_ns = NOT_GIVEN,
				     .above_ns = 10 * NS_PER_MS };
	struct positional files;
	int status;

	opt.config.runtime_ns = 0;
	options_parse(spec, argc, argv, &opt, &files);
	status = act(&opt, &files, why);
	return status;
}

static const char description[] =
	"Simulates one first-in-first-out server, exactly, in integer nanoseconds, and "
	"prints what an open and a closed generator would have measured of it. With no "
	"options: the reference pair, in which the first request takes 100 ms longer. "
	"Needs no privilege. Exit status 5: the offered rate was not sustained.\n"
	"\n"
	"Examples:\n"
	"  iostrata model\n"
	"  iostrata model --arrival open --interval 0.8ms --pause 0 --cutoff 2s\n"
	"  iostrata model --arrival open --pause 0 --stall 100ms --in-flight-cap 1\n"
	"  iostrata model --arrival closed --correct 10ms -f json\n"
	"  iostrata model --publish dataset\n"
	"  iostrata model --arrival open -f csv -o a.csv\n"
	"  iostrata model --arrival open --service 2ms -f csv -o b.csv\n"
	"  iostrata model --pool a.csv b.csv\n";

const struct command_spec cmd_model = {
	.name = "model",
	.summary = "simulate a queue exactly: open and closed arrivals, pauses, overload",
	.args = "[--pool FILE...]",
	.description = description,
	.options = options,
	.args_min = 0,
	.args_max = -1,
	.run = run,
};
