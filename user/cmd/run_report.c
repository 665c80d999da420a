// SPDX-License-Identifier: GPL-2.0-only
// In: what both clocks saw. Out: the report: layers, verdict, depth, notes.
#include "cmd/run_report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd/run_checks.h"
#include "cmd/run_stack.h"
#include "cmd/tool.h"
#include "report/format.h"

static void note(struct report *report, struct run_rows *rows, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void note(struct report *report, struct run_rows *rows, const char *format, ...)
{
	char *text = rows->notes[report->note_count];
	va_list args;

	if (report->note_count == RUN_NOTES)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(rows->notes[0]), format, args);
	va_end(args);
	report->notes[report->note_count++] = text;
}

static void fill_notes(struct report *report, struct run_rows *rows,
		       const struct load_config *config, struct run_outcome *outcome)
{
	const struct attribution_counts *counts = &outcome->attribution.counts;

	if (counts->split)
		note(report, rows, "%" PRIu64 " I/Os were split; all I/Os together became %" PRIu64
		     " bios. Layers are those of the bio that finished last.",
		     counts->split, counts->children);
	if (counts->merged)
		note(report, rows, "%" PRIu64 " I/Os were merged into another's request and have no "
		     "`allocated` of their own.", counts->merged);
	if (counts->punted)
		note(report, rows, "%" PRIu64 " I/Os were refused in io_uring's non-blocking try and "
		     "handed to a worker thread.", counts->punted);
	if (counts->read_ahead)
		note(report, rows, "%" PRIu64 " I/Os started read-ahead that they did not wait for: it is "
		     "in none of their layers.", counts->read_ahead);
	if (counts->end_unseen)
		note(report, rows, "%" PRIu64 " completion(s) were withheld by this kernel; the device "
		     "time folds into `device+return`.", counts->end_unseen);
	if (outcome->on_file && config->sync == LOAD_SYNC_DSYNC)
		note(report, rows, "The file system ends a synchronous write by threads of its own: their "
		     "journal writes and flushes, and the wait for them, are in `return`.");
	if (!outcome->load.buffers_registered)
		note(report, rows, "Buffers could not be registered with io_uring (RLIMIT_MEMLOCK; raise "
		     "ulimit -l): each I/O pins its own.");
	if (counts->bio_based)
		note(report, rows, "%s makes no requests (it is bio-based): only `queued` and `completed` "
		     "are seen; the depth is that of bios.", outcome->device.name);
	else if (!outcome->counts[IOSTRATA_RUN_BIOS_OURS])
		note(report, rows, "No I/O of this load reached %s: page cache, or a hole in a file.",
		     outcome->device.name);
}

static void fill_parts(struct report_layer *layer, struct attribution *attribution)
{
	struct attribution_part part[TAG_PARTS];

	_Static_assert((int)TAG_PARTS == (int)REPORT_PARTS, "room for all");
	layer->part_count = attribution_tag_parts(attribution, part);
	for (unsigned int i = 0; i < layer->part_count; i++)
		layer->parts[i] = (struct report_part){ part[i].name, part[i].dist, part[i].share,
							part[i].tail_share };
}

/* What is folded here, though another kernel would show it. */
static void note_folds(struct report *report, struct run_rows *rows,
		       const struct run_outcome *outcome)
{
	if (!outcome->ways[RUN_HOOK_BIO])
		note(report, rows, "`bio` is not seen (neither fentry nor kprobe on submit_bio_noacct): "
		     "throttle is in fs+throttle or punt+throttle.");
	if (!outcome->attribution.has_tag_parts)
		note(report, rows, "What `tag` consisted of is not seen (rq_qos, freeze, tag wait): "
		     "`iostrata check` says why.");
	else if (!outcome->ways[RUN_HOOK_FREEZE])
		note(report, rows, "A frozen queue is in the rest of `tag` (no __bio_queue_enter here).");
}

static void fill_hooks(struct report *report, struct run_rows *rows,
		       const struct run_outcome *outcome)
{
	for (int i = 0; i < RUN_HOOK_COUNT; i++)
		rows->hooks[i] = (struct report_hook){ run_hook_function((enum run_hook)i),
						       run_way_name(outcome->ways[i]) };
	report->hooks = rows->hooks;
	report->hook_count = RUN_HOOK_COUNT;
	note_folds(report, rows, outcome);
}

static void fill_layers(struct report *report, struct run_rows *rows, struct run_outcome *outcome)
{
	struct attribution_share share[ATTRIBUTION_ROWS];
	struct attribution_tail tail = attribution_tail(&outcome->attribution);
	unsigned int count = attribution_shares(&outcome->attribution, share);

	for (unsigned int i = 0; i < count; i++) {
		struct report_layer *layer = &rows->layers[i];

		memcpy(layer->layer, share[i].layer, sizeof(layer->layer));
		snprintf(layer->from, sizeof(layer->from), "%s", share[i].from);
		snprintf(layer->to, sizeof(layer->to), "%s", share[i].to);
		layer->dist = share[i].dist;
		layer->share = share[i].share;
		layer->tail_share = share[i].tail_share;
		if (attribution_is_tag(&share[i]))
			fill_parts(layer, &outcome->attribution);
	}
	report->layers = rows->layers;
	report->layer_count = count;
	report->attributed = outcome->attribution.counts.whole;
	report->tail_count = tail.count;
	report->tail_from_ns = tail.from_ns;
}

static const struct report_layer *worst(const struct report *report)
{
	const struct report_layer *most = NULL;

	for (unsigned int i = 0; i < report->layer_count; i++)
		if (!most || report->layers[i].tail_share > most->tail_share)
			most = &report->layers[i];
	return most;
}

/* The slowest 1 % go by whole buckets: where many I/Os are alike they are more. */
static unsigned int tail_percent(const struct attribution_tail *tail, uint64_t ios)
{
	unsigned int percent = (unsigned int)((100 * tail->count + ios / 2) / ios);

	return tail->count > 1 && percent > 1 ? percent : 1;
}

/* The part that made more than half of the layer's tail; "" if none did. */
static const char *most_part(const struct report_layer *layer)
{
	for (unsigned int i = 0; i < layer->part_count; i++)
		if (layer->parts[i].tail_share > layer->tail_share / 2)
			return layer->parts[i].name;
	return "";
}

static void fill_verdict(struct report *report, struct run_outcome *outcome)
{
	struct attribution_tail tail = attribution_tail(&outcome->attribution);
	const struct report_layer *layer = worst(report);
	uint64_t p99_ns = dist_quantile(&outcome->load.planned_to_reaped, 9900);
	char span[64] = "", depth[32] = "", limit[128] = "";

	if (!tail.count || !layer)
		return;
	if (layer->from[0])
		snprintf(span, sizeof(span), " (%s to %s%s%s)", layer->from, layer->to,
			 *most_part(layer) ? "; mostly " : "", most_part(layer));
	if (tail.depth_mean > 0)
		snprintf(depth, sizeof(depth), " at depth %.1f", tail.depth_mean);
	if (!outcome->load.sustained)
		snprintf(limit, sizeof(limit), "; NOT SUSTAINED: limit %s",
			 load_limit_names[outcome->load.limit]);
	snprintf(report->verdict_layer, sizeof(report->verdict_layer), "%s", layer->layer);
	snprintf(report->verdict_text, sizeof(report->verdict_text),
		 "%.0f %% of the slowest %u %%: %s%s; p99 %s%s%s", 100 * layer->tail_share,
		 tail_percent(&tail, outcome->attribution.total.hist.count), layer->layer, span,
		 format_duration(p99_ns, false).text, depth, limit);
}

/* Waiting is known exactly for our own bios, by both its ends. */
static void fill_depth(struct run_rows *rows, const struct run_outcome *outcome)
{
	struct report_depth *depth = &rows->trace.devices[0].depth;

	if (!rows->trace.device_count || !outcome->traced_ns ||
	    !outcome->counts[IOSTRATA_RUN_REQUESTS_OURS])
		return;
	depth->waiting_mean = (double)outcome->depths.waiting_ns / (double)outcome->traced_ns;
	depth->waiting_max = outcome->depths.waiting_max;
}

static void fill_overhead(struct report *report, struct run_rows *rows,
			  const struct run_outcome *outcome)
{
	uint64_t sum_ns = 0, ios = outcome->load.counts.submitted;

	for (unsigned int i = 0; i < outcome->program_count; i++) {
		struct report_program *program = &rows->programs[i];

		snprintf(program->name, sizeof(program->name), "%.31s", outcome->programs[i].name);
		program->runs = outcome->programs[i].runs;
		program->ns = outcome->programs[i].ns;
		sum_ns += program->ns;
	}
	/* Another tool may have statistics on: that is no figure of this run's. */
	if (!outcome->overhead || !sum_ns || !ios)
		return;
	rows->overhead = (struct report_overhead){
		.programs = rows->programs,
		.program_count = outcome->program_count,
		.ios = ios,
		.ns_per_io = (double)sum_ns / (double)ios,
		.cpu_share = outcome->traced_ns ? (double)sum_ns / (double)outcome->traced_ns : -1,
	};
	report->overhead = &rows->overhead;
}

static void fill_head(struct report *report, const struct load_config *config,
		      struct run_outcome *outcome)
{
	report->tool = tool_here();
	report->tool.trace_programs = flavour_name(outcome->trace_flavour);
	report->tool.run_programs = flavour_name(outcome->run_flavour);
	report->command = "run";
	report->target = config->target;
	report->started_realtime_ns = outcome->load.started_realtime_ns;
	report->duration_ns = outcome->load.duration_ns;
	report->interrupted = outcome->load.interrupted;
	report->load_config = config;
	report->load_result = &outcome->load;
	report->device_state = &outcome->device;
}

void run_report_fill(struct report *report, struct run_rows *rows,
		     const struct load_config *config, struct run_outcome *outcome,
		     const struct op_names *names)
{
	*rows = (struct run_rows){ 0 };
	fill_head(report, config, outcome);
	trace_rows_fill(&rows->trace, &outcome->requests, NULL, outcome->traced_ns, names);
	if (nvme_rows_fill(&outcome->nvme, &outcome->requests.nvme, &rows->trace))
		note(report, rows, "Out of memory: what is told of NVMe is not all.");
	trace_rows_report(&rows->trace, report);
	run_stack_rows(rows, report, outcome);
	fill_depth(rows, outcome);
	fill_layers(report, rows, outcome);
	fill_verdict(report, outcome);
	run_checks_fill(report, rows, outcome);
	fill_overhead(report, rows, outcome);
	fill_notes(report, rows, config, outcome);
	fill_hooks(report, rows, outcome);
}

static bool any_abnormal(const struct report_count *counts, unsigned int length)
{
	for (unsigned int i = 0; i < length; i++)
		if (counts[i].count && !counts[i].normal)
			return true;
	return false;
}

bool run_has_lost(const struct report *report)
{
	return any_abnormal(report->losses, report->loss_count) ||
	       any_abnormal(report->checks, report->check_count);
}
