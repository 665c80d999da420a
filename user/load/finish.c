// SPDX-License-Identifier: GPL-2.0-only
// In: completions, time-outs, the cutoff. Out: each I/O counted once, its
// latencies, and at the end the result.
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "load/state.h"
#include "load/sustained.h"

static void decided(struct load *load, enum load_outcome outcome, int err, uint64_t at_ns)
{
	account_decided(&load->account, outcome, err, at_ns);
	if (outcome != LOAD_IN_FLIGHT && at_ns > load->last_decided_ns)
		load->last_decided_ns = at_ns;
}

static void count_latency(struct load *load, const struct iostrata_record *record)
{
	load->result->bytes_completed += (uint32_t)record->result;
	if (record->flags & IOSTRATA_F_WARMUP) {
		load->account.counts.warmup++;
		return;
	}
	dist_add(&load->result->planned_to_reaped, record->reaped_ns - record->planned_ns);
	dist_add(&load->result->submitted_to_reaped, record->reaped_ns - record->submitted_ns);
}

/* The completion of an I/O that was decided before it, or by its lateness. */
static void count_late(struct load *load, const struct iostrata_record *record)
{
	load->account.counts.late++;
	dist_add(&load->result->late_latency, record->reaped_ns - record->planned_ns);
}

void load_reaped(struct load *load, uint32_t slot, int32_t result)
{
	struct iostrata_record *record = &load->records[slot];
	enum load_outcome outcome;

	/* Each has a clock reading of its own: one for a whole batch would call the
	 * last reaped while the first was still being counted.
	 */
	record->reaped_ns = load->now_ns;
	record->result = result;
	outcome = account_outcome(record, load->config->timeout_ns, load->cutoff_ns);
	if (slots_decide(&load->slots, slot))
		decided(load, outcome, outcome == LOAD_ERROR ? account_errno(record) : 0,
			outcome == LOAD_TIMEOUT ? record->submitted_ns + load->config->timeout_ns
						: record->reaped_ns);
	if (outcome == LOAD_COMPLETED)
		count_latency(load, record);
	else if (outcome != LOAD_ERROR)
		count_late(load, record);
	if (!load->over) {
		load->in_flight_sum += record->reaped_ns - load->start_ns;
		arrivals_finished(&load->arrivals, record->client,
				  record->reaped_ns - load->start_ns);
	}
	if (load->hooks.finished)
		load->hooks.finished(load->hooks.context, record, outcome);
	slots_put(&load->slots, slot);
}

void load_expire(struct load *load, uint64_t now_ns)
{
	uint32_t slot;
	uint64_t expires_ns;

	while ((slot = load->slots.oldest) != SLOT_NONE) {
		expires_ns = load->records[slot].submitted_ns + load->config->timeout_ns;
		if (expires_ns >= now_ns || expires_ns > load->cutoff_ns)
			return;
		slots_decide(&load->slots, slot);
		decided(load, LOAD_TIMEOUT, 0, expires_ns);
	}
}

static void close_series(struct load *load)
{
	uint64_t duration_ns = load->cutoff_ns - load->start_ns;
	uint64_t planned = load->account.counts.planned;
	struct series_state state = {
		.backlog = load->account.counts.unsubmitted,
		.in_flight = slots_in_flight(&load->slots),
		.planned = planned,
		.outstanding = load->account.counts.in_flight_at_cutoff +
			       load->account.counts.unsubmitted,
	};

	series_end(&load->series, duration_ns, &state);
	load->result->duration_ns = duration_ns;
	load->result->series_count = load->series.count;
}

/* Those still in flight were so for the whole rest of the run. */
static void close_depth(struct load *load)
{
	uint64_t duration_ns = load->cutoff_ns - load->start_ns;

	load->in_flight_sum += slots_in_flight(&load->slots) * duration_ns;
	load->result->in_flight_mean =
		duration_ns ? (double)load->in_flight_sum / (double)duration_ns : 0;
}

void load_cut_off(struct load *load, uint64_t now_ns)
{
	uint64_t duration_ns = now_ns - load->start_ns;

	cpu_meter_stop(&load->cpu, &load->result->cpu);
	load->result->cpu.enters = load->ring.enters;
	load->cutoff_ns = now_ns;
	load->over = true;
	load->account.counts.in_flight_at_cutoff += load->slots.undecided;
	while (load->slots.oldest != SLOT_NONE)
		slots_decide(&load->slots, load->slots.oldest);
	account_close(&load->account,
		      duration_ns ? arrivals_planned_by(&load->arrivals, duration_ns - 1) : 0,
		      load->arrivals.taken);
	close_series(load);
	close_depth(load);
}

static double per_s(uint64_t count, uint64_t duration_ns)
{
	return duration_ns ? (double)count * (double)NS_PER_S / (double)duration_ns : 0;
}

static void judge(struct load *load)
{
	struct load_result *result = load->result;
	struct sustained_verdict verdict = sustained_judge(&(struct sustained_input){
		.series = result->series,
		.series_count = result->series_count,
		.counts = &result->counts,
		.duration_ns = result->duration_ns,
		.in_flight_cap = load->config->in_flight_cap,
		.arrival = (enum load_arrival)load->config->arrival,
		.failing_err = load->failing_err,
	});

	result->sustained = verdict.sustained;
	result->limit = verdict.limit;
	memcpy(result->limit_text, verdict.text, sizeof(result->limit_text));
}

void load_sum_up(struct load *load)
{
	struct load_result *result = load->result;

	load->account.counts.never = slots_in_flight(&load->slots);
	result->counts = load->account.counts;
	account_kinds(&load->account, result->error_kinds);
	result->rate_offered = per_s(result->counts.planned, result->duration_ns);
	result->rate_submitted = per_s(result->counts.submitted, result->duration_ns);
	result->rate_completed = per_s(result->counts.completed, result->duration_ns);
	judge(load);
}
