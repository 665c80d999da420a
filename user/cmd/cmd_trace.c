// SPDX-License-Identifier: GPL-2.0-only
// `iostrata trace`: in: which devices, for how long. Out: queue and service
// time of everybody's requests, read-only.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/output.h"
#include "base/stop.h"
#include "cmd/commands.h"
#include "cmd/device_choice.h"
#include "cmd/nvme_rows.h"
#include "cmd/one_clock.h"
#include "cmd/tool.h"
#include "cmd/trace_rows.h"
#include "cmd/trace_wait.h"

enum { TABLE_SETS_MAX = 1 << 20 };

struct config {
	uint64_t interval_ns, windows, duration_ns, table_sets;
	int format, flavour;
	const char *output, *btf;
	bool histograms, overhead;
};

struct tracing {
	struct config config;
	struct trace_session *session;
	struct output output;
	struct text_style style;
	struct op_names names;
	struct trace_rows rows;
	struct nvme_rows nvme;
	struct trace_wait wait;
	struct trace_snapshot first, before, now, window;
	uint64_t started_ns, started_realtime_ns, printed;
	int stop_fd, statistics_fd;
	bool stopped, lost;
	char note[256]; /* on named devices that have nothing to trace */
	struct report_overhead overhead;
	struct report_program programs[SESSION_PROGRAMS_MAX];
};

static const struct option_spec options[] = {
	{ .type = OPTION_HEADING, .help = "When:" },
	{ "interval", 'i', OPTION_DURATION, "TIME", "Print a window each TIME (such as 1s)",
	  offsetof(struct config, interval_ns), .min = NS_PER_MS * 10, .max = NS_PER_S * 86400 },
	{ "count", 'n', OPTION_U64, "COUNT", "End after COUNT windows",
	  offsetof(struct config, windows), .min = 1 },
	{ "duration", 'd', OPTION_DURATION, "TIME", "End after TIME (default: at Ctrl-C)",
	  offsetof(struct config, duration_ns), .min = NS_PER_MS * 10, .max = NS_PER_S * 86400 * 366 },
	{ .type = OPTION_HEADING, .help = "What to show:" },
	{ "histograms", 'H', OPTION_FLAG, NULL, "Show the log2 histograms too",
	  offsetof(struct config, histograms) },
	{ "overhead", 0, OPTION_FLAG, NULL,
	  "Measure our own cost (the kernel's BPF statistics, on while we run)",
	  offsetof(struct config, overhead) },
	{ "format", 'f', OPTION_CHOICE, "FORMAT",
	  "text (default) or json; with -i one line of JSON for each window",
	  offsetof(struct config, format), report_format_names },
	{ "output", 'o', OPTION_STRING, "FILE", "Write to FILE instead of stdout",
	  offsetof(struct config, output) },
	{ .type = OPTION_HEADING, .help = "How:" },
	{ "programs", 0, OPTION_CHOICE, "KIND",
	  "any (default): typed (tp_btf), or raw (raw_tp) where this kernel refuses those; or one of them",
	  offsetof(struct config, flavour), flavour_names },
	{ "btf", 0, OPTION_STRING, "FILE", BTF_OPTION_HELP, offsetof(struct config, btf) },
	{ "table-sets", 0, OPTION_U64, "N",
	  "Room for N sets of 4 requests in flight, a power of two (default 16384); what finds no "
	  "room is counted as map_full",
	  offsetof(struct config, table_sets), .min = 1, .max = TABLE_SETS_MAX },
	{ 0 },
};

/* Whether the one at `count` is among those before it: named twice. */
static bool is_among(const uint32_t *devs, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (devs[i] == devs[count])
			return true;
	return false;
}

static void note_device(struct tracing *tracing, const char *word, uint32_t dev)
{
	if (!device_makes_requests(dev) && !nvme_trace_has_paths(&dev, 1))
		snprintf(tracing->note, sizeof(tracing->note),
			 "%.64s makes no requests (it is bio-based, like zram, md and most of dm): there is "
			 "nothing of it to trace; name the disks below it, or follow bios with `iostrata run`.",
			 word);
}

static int open_tracing(struct tracing *tracing, const struct positional *rest, struct why *why)
{
	uint32_t devs[IOSTRATA_DEVICES_MAX];
	struct trace_config config = { .devs = devs,
				       .flavour = (enum flavour)tracing->config.flavour,
				       .btf = tracing->config.btf,
				       .table_sets = (uint32_t)tracing->config.table_sets };
	int err = 0;

	if (rest->count > IOSTRATA_DEVICES_MAX)
		return why_set(why, -E2BIG, EXIT_USAGE, "at most %d devices can be named",
			       IOSTRATA_DEVICES_MAX);
	for (int i = 0; !err && i < (int)rest->count; i++) {
		err = device_choose(rest->words[i], &devs[config.dev_count], why);
		if (err || is_among(devs, config.dev_count))
			continue;
		note_device(tracing, rest->words[i], devs[config.dev_count]);
		config.dev_count++;
	}
	if (err)
		return err;
	config.insert_stamps = devices_lack_stamps(devs, config.dev_count);
	err = output_open(&tracing->output, tracing->config.output, why);
	if (err)
		return err;
	op_names_read(&tracing->names, tracing->config.btf);
	tracing->style = text_style_for(tracing->output.stream);
	tracing->style.histograms = tracing->config.histograms;
	tracing->statistics_fd = tracing->config.overhead ? session_statistics() : -1;
	return trace_session_open(&config, why, &tracing->session);
}

static uint64_t total_ns(struct tracing *tracing)
{
	struct session_program programs[SESSION_PROGRAMS_MAX];
	unsigned int count = trace_session_programs(tracing->session, programs, 0);
	uint64_t sum_ns = 0;

	for (unsigned int i = 0; i < count; i++) {
		snprintf(tracing->programs[i].name, sizeof(tracing->programs[i].name), "%.31s",
			 programs[i].name);
		tracing->programs[i].runs = programs[i].runs;
		tracing->programs[i].ns = programs[i].ns;
		sum_ns += programs[i].ns;
	}
	tracing->overhead.programs = tracing->programs;
	tracing->overhead.program_count = count;
	return sum_ns;
}

static void add_overhead(struct tracing *tracing, struct report *report)
{
	uint64_t sum_ns, ios = tracing->rows.completed;

	if (tracing->statistics_fd < 0)
		return;
	sum_ns = total_ns(tracing);
	tracing->overhead.ios = ios;
	tracing->overhead.ns_per_io = ios ? (double)sum_ns / (double)ios : -1;
	tracing->overhead.cpu_share = report->duration_ns
					      ? (double)sum_ns / (double)report->duration_ns
					      : -1;
	report->overhead = &tracing->overhead;
}

static int fill_report(struct tracing *tracing, const struct trace_snapshot *what,
		       const struct trace_snapshot *earlier, struct report *report, struct why *why)
{
	uint64_t from_ns = earlier ? earlier->taken_ns : tracing->started_ns;

	report->tool = tool_here();
	report->tool.trace_programs = flavour_name(trace_session_flavour(tracing->session));
	report->command = "trace";
	report->target = "";
	report->started_realtime_ns = tracing->started_realtime_ns + (from_ns - tracing->started_ns);
	report->duration_ns = what->taken_ns - from_ns;
	report->interrupted = tracing->stopped &&
			      (tracing->config.duration_ns || tracing->config.windows);
	command_line(report->command_line, sizeof(report->command_line));
	trace_rows_fill(&tracing->rows, what, earlier, report->duration_ns, &tracing->names);
	if (nvme_rows_fill(&tracing->nvme, &what->nvme, &tracing->rows))
		return why_set(why, -ENOMEM, EXIT_FAILED, "out of memory while reading the counts");
	trace_rows_report(&tracing->rows, report);
	trace_rows_verdict(&tracing->rows, report);
	if (tracing->note[0])
		report->notes[report->note_count++] = tracing->note;
	if (tracing->wait.note[0])
		report->notes[report->note_count++] = tracing->wait.note;
	tracing->lost |= tracing->rows.lost != 0 || tracing->rows.unseen != 0;
	return 0;
}

static int show(struct tracing *tracing, const struct report *report, struct why *why)
{
	FILE *out = tracing->output.stream;
	bool windowed = report->window != 0;
	int err = 0;

	if (tracing->config.format == REPORT_JSON)
		err = tracing->config.interval_ns ? report_json_line(report, out)
						  : report_json(report, out);
	else if (!windowed)
		report_text(report, &tracing->style, out);
	else {
		if (report->window % 20 == 1)
			report_text_window_head(&tracing->style, out);
		report_text_window(report, &tracing->style, out);
	}
	if (err)
		return why_set(why, err, EXIT_FAILED, "cannot make the report: %s", why_text(err));
	if (fflush(out))
		return why_set(why, -errno, EXIT_FAILED, "%s: %s",
			       tracing->config.output ? tracing->config.output : "stdout",
			       why_text(errno));
	return 0;
}

static int read_now(struct tracing *tracing, struct why *why)
{
	int err = trace_session_read(tracing->session, &tracing->now);

	return err ? why_set(why, err, EXIT_FAILED, "out of memory while reading the counts") : 0;
}

static int show_window(struct tracing *tracing, struct why *why)
{
	struct trace_snapshot swap = tracing->before;
	struct report report = { .window = tracing->printed + 1 };
	int err = read_now(tracing, why);

	if (!err && trace_snapshot_window(&tracing->window, &tracing->now, &tracing->before))
		err = why_set(why, -ENOMEM, EXIT_FAILED, "out of memory while reading the counts");
	if (err)
		return err;
	err = fill_report(tracing, &tracing->window, &tracing->before, &report, why);
	if (!err)
		err = show(tracing, &report, why);
	tracing->before = tracing->now;
	tracing->now = swap;
	tracing->printed++;
	return err;
}

/* They add up to the whole: the first begins when counting does, with nothing
 * counted, and the last ends when it does, though it may be a short one.
 */
static int watch_windows(struct tracing *tracing, uint64_t end_ns, struct why *why)
{
	const struct config *config = &tracing->config;
	bool last = false;
	int err = 0;

	tracing->before.taken_ns = tracing->started_ns;
	while (!last && !err) {
		uint64_t next_ns = tracing->started_ns +
				   (tracing->printed + 1) * config->interval_ns;

		last = next_ns >= end_ns || tracing->printed + 1 == config->windows;
		tracing->stopped = trace_wait(&tracing->wait, next_ns < end_ns ? next_ns : end_ns);
		last |= tracing->stopped;
		if (last)
			trace_session_stop(tracing->session);
		err = show_window(tracing, why);
	}
	return err;
}

/* In text the windows' rows are followed by the whole; JSON lines are windows
 * only, which add up to it.
 */
static int show_whole(struct tracing *tracing, struct why *why)
{
	struct report_count checks[3] = { { .name = "unaccounted",
					    .meaning = "started - completed - in flight - lost" } };
	struct report report = { 0 };
	int err;

	trace_session_stop(tracing->session);
	if (tracing->config.interval_ns && tracing->config.format == REPORT_JSON)
		return 0;
	err = read_now(tracing, why);
	if (err)
		return err;
	err = fill_report(tracing, &tracing->now, NULL, &report, why);
	if (err)
		return err;
	checks[0].count = tracing->rows.unaccounted;
	report.checks = checks;
	report.check_count = 1;
	for (unsigned int i = 0; i < tracing->nvme.check_count; i++)
		checks[report.check_count++] = tracing->nvme.checks[i];
	add_overhead(tracing, &report);
	return show(tracing, &report, why);
}

static int watch(struct tracing *tracing, struct why *why)
{
	uint64_t end_ns = UINT64_MAX;
	int err = 0;

	tracing->started_ns = clock_monotonic_ns();
	tracing->started_realtime_ns = clock_ns(CLOCK_REALTIME);
	trace_session_start(tracing->session);
	tracing->wait = (struct trace_wait){ .session = tracing->session,
					     .stop_fd = tracing->stop_fd,
					     .started_ns = tracing->started_ns };
	if (tracing->config.duration_ns)
		end_ns = tracing->started_ns + tracing->config.duration_ns;
	if (tracing->config.interval_ns)
		err = watch_windows(tracing, end_ns, why);
	else
		tracing->stopped = trace_wait(&tracing->wait, end_ns);
	return err ? err : show_whole(tracing, why);
}

static int trace(struct tracing *tracing, const struct positional *rest, struct why *why)
{
	int err;

	if (tracing->config.windows && !tracing->config.interval_ns)
		return why_set(why, -EINVAL, EXIT_USAGE, "--count counts windows: give --interval too");
	if (tracing->config.table_sets & (tracing->config.table_sets - 1))
		return why_set(why, -EINVAL, EXIT_USAGE,
			       "--table-sets %llu: must be a power of two, such as 16384",
			       (unsigned long long)tracing->config.table_sets);
	err = one_clock_check(why);
	if (err)
		return err;
	tracing->stop_fd = stop_open(why);
	if (tracing->stop_fd < 0)
		return tracing->stop_fd;
	err = open_tracing(tracing, rest, why);
	if (!err)
		err = trace_session_drop_privilege(tracing->session, why);
	if (!err)
		err = watch(tracing, why);
	return err ? err : output_finish(&tracing->output, why);
}

static void close_tracing(struct tracing *tracing, bool failed)
{
	trace_session_close(tracing->session);
	nvme_rows_free(&tracing->nvme);
	trace_snapshot_free(&tracing->before);
	trace_snapshot_free(&tracing->now);
	trace_snapshot_free(&tracing->window);
	if (failed)
		output_discard(&tracing->output);
	if (tracing->statistics_fd >= 0)
		close(tracing->statistics_fd);
	if (tracing->stop_fd >= 0)
		close(tracing->stop_fd);
}

static int run(const struct command_spec *spec, int argc, char **argv, struct why *why)
{
	struct tracing *tracing = calloc(1, sizeof(*tracing));
	struct positional rest;
	int status;

	if (!tracing)
		return why_set(why, -ENOMEM, EXIT_FAILED, "out of memory");
	tracing->statistics_fd = tracing->stop_fd = -1;
	options_parse(spec, argc, argv, &tracing->config, &rest);
	status = trace(tracing, &rest, why);
	if (!status && tracing->lost)
		status = EXIT_NOT_SUSTAINED;
	close_tracing(tracing, status < 0);
	free(tracing);
	return status;
}

const struct command_spec cmd_trace = {
	.name = "trace",
	.summary = "attach read-only: queue and service time of everybody's requests",
	.args = "[DEVICE...]",
	.description =
		"DEVICE is a disk such as vda or /dev/loop0; without one all are traced. "
		"Nothing is opened or written, capabilities are dropped after attaching, "
		"and the programs are gone when the command ends.\n\n"
		"Examples:\n"
		"  iostrata trace -d 10s\n"
		"  iostrata trace -i 1s -n 5 vda\n"
		"  iostrata trace -d 5s -H -f json -o trace.json",
	.options = options,
	.args_max = -1,
	.run = run,
};
