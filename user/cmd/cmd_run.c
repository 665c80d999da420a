// SPDX-License-Identifier: GPL-2.0-only
// `iostrata run`: in: a target and a load. Out: each I/O's whole life, by
// layer, with both clocks checked against each other.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/output.h"
#include "cmd/commands.h"
#include "cmd/load_options.h"
#include "cmd/run_report.h"
#include "cmd/tool.h"

struct config {
	struct load_config load;
	int format, flavour;
	const char *output, *io_log, *btf;
	bool ab, overhead, histograms;
};

#define AT(field) offsetof(struct config, field)

static const struct option_spec options[] = {
	LOAD_OPTION_ROWS(struct config, load),
	{ .type = OPTION_HEADING, .help = "What to say:" },
	{ "format", 'f', OPTION_CHOICE, "FORMAT", "text or json (default text)", AT(format),
	  report_format_names },
	{ "output", 'o', OPTION_STRING, "FILE",
	  "Write the report to FILE instead of stdout; it appears whole or not at all", AT(output) },
	{ "histograms", 'H', OPTION_FLAG, NULL, "Show the device's log2 histograms too",
	  AT(histograms) },
	{ "io-log", 0, OPTION_STRING, "FILE",
	  "Each finished I/O with all its stamps as a line of CSV, written after the run", AT(io_log) },
	{ "overhead", 0, OPTION_FLAG, NULL,
	  "Measure the tracer's own cost (BPF statistics, which cost some ns themselves)",
	  AT(overhead) },
	{ "programs", 0, OPTION_CHOICE, "KIND",
	  "any (default): typed (tp_btf), or raw (raw_tp) where this kernel refuses those; or one of them",
	  AT(flavour), flavour_names },
	{ "btf", 0, OPTION_STRING, "FILE", BTF_OPTION_HELP, AT(btf) },
	{ "ab", 0, OPTION_FLAG, NULL,
	  "Repeat the load without the tracer and show the difference: the probe effect", AT(ab) },
	{ 0 },
};

struct running {
	struct config config;
	struct run_outcome outcome;
	struct run_rows rows;
	struct report report;
	struct load_result untraced;
	struct op_names names;
	struct output output;
	bool shown; /* the output is finished, or failed to be */
};

static int measure(struct running *running, struct why *why)
{
	const struct config *config = &running->config;
	struct run_wish wish = { &config->load, config->io_log != NULL, config->overhead,
				 config->flavour, config->btf };
	int err = run_measure(&wish, &running->outcome, why);

	if (!err && config->ab && !running->outcome.load.interrupted) {
		err = run_measure_untraced(&config->load, &running->untraced, why);
		running->report.without_tracer = &running->untraced;
	}
	return err;
}

static int report(struct running *running, struct why *why)
{
	const struct config *config = &running->config;
	int err;

	op_names_read(&running->names, running->config.btf);
	run_report_fill(&running->report, &running->rows, &config->load, &running->outcome,
			&running->names);
	err = show_report(&running->report, config->format, config->histograms,
			  running->output.stream, why);
	if (err)
		return err;
	running->shown = true;
	err = output_finish(&running->output, why);
	if (!err && config->io_log)
		err = io_log_write(running->outcome.io_log, config->io_log, why);
	if (err)
		return err;
	if (running->outcome.load.sustained && !run_has_lost(&running->report) &&
	    (!config->io_log || !io_log_lost(running->outcome.io_log)))
		return EXIT_DONE;
	return EXIT_NOT_SUSTAINED;
}

static int act(struct running *running, struct why *why)
{
	int err = output_open(&running->output, running->config.output, why);

	if (err)
		return err;
	err = measure(running, why);
	if (!err)
		err = report(running, why);
	if (err < 0 && !running->shown)
		output_discard(&running->output);
	return err;
}

static int run(const struct command_spec *spec, int argc, char **argv, struct why *why)
{
	struct running *running = calloc(1, sizeof(*running));
	struct positional target;
	int status;

	if (!running)
		return why_set(why, -ENOMEM, EXIT_FAILED, "out of memory");
	running->config.load = load_defaults();
	options_parse(spec, argc, argv, &running->config, &target);
	running->config.load.target = target.words[0];
	command_line(running->report.command_line, sizeof(running->report.command_line));
	status = act(running, why);
	run_outcome_free(&running->outcome);
	load_result_free(&running->untraced);
	free(running);
	return status;
}

const struct command_spec cmd_run = {
	.name = "run",
	.summary = "load and tracer together: each I/O's whole life, attributed to layers",
	.args = "TARGET",
	.description =
		"Runs a load against TARGET, a block device or a file, as `iostrata load` does, and "
		"follows each of its I/Os through the kernel: how long it was in each layer from its "
		"planned arrival to the application's hands. The layers of every I/O sum to its total. "
		"Exit status 5: the load was not sustained or something measured was lost; the report "
		"says which.\n\n"
		"Examples:\n"
		"  iostrata run --rate 100 --runtime 2s /dev/vdb\n"
		"  iostrata run --arrival closed --clients 8 --requests 5000 --ab /dev/vdb\n"
		"  iostrata run --rate 2k --runtime 5s -f json -o r.json --io-log i.csv /dev/vdb",
	.options = options,
	.args_min = 1,
	.args_max = 1,
	.run = run,
};
