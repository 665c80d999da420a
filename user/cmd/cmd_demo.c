// SPDX-License-Identifier: GPL-2.0-only
// `iostrata demo`: in: nothing. Out: one device with a pause, asked open and
// closed, as the model says and as the kernel shows. Leaves nothing behind.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/output.h"
#include "cmd/commands.h"
#include "cmd/run_report.h"
#include "cmd/tool.h"
#include "model/simulate.h"
#include "report/demo_text.h"
#include "target/target.h"

struct config {
	int format;
	const char *output;
};

enum { SIDES = 2, OPEN = 0, CLOSED = 1 };

struct side {
	struct load_config load;
	struct model_result model;
	struct run_outcome outcome;
	struct run_rows rows;
	struct report report;
};

struct demo {
	struct config config;
	struct side side[SIDES];
	struct op_names names;
	struct output output;
};

static const struct option_spec options[] = {
	{ "format", 'f', OPTION_CHOICE, "FORMAT",
	  "text (default), or json: a line for the open run and one for the closed",
	  offsetof(struct config, format), report_format_names },
	{ "output", 'o', OPTION_STRING, "FILE", "Write to FILE instead of stdout",
	  offsetof(struct config, output) },
	{ 0 },
};

static const uint64_t runtime_ns = 2 * NS_PER_S, pause_ns = 100 * NS_PER_MS;
static const uint64_t slow_ns = 10 * NS_PER_MS;

static struct load_config load_of(int side, const char *device)
{
	struct load_config load = load_defaults();

	load.target = device;
	load.runtime_ns = runtime_ns;
	if (side == OPEN) {
		load.arrival = LOAD_CONSTANT;
		load.rate_per_s = 100;
	} else {
		load.arrival = LOAD_CLOSED;
		load.clients = 1;
		load.think_ns = 9 * NS_PER_MS;
	}
	return load;
}

static int simulate(struct side *side, int which, struct why *why)
{
	/* Its defaults are this very case. */
	struct model_config config = model_defaults();

	config.arrival = which == OPEN ? MODEL_OPEN : MODEL_CLOSED;
	return model_simulate(&config, &side->model, why);
}

static int measure(struct demo *demo, int which, const char *device, struct why *why)
{
	struct side *side = &demo->side[which];
	struct run_wish wish = { .load = &side->load };
	int err = simulate(side, which, why);

	if (err)
		return err;
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "%s run on %s, 2 s...\n", which == OPEN ? "open" : "closed", device);
	side->load = load_of(which, device);
	err = run_measure(&wish, &side->outcome, why);
	if (err)
		return err;
	if (side->outcome.load.interrupted)
		return why_set(why, -EINTR, EXIT_FAILED, "interrupted; the demo needs both its runs");
	command_line(side->report.command_line, sizeof(side->report.command_line));
	run_report_fill(&side->report, &side->rows, &side->load, &side->outcome, &demo->names);
	side->report.command = "demo";
	return 0;
}

static int measure_both(struct demo *demo, struct why *why)
{
	struct target_config config = target_defaults();
	struct target *target;
	int err, stopped;

	config.pause_ns = pause_ns;
	config.pause_at_request = 1;
	err = target_start(&config, &target, why);
	if (err)
		return err;
	err = measure(demo, OPEN, target_device(target), why);
	if (!err)
		err = measure(demo, CLOSED, target_device(target), why);
	/* The reports name the device after it is gone. */
	for (int i = 0; i < SIDES; i++)
		demo->side[i].load.target = demo->side[i].report.target = "a disposable target";
	stopped = target_stop(target, why);
	return err ? err : stopped < 0 ? stopped : 0;
}

static int show(struct demo *demo)
{
	struct demo_side open = { "open", "one arrival each 10 ms for 2 s, whatever happens",
				  &demo->side[OPEN].model.planned_to_completed,
				  &demo->side[OPEN].report };
	struct demo_side closed = { "closed", "one client: ask, wait for the answer, think 9 ms, ask again",
				    &demo->side[CLOSED].model.planned_to_completed,
				    &demo->side[CLOSED].report };
	FILE *out = demo->output.stream;
	struct text_style style;

	if (demo->config.format == REPORT_JSON)
		return report_json_line(&demo->side[OPEN].report, out) ||
				       report_json_line(&demo->side[CLOSED].report, out)
			       ? -ENOMEM
			       : 0;
	style = text_style_for(out);
	demo_text(&open, &closed, slow_ns, &style, out);
	return 0;
}

static int act(struct demo *demo, struct why *why)
{
	int err = output_open(&demo->output, demo->config.output, why);

	if (err)
		return err;
	op_names_read(&demo->names, NULL);
	err = measure_both(demo, why);
	if (!err && show(demo))
		err = why_set(why, -ENOMEM, EXIT_FAILED, "out of memory");
	if (err) {
		output_discard(&demo->output);
		return err;
	}
	err = output_finish(&demo->output, why);
	if (err)
		return err;
	for (int i = 0; i < SIDES; i++)
		if (!demo->side[i].outcome.load.sustained || run_has_lost(&demo->side[i].report))
			return EXIT_NOT_SUSTAINED;
	return EXIT_DONE;
}

static int run(const struct command_spec *spec, int argc, char **argv, struct why *why)
{
	struct demo *demo = calloc(1, sizeof(*demo));
	struct positional rest;
	int status;

	if (!demo)
		return why_set(why, -ENOMEM, EXIT_FAILED, "out of memory");
	options_parse(spec, argc, argv, &demo->config, &rest);
	status = act(demo, why);
	for (int i = 0; i < SIDES; i++) {
		model_result_free(&demo->side[i].model);
		run_outcome_free(&demo->side[i].outcome);
	}
	free(demo);
	return status;
}

const struct command_spec cmd_demo = {
	.name = "demo",
	.summary = "the whole tool in one screen, on a device it makes and removes",
	.args = "",
	.description =
		"Makes a disposable block device that serves one request in 1 ms and pauses once for "
		"100 ms, asks it open (100 arrivals/s) and closed (one client, 9 ms think time), traces "
		"both, and shows model and measurement side by side and the layer in which the time "
		"was. Takes some 5 s, needs root, leaves nothing behind.\n\n"
		"Examples:\n"
		"  iostrata demo\n"
		"  iostrata demo -f json -o demo.jsonl",
	.options = options,
	.run = run,
};
