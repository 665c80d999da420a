// SPDX-License-Identifier: GPL-2.0-only
// In: counts from the generator, the run programs and the trace programs. Out:
// where they disagree, and each loss by reason.
#include "cmd/run_checks.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t excess(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void add(struct report_count *list, unsigned int *length, struct report_count count)
{
	list[(*length)++] = count;
}

static void fill_checks(struct report *report, struct run_rows *rows,
			const struct run_outcome *outcome)
{
	const struct attribution_counts *attributed = &outcome->attribution.counts;
	const struct load_counts *load = &outcome->load.counts;
	const uint64_t *kernel = outcome->counts;
	unsigned int n = 0;

	attribution_violations(attributed, rows->violations, sizeof(rows->violations));
	add(rows->checks, &n, (struct report_count){ "order_violations", attributed->order_violations,
		rows->violations[0] ? rows->violations : "boundaries out of order by 1 us or more",
		false });
	add(rows->checks, &n, (struct report_count){ "clock_jitter", attributed->clock_jitter,
		"I/Os whose clocks stepped back by less than 1 us; clamped", true });
	add(rows->checks, &n, (struct report_count){ "stage_sum_mismatch", attributed->stage_sum_mismatch,
		"I/Os whose layers do not sum to their total", false });
	add(rows->checks, &n, (struct report_count){ "kernel_events_missing", attributed->kernel_events_missing,
		"completed I/Os with a part the kernel did not show", false });
	add(rows->checks, &n, (struct report_count){ "generator_only",
		excess(load->submitted, kernel[IOSTRATA_RUN_ENTERED]),
		"I/Os submitted that the kernel did not show entering", false });
	add(rows->checks, &n, (struct report_count){ "kernel_only",
		excess(kernel[IOSTRATA_RUN_ENTERED], load->submitted),
		"I/Os entered that the generator did not submit", false });
	add(rows->checks, &n, (struct report_count){ "unaccounted_requests", rows->trace.unaccounted,
		"requests: started - completed - in flight - lost", false });
	add(rows->checks, &n, (struct report_count){ "foreign_bios", kernel[IOSTRATA_RUN_BIOS_THEIRS],
		"bios others queued on the device during the run", true });
	add(rows->checks, &n, (struct report_count){ "completions_withheld", kernel[IOSTRATA_RUN_END_UNSEEN],
		"completion events this kernel kept from BPF; folded into the next boundary", true });
	report->checks = rows->checks;
	report->check_count = n;
}

/* Which of the flight records' programs they were withheld from. */
static void name_misses(char *out, size_t size, const struct run_outcome *outcome)
{
	size_t used = (size_t)snprintf(out, size, "events withheld from the flight records, as the "
						  "program was running on that CPU:");

	for (unsigned int i = 0; i < outcome->run_program_count && used < size; i++)
		if (outcome->programs[i].misses)
			used += (size_t)snprintf(out + used, size - used, " %s %" PRIu64,
						 outcome->programs[i].name, outcome->programs[i].misses);
}

static void fill_losses(struct report *report, struct run_rows *rows,
			const struct run_outcome *outcome)
{
	const uint64_t *kernel = outcome->counts;
	unsigned int n = 0;

	for (; n < rows->trace.loss_count; n++)
		rows->losses[n] = rows->trace.losses[n];
	/* Withheld completions of our own I/Os are known by their CQEs. */
	if (rows->losses[IOSTRATA_LOSS_OVERWRITTEN].count <= kernel[IOSTRATA_RUN_END_UNSEEN])
		rows->losses[IOSTRATA_LOSS_OVERWRITTEN].normal = true;
	rows->losses[IOSTRATA_LOSS_CONTENDED].count += outcome->run_contended;
	add(rows->losses, &n, (struct report_count){ "unidentified_bios", kernel[IOSTRATA_RUN_UNIDENTIFIED],
		"bios queued by our thread, of which the I/O could not be told", false });
	add(rows->losses, &n, (struct report_count){ "slot_reused", kernel[IOSTRATA_RUN_SLOT_REUSED],
		"events for an I/O whose slot already served another: refused", false });
	add(rows->losses, &n, (struct report_count){ "bio_map_full", kernel[IOSTRATA_RUN_MAP_FULL],
		"bios there was no room to follow", false });
	add(rows->losses, &n, (struct report_count){ "stale_bios", kernel[IOSTRATA_RUN_STALE_BIOS],
		"bios whose end we did not see", true });
	add(rows->losses, &n, (struct report_count){ "walk_cut", kernel[IOSTRATA_RUN_WALK_CUT],
		"requests with more bios than are walked", false });
	add(rows->losses, &n, (struct report_count){ "contended", kernel[IOSTRATA_RUN_CONTENDED],
		"children whose stamps gave way to one that ended at the same instant", false });
	name_misses(rows->misses, sizeof(rows->misses), outcome);
	add(rows->losses, &n, (struct report_count){ "run_recursion_misses", outcome->run_misses,
		rows->misses, false });
	add(rows->losses, &n, (struct report_count){ "layer_rows_full", outcome->attribution.counts.rows_full,
		"steps for which there was no row left: unattributed", false });
	report->losses = rows->losses;
	report->loss_count = n;
}

/* Over submitted to reaped: the generator's own time-weighted mean against
 * rate times latency.
 */
static void fill_littles_law(struct report *report, struct run_rows *rows,
			     const struct run_outcome *outcome)
{
	const struct load_result *load = &outcome->load;
	const struct hist *hist = &load->submitted_to_reaped.hist;

	if (!hist->count || !load->duration_ns || load->counts.warmup || load->counts.late ||
	    load->counts.errors)
		return;
	rows->littles_law = (struct report_littles_law){
		.in_flight_mean = load->in_flight_mean,
		.completed_per_s = load->rate_completed,
		.latency_mean_ns = hist->sum / hist->count,
	};
	report->littles_law = &rows->littles_law;
}

void run_checks_fill(struct report *report, struct run_rows *rows,
		     const struct run_outcome *outcome)
{
	fill_checks(report, rows, outcome);
	fill_losses(report, rows, outcome);
	fill_littles_law(report, rows, outcome);
}
