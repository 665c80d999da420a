// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "load/account.h"
#include "load/series.h"
#include "load/slots.h"
#include "load/sustained.h"

static void the_first_event_decides(void **state)
{
	static const struct {
		uint64_t reaped_ns;
		int32_t result;
		uint64_t cutoff_ns;
		enum load_outcome outcome;
	} rows[] = { /* submitted at 100, times out after 50 */
		{ 120, 4096, 1000, LOAD_COMPLETED }, { 120, -EIO, 1000, LOAD_ERROR },
		{ 120, 512, 1000, LOAD_ERROR },	     { 150, 4096, 1000, LOAD_COMPLETED },
		{ 151, 4096, 1000, LOAD_TIMEOUT },   { 151, -EIO, 1000, LOAD_TIMEOUT },
		{ 130, 4096, 129, LOAD_IN_FLIGHT },  { 130, 4096, 130, LOAD_COMPLETED },
		{ 900, 4096, 149, LOAD_IN_FLIGHT },  { 900, 4096, 150, LOAD_TIMEOUT },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct iostrata_record record = { .submitted_ns = 100, .length_bytes = 4096,
						  .reaped_ns = rows[i].reaped_ns,
						  .result = rows[i].result };

		assert_int_equal(account_outcome(&record, 50, rows[i].cutoff_ns), rows[i].outcome);
	}
}

static void counts_add_up(void **state)
{
	struct account account = { 0 };
	struct load_error_kind kinds[LOAD_ERROR_KINDS];

	(void)state;
	for (int i = 0; i < 10; i++)
		account_decided(&account, LOAD_COMPLETED, 0, 1);
	account_decided(&account, LOAD_ERROR, ENOSPC, 1);
	account_decided(&account, LOAD_ERROR, EIO, 2);
	account_decided(&account, LOAD_ERROR, EIO, 3);
	account_decided(&account, LOAD_TIMEOUT, 0, 4);
	account_decided(&account, LOAD_IN_FLIGHT, 0, 5);
	account_close(&account, 20, 15);
	assert_true(account_adds_up(&account.counts));
	assert_int_equal(account.counts.unsubmitted, 5);
	account_kinds(&account, kinds);
	assert_int_equal(kinds[0].err, EIO);
	assert_int_equal(kinds[0].count, 2);
	assert_int_equal(kinds[1].err, ENOSPC);
	assert_int_equal(kinds[2].err, 0);
	account.counts.completed--;
	assert_false(account_adds_up(&account.counts));
}

static void more_kinds_than_places(void **state)
{
	struct account account = { 0 };

	(void)state;
	for (int err = 1; err <= 20; err++)
		account_decided(&account, LOAD_ERROR, err, 1);
	assert_int_equal(account.counts.errors, 20);
	assert_int_equal(account.other_errors, 20 - LOAD_ERROR_KINDS);
}

static void only_a_lasting_row_of_failures_ends_the_run(void **state)
{
	struct account account = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		account_decided(&account, LOAD_ERROR, EIO, 5);
	assert_false(account_all_fail(&account, 5 + ACCOUNT_FAILING_NS - 1));
	assert_true(account_all_fail(&account, 5 + ACCOUNT_FAILING_NS));
	account_decided(&account, LOAD_COMPLETED, 0, 6);
	assert_false(account_all_fail(&account, 5 + ACCOUNT_FAILING_NS));
	for (int i = 0; i < ACCOUNT_FAILING_COUNT - 1; i++)
		account_decided(&account, LOAD_ERROR, EIO, 7);
	account_decided(&account, LOAD_TIMEOUT, 0, 7);
	assert_false(account_all_fail(&account, UINT64_MAX));
	account_decided(&account, LOAD_ERROR, EIO, 7);
	assert_true(account_all_fail(&account, UINT64_MAX));
}

static void slots_keep_the_order_of_submission(void **state)
{
	struct slots slots;
	uint32_t a, b, c;

	(void)state;
	assert_int_equal(slots_init(&slots, 3), 0);
	a = slots_take(&slots);
	b = slots_take(&slots);
	c = slots_take(&slots);
	assert_int_equal(a, 0);
	assert_int_equal(slots.free_count, 0);
	slots_submit(&slots, b);
	slots_submit(&slots, a);
	slots_submit(&slots, c);
	assert_int_equal(slots.oldest, b);
	assert_true(slots_decide(&slots, a)); /* from the middle */
	assert_false(slots_decide(&slots, a));
	assert_true(slots_decide(&slots, b)); /* a time-out: the slot stays taken */
	assert_int_equal(slots.oldest, c);
	assert_int_equal(slots_in_flight(&slots), 3);
	assert_int_equal(slots.undecided, 1);
	slots_put(&slots, b);
	assert_int_equal(slots_take(&slots), b);
	slots_submit(&slots, b);
	assert_int_equal(slots.oldest, c);
	assert_int_equal(slots.newest, b);
	assert_true(slots_decide(&slots, c));
	assert_true(slots_decide(&slots, b));
	assert_true(slots.oldest == SLOT_NONE && slots.newest == SLOT_NONE);
	slots_free(&slots);
}

/* Against a plain array of submission times, with random steps. */
static void slots_agree_with_a_naive_model(void **state)
{
	enum { COUNT = 17 };
	struct slots slots;
	uint64_t at[COUNT] = { 0 }, seed = 1, clock = 0;

	(void)state;
	assert_int_equal(slots_init(&slots, COUNT), 0);
	for (int step = 0; step < 20000; step++) {
		uint32_t slot, oldest = SLOT_NONE;

		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		slot = (uint32_t)(seed >> 33) % COUNT;
		if (slots.free_count && (seed >> 60 & 1)) {
			slot = slots_take(&slots);
			at[slot] = ++clock;
			slots_submit(&slots, slot);
		} else if (at[slot]) {
			slots_decide(&slots, slot);
			slots_put(&slots, slot);
			at[slot] = 0;
		}
		for (uint32_t i = 0; i < COUNT; i++)
			if (at[i] && (oldest == SLOT_NONE || at[i] < at[oldest]))
				oldest = i;
		assert_int_equal(slots.oldest, oldest);
	}
	slots_free(&slots);
}

static void a_series_is_bounded_and_equally_spaced(void **state)
{
	struct load_sample sample[LOAD_SERIES_MAX];
	struct series series = series_over(sample, 0);
	struct series_state at = { 0 };

	(void)state;
	for (uint64_t ms = 0; ms < 7000; ms++) {
		at.planned = at.in_flight = ms;
		at.outstanding = ms / 2;
		at.backlog = ms == 3333 ? 99 : 0;
		series_note(&series, ms * 1000000, &at);
	}
	series_end(&series, 7000000000, &at);
	assert_in_range(series.count, LOAD_SERIES_MAX / 2, LOAD_SERIES_MAX);
	for (unsigned int i = 0; i + 1 < series.count; i++) {
		uint64_t ms = sample[i].at_ns / 1000000;

		assert_int_equal(sample[i].at_ns, (i + 1) * series.interval_ns);
		assert_int_equal(sample[i].planned, ms - 1);
		assert_int_equal(sample[i].in_flight_max, ms - 1);
		assert_int_equal(sample[i].backlog_max,
				 sample[i].at_ns - series.interval_ns <= 3333000000 && ms > 3333 ? 99 : 0);
	}
	assert_int_equal(sample[series.count - 1].at_ns, 7000000000);
}

/* What a run of `rate` on a FIFO of `service` per second looks like, with a
 * pause of the target in [from, to) and a generator that gives up at `cap`.
 */
struct shape {
	double rate, service, pause_from, pause_to, seconds;
	uint64_t cap, generator_max;
};

static struct sustained_verdict judge(const struct shape *shape, enum load_arrival arrival)
{
	struct load_sample sample[LOAD_SERIES_MAX];
	struct load_counts counts = { 0 };
	double finished = 0;

	for (int i = 0; i < LOAD_SERIES_MAX; i++) {
		double t = shape->seconds * (i + 1) / LOAD_SERIES_MAX;
		double step = shape->seconds / LOAD_SERIES_MAX;
		double planned = shape->rate * t, outstanding, in_flight;
		bool paused = t >= shape->pause_from && t < shape->pause_to;

		finished += paused ? 0 : shape->service * step;
		if (finished > planned)
			finished = planned;
		outstanding = planned - finished;
		in_flight = outstanding < (double)shape->cap ? outstanding : (double)shape->cap;
		if (shape->generator_max && in_flight > (double)shape->generator_max)
			in_flight = (double)shape->generator_max;
		sample[i] = (struct load_sample){ (uint64_t)(t * 1e9), (uint64_t)(outstanding - in_flight),
						  (uint64_t)in_flight, (uint64_t)planned,
						  (uint64_t)outstanding };
		counts.planned = (uint64_t)planned;
		counts.completed = (uint64_t)finished;
	}
	return sustained_judge(&(struct sustained_input){
		.series = sample, .series_count = LOAD_SERIES_MAX, .counts = &counts,
		.duration_ns = (uint64_t)(shape->seconds * 1e9), .in_flight_cap = shape->cap,
		.arrival = arrival });
}

static void verdicts(void **state)
{
	static const struct {
		struct shape shape;
		enum load_arrival arrival;
		enum load_limit limit; /* NONE: sustained */
	} rows[] = {
		/* B1: a pause at the start drains. */
		{ { 100, 1000, 0, 0.1, 2, 4096, 0 }, LOAD_CONSTANT, LOAD_LIMIT_NONE },
		/* A short pause at the very end is a pause, no trend. */
		{ { 100, 1000, 1.9, 2, 2, 4096, 0 }, LOAD_CONSTANT, LOAD_LIMIT_NONE },
		/* The target stops for good. */
		{ { 100, 1000, 1, 9, 2, 4096, 0 }, LOAD_CONSTANT, LOAD_LIMIT_TARGET },
		/* B4, with the default cap and with 64. */
		{ { 2000, 1000, 0, 0, 2, 4096, 0 }, LOAD_CONSTANT, LOAD_LIMIT_TARGET },
		{ { 2000, 1000, 0, 0, 2, 64, 0 }, LOAD_CONSTANT, LOAD_LIMIT_CAP },
		/* A2 */
		{ { 1250, 1000, 0, 0, 2, 4096, 0 }, LOAD_CONSTANT, LOAD_LIMIT_TARGET },
		/* Just below and just above 1 %. */
		{ { 10000, 9950, 0, 0, 10, 65535, 0 }, LOAD_CONSTANT, LOAD_LIMIT_NONE },
		{ { 10000, 9850, 0, 0, 10, 65535, 0 }, LOAD_CONSTANT, LOAD_LIMIT_TARGET },
		/* The same growth may be chance when arrivals are random. */
		{ { 1000, 960, 0, 0, 2, 4096, 0 }, LOAD_CONSTANT, LOAD_LIMIT_TARGET },
		{ { 1000, 960, 0, 0, 2, 4096, 0 }, LOAD_POISSON, LOAD_LIMIT_NONE },
		{ { 1e6, 3e5, 0, 0, 2, 4096, 3 }, LOAD_CONSTANT, LOAD_LIMIT_GENERATOR },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sustained_verdict v = judge(&rows[i].shape, rows[i].arrival);

		if (v.limit != rows[i].limit || v.sustained != !rows[i].limit)
			fail_msg("row %u: %s (%s)", i, load_limit_names[v.limit], v.text);
		assert_int_equal(!v.text[0], v.sustained);
	}
}

static void failures_are_not_served_load(void **state)
{
	struct load_counts counts = { .planned = 1000, .completed = 990, .errors = 6, .timeouts = 4 };
	struct sustained_input in = { .counts = &counts, .arrival = LOAD_CLOSED };

	(void)state;
	assert_true(sustained_judge(&in).sustained);
	counts.errors++;
	assert_false(sustained_judge(&in).sustained);
	counts.errors = counts.timeouts = 0;
	in.failing_err = EIO;
	assert_false(sustained_judge(&in).sustained);
	assert_non_null(strstr(sustained_judge(&in).text, "EIO"));
}

/* A run by --requests is judged while requests arrive, not while it drains. */
static void draining_hides_nothing(void **state)
{
	struct load_sample sample[100];
	struct load_counts counts = { .planned = 1000, .completed = 1000 };
	struct sustained_input in = { .series = sample, .series_count = 100, .counts = &counts,
				      .duration_ns = 1000000000, .in_flight_cap = 4096 };

	(void)state;
	for (uint64_t i = 0; i < 100; i++) {
		uint64_t planned = i < 50 ? (i + 1) * 20 : 1000, finished = (i + 1) * 10;

		sample[i] = (struct load_sample){ (i + 1) * 10000000, 0, planned - finished, planned,
						  planned - finished };
	}
	assert_int_equal(sustained_judge(&in).limit, LOAD_LIMIT_TARGET);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_event_decides),
		cmocka_unit_test(counts_add_up),
		cmocka_unit_test(more_kinds_than_places),
		cmocka_unit_test(only_a_lasting_row_of_failures_ends_the_run),
		cmocka_unit_test(slots_keep_the_order_of_submission),
		cmocka_unit_test(slots_agree_with_a_naive_model),
		cmocka_unit_test(a_series_is_bounded_and_equally_spaced),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(failures_are_not_served_load),
		cmocka_unit_test(draining_hides_nothing),
	};

	return cmocka_run_group_tests_name("load account", tests, NULL, NULL);
}
