// SPDX-License-Identifier: GPL-2.0-only
// In: a target and a load. Out: what the generator measured, as a report; exit
// status 5 when the offered load was not sustained.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "cmd/commands.h"
#include "cmd/load_options.h"
#include "cmd/tool.h"
#include "load/io_log.h"
#include "report/report.h"

struct load_options {
	struct load_config load;
	int format;
	const char *output, *io_log;
};

#define AT(field) offsetof(struct load_options, field)

static const struct option_spec options[] = {
	LOAD_OPTION_ROWS(struct load_options, load),
	{ NULL, 0, OPTION_HEADING, NULL, "What to say:", 0, NULL, 0, 0 },
	{ "format", 'f', OPTION_CHOICE, "FORMAT", "text or json (default text)", AT(format),
	  report_format_names, 0, 0 },
	{ "output", 'o', OPTION_STRING, "FILE", "Write the report to FILE instead of stdout; it appears whole or not at all",
	  AT(output), NULL, 0, 0 },
	{ "io-log", 0, OPTION_STRING, "FILE", "Each finished I/O as a line of CSV, written after the run; at most 4 million",
	  AT(io_log), NULL, 0, 0 },
	{ 0 },
};

struct measured {
	struct load_result result;
	struct device_state state;
	struct io_log *log;
	char log_note[160];
};

static void log_finished(void *context, const struct iostrata_record *record,
			 enum load_outcome outcome)
{
	io_log_add(context, record, outcome);
}

static int measure(const struct load_options *opt, struct measured *out, struct why *why)
{
	struct load_hooks hooks = { 0 };
	struct load *load;
	int err = 0;

	if (opt->io_log)
		err = load_config_check(&opt->load, why);
	if (!err && opt->io_log)
		err = io_log_open(&opt->load, false, why, &out->log);
	if (err)
		return err;
	if (out->log)
		hooks = (struct load_hooks){ .finished = log_finished, .context = out->log };
	err = load_open(&opt->load, &hooks, &out->result, why, &load);
	if (err)
		return err;
	/* Unknown fields are shown as unknown. */
	(void)device_state_read(opt->load.target, &out->state);
	err = load_start(load, why);
	load_close(load);
	if (err)
		load_result_free(&out->result);
	return err;
}

static void fill_report(struct report *report, const struct load_options *opt,
			struct measured *measured)
{
	struct load_result *result = &measured->result;

	report->tool = report_tool_here();
	report->command = "load";
	report->target = opt->load.target;
	report->started_realtime_ns = result->started_realtime_ns;
	report->duration_ns = result->duration_ns;
	report->interrupted = result->interrupted;
	report->load_config = &opt->load;
	report->load_result = result;
	report->device_state = &measured->state;
	if (!result->buffers_registered)
		report->notes[report->note_count++] =
			"Buffers could not be registered with io_uring (RLIMIT_MEMLOCK; raise "
			"ulimit -l): each I/O pins its own, which costs some 100 ns.";
	if (measured->log && io_log_lost(measured->log)) {
		snprintf(measured->log_note, sizeof(measured->log_note),
			 "%s lacks %lu I/Os that found no room in its %llu MiB.", opt->io_log,
			 io_log_lost(measured->log), IO_LOG_MAX_BYTES >> 20);
		report->notes[report->note_count++] = measured->log_note;
	}
}

static int write_report(const struct report *report, const struct load_options *opt,
			struct output *output, struct why *why)
{
	int err = show_report(report, opt->format, false, output->stream, why);

	if (!err)
		return output_finish(output, why);
	output_discard(output);
	return err;
}

static int finish(const struct load_options *opt, struct report *report,
		  struct measured *measured, struct output *output, struct why *why)
{
	bool lost = measured->log && io_log_lost(measured->log);
	int err;

	fill_report(report, opt, measured);
	err = write_report(report, opt, output, why);
	if (!err && measured->log)
		err = io_log_write(measured->log, opt->io_log, why);
	if (err)
		return err;
	return measured->result.sustained && !lost ? EXIT_DONE : EXIT_NOT_SUSTAINED;
}

/* The output is opened first: a run whose report has no place is not begun. */
static int act(const struct load_options *opt, struct report *report, struct why *why)
{
	struct measured measured = { 0 };
	struct output output;
	int status = output_open(&output, opt->output, why);

	if (status)
		return status;
	status = measure(opt, &measured, why);
	if (status) {
		output_discard(&output);
	} else {
		status = finish(opt, report, &measured, &output, why);
		load_result_free(&measured.result);
	}
	io_log_close(measured.log);
	return status;
}

static int run(const struct command_spec *spec, int argc, char **argv, struct why *why)
{
	struct load_options opt = { .load = load_defaults() };
	struct report report = { 0 };
	struct positional target;
	int status;

	command_line(report.command_line, sizeof(report.command_line));
	options_parse(spec, argc, argv, &opt, &target);
	opt.load.target = target.words[0];
	status = act(&opt, &report, why);
	return status;
}

static const char description[] =
	"Asks I/Os of TARGET, a block device or a file, at planned times, and measures each "
	"from the time it was planned as well as from its submission. An open load never waits "
	"for a completion to submit the next. Reads only, unless --write is given. Writing is "
	"always refused to what is mounted, swapped on, held by another driver or backing a "
	"loop device; it takes --destroy-data TARGET to overwrite a signature, data or an "
	"existing file. Ctrl-C ends a run early with a report of what was done. Exit status 5: "
	"the offered load was not sustained; the report names the limit.\n"
	"\n"
	"Examples:\n"
	"  iostrata load --rate 100 --runtime 2s /dev/vdb\n"
	"  iostrata load --arrival poisson --rate 2k --runtime 30s --warmup 5s /dev/vdb\n"
	"  iostrata load --arrival closed --clients 16 --think 9ms --runtime 5s /dev/vdb\n"
	"  iostrata load --rate 2k --runtime 5s -o report.txt --io-log ios.csv /dev/vdb\n"
	"  iostrata load --rw randwrite --write --destroy-data /dev/vdb --rate 1k --runtime 5s /dev/vdb\n";

const struct command_spec cmd_load = {
	.name = "load",
	.summary = "open-loop I/O generator: latency from the planned arrival",
	.args = "TARGET",
	.description = description,
	.options = options,
	.args_min = 1,
	.args_max = 1,
	.run = run,
};
