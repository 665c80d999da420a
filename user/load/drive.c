// SPDX-License-Identifier: GPL-2.0-only
// In: arrivals that are due, completions that are there. Out: I/Os submitted
// on time, stamped on both ends. The one loop whose speed matters: no
// division, no system call but io_uring_enter, the clock through the vDSO.
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "load/state.h"

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#endif
}

/* The next arrival becomes a submission entry; `submitted` is stamped later,
 * once for the batch.
 */
static inline void prepare(struct load *load)
{
	uint64_t planned_ns = load->start_ns + load->arrivals.next_ns;
	uint32_t slot = slots_take(&load->slots);
	struct iostrata_record *record = &load->records[slot];
	uint64_t generation = (record->generation + 1) & IOSTRATA_GENERATION_MASK;

	generation += !generation;
	record->planned_ns = planned_ns;
	record->sequence = load->arrivals.taken;
	record->offset_bytes = offsets_next(&load->offsets);
	record->length_bytes = (uint32_t)load->config->block_bytes;
	record->flags = (planned_ns < load->warmup_end_ns ? IOSTRATA_F_WARMUP : 0) |
			(load->writes ? IOSTRATA_F_WRITE : 0);
	record->client = arrivals_take(&load->arrivals);
	ring_prepare(&load->ring, &(struct ring_io){
		.write = load->writes,
		.length = record->length_bytes,
		.offset = record->offset_bytes,
		.user_data = iostrata_user_data(slot, generation),
		.buffer = buffers_of(&load->buffers, slot),
	});
	__atomic_store_n(&record->generation, generation, __ATOMIC_RELAXED);
	load->batch[load->batch_count++] = slot;
}

/* All that is due, as far as slots and the queue reach, becomes one batch. */
static void admit(struct load *load, uint64_t now_rel_ns)
{
	uint64_t late = 0;

	while (load->arrivals.next_ns <= now_rel_ns && load->slots.free_count &&
	       ring_has_room(&load->ring)) {
		late += now_rel_ns - load->arrivals.next_ns >= LOAD_LATE_NS;
		prepare(load);
	}
	load->backlog = late;
	/* Held back: count them without remembering them. */
	if (load->arrivals.next_ns <= now_rel_ns)
		load->backlog += arrivals_planned_about(&load->arrivals, now_rel_ns) -
				 load->arrivals.taken;
}

/* Right before the kernel gets them. One clock reading: they go together. */
static void stamp(struct load *load)
{
	uint64_t now_ns = load->now_ns = clock_monotonic_ns();

	for (unsigned int i = 0; i < load->batch_count; i++) {
		uint32_t slot = load->batch[i];
		struct iostrata_record *record = &load->records[slot];

		record->submitted_ns = now_ns;
		/* BPF may look as soon as the kernel has the entry. */
		__atomic_store_n(&record->generation, record->generation, __ATOMIC_RELEASE);
		slots_submit(&load->slots, slot);
		dist_add(&load->result->schedule_error, now_ns - record->planned_ns);
	}
	load->in_flight_sum -= load->batch_count * (now_ns - load->start_ns);
	load->batch_count = 0;
	if (slots_in_flight(&load->slots) > load->result->in_flight_max)
		load->result->in_flight_max = slots_in_flight(&load->slots);
}

/* A completion of ours, or the signal. -errno: the ring is not what it was. */
static int take_completion(struct load *load, const struct io_uring_cqe *cqe)
{
	uint32_t slot = iostrata_slot(cqe->user_data);

	load->now_ns = clock_monotonic_ns();
	if (cqe->user_data == RING_SIGNAL) {
		load->stops++;
		return 0;
	}
	if (!iostrata_is_ours(cqe->user_data) || slot >= load->slots.count ||
	    load->records[slot].generation != iostrata_generation(cqe->user_data))
		return -EBADMSG;
	load_reaped(load, slot, cqe->res);
	return 0;
}

static int reap(struct load *load)
{
	const struct io_uring_cqe *cqe = ring_completion(&load->ring);
	unsigned int stops = load->stops;
	int err = 0;

	if (!cqe)
		load->now_ns = clock_monotonic_ns();
	while (!err && cqe) {
		err = take_completion(load, cqe);
		ring_take(&load->ring);
		cqe = ring_completion(&load->ring);
	}
	if (load->stops != stops) {
		interrupt_drain(&load->interrupt);
		ring_watch(&load->ring, load->interrupt.fd);
	}
	return err;
}

/* All that is in flight timed out, and nothing else can be submitted: only a
 * late completion could help, and a dead target has none.
 */
static bool is_stuck(const struct load *load)
{
	return !load->slots.undecided && slots_in_flight(&load->slots) &&
	       (!load->slots.free_count || load->arrivals.next_ns == UINT64_MAX);
}

static uint64_t give_up_ns(const struct load *load)
{
	return load->last_decided_ns + load->config->timeout_ns;
}

/* When something is to be done even if nothing completes. */
static uint64_t next_event_ns(const struct load *load)
{
	uint64_t event_ns = load->cutoff_ns, arrival = load->arrivals.next_ns, expiry_ns;

	if (arrival != UINT64_MAX && load->slots.free_count &&
	    load->start_ns + arrival < event_ns)
		event_ns = load->start_ns + arrival;
	if (load->slots.oldest != SLOT_NONE) {
		expiry_ns = load->records[load->slots.oldest].submitted_ns +
			    load->config->timeout_ns + 1;
		return expiry_ns < event_ns ? expiry_ns : event_ns;
	}
	if (is_stuck(load) && give_up_ns(load) < event_ns)
		return give_up_ns(load);
	return event_ns;
}

/* Busy-waits until `event_ns` or until the ring has something. */
static void spin(struct load *load, uint64_t event_ns)
{
	uint64_t began_ns = load->now_ns;

	while (load->now_ns < event_ns && !ring_pending(&load->ring)) {
		relax();
		load->now_ns = clock_monotonic_ns();
	}
	load->result->cpu.spun_ns += load->now_ns - began_ns;
}

/* Submits the batch and passes the time until `event_ns`: asleep in the
 * kernel but for the last spin_ns, which are spun: a timer is late by more
 * than a schedule may be.
 */
static int pass_time(struct load *load, uint64_t event_ns)
{
	uint64_t spin_ns = load->config->spin_ns;

	if (load->batch_count)
		stamp(load);
	if (event_ns > load->now_ns && event_ns - load->now_ns > spin_ns)
		return ring_enter(&load->ring, true, event_ns - spin_ns);
	if (ring_unsubmitted(&load->ring))
		return ring_enter(&load->ring, false, 0);
	spin(load, event_ns);
	/* Entering may bring completions (DEFER_TASKRUN); the CQ alone does not tell. */
	if (!ring_completion(&load->ring) && ring_pending(&load->ring))
		return ring_enter(&load->ring, false, 0);
	return 0;
}

/* 0, or the positive errno of the failures that end the run. */
static int hopeless(const struct load *load, uint64_t now_ns)
{
	if (account_all_fail(&load->account, now_ns))
		return load->account.last_err;
	return is_stuck(load) && now_ns >= give_up_ns(load) ? ETIMEDOUT : 0;
}

static bool is_over(struct load *load, uint64_t now_ns)
{
	if (now_ns >= load->cutoff_ns) {
		load_cut_off(load, load->cutoff_ns);
	} else if (load->stops) {
		load->result->interrupted = true;
		load_cut_off(load, now_ns);
	} else if (arrivals_exhausted(&load->arrivals) && !load->slots.undecided) {
		load_cut_off(load, load->last_decided_ns);
	} else {
		load->failing_err = hopeless(load, now_ns);
		if (load->failing_err)
			load_cut_off(load, now_ns);
	}
	return load->over;
}

static void note(struct load *load, uint64_t now_ns)
{
	uint64_t held = load->arrivals.next_ns <= now_ns - load->start_ns ? load->backlog : 0;
	struct series_state state = {
		.backlog = load->backlog,
		.in_flight = slots_in_flight(&load->slots),
		.planned = load->arrivals.taken + held,
		.outstanding = load->slots.undecided + load->batch_count + held,
	};

	series_note(&load->series, now_ns - load->start_ns, &state);
	if (load->backlog > load->result->backlog_max)
		load->result->backlog_max = load->backlog;
}

/* One round: what timed out, what is due, what is there. */
static int pass(struct load *load)
{
	uint64_t now_ns = load->now_ns;
	int err;

	load_expire(load, now_ns);
	if (is_over(load, now_ns))
		return 0;
	admit(load, now_ns - load->start_ns);
	note(load, now_ns);
	err = pass_time(load, next_event_ns(load));
	return err ? err : reap(load);
}

/* Late completions, for at most one time-out, or until a (second) signal. */
static int drain(struct load *load)
{
	uint64_t give_up_ns = clock_monotonic_ns() + load->config->timeout_ns;
	unsigned int stops = load->stops;
	int err = 0;

	while (!err && slots_in_flight(&load->slots) && load->stops == stops &&
	       clock_monotonic_ns() < give_up_ns) {
		err = ring_enter(&load->ring, true, give_up_ns);
		if (!err)
			err = reap(load);
	}
	return err;
}

int load_drive(struct load *load, struct why *why)
{
	int err = 0;

	while (!err && !load->over)
		err = pass(load);
	if (!err)
		err = drain(load);
	if (err == -EBADMSG)
		return why_set(why, err, EXIT_FAILED,
			       "the ring gave back a completion of no I/O of ours; please report this");
	if (err)
		return why_set(why, err, EXIT_FAILED, "io_uring_enter: %s", why_text(err));
	return 0;
}
