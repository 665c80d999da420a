// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/fifo.h"

#define MS 1000000ull

static struct fifo_turn serve(struct fifo *fifo, uint64_t arrived_ns, uint64_t service_ns)
{
	struct fifo_turn turn = fifo_turn(fifo, arrived_ns, service_ns);

	fifo_take(fifo, &turn);
	return turn;
}

/* The reference data set: 1 ms service, the first 100 ms longer. */
static void open_arrivals_behind_a_pause(void **state)
{
	static const uint64_t responses_ms[] = { 101, 92, 83, 74, 65, 56, 47, 38,
						 29,  20, 11, 2,  1,  1,  1 };
	struct fifo fifo = { 0 };
	unsigned int above = 0;

	(void)state;
	for (uint64_t i = 0; i < 200; i++) {
		uint64_t arrived = 5 * MS + i * 10 * MS;
		struct fifo_turn turn = serve(&fifo, arrived, (i ? 1 : 101) * MS);
		uint64_t response = turn.due_ns - arrived;

		assert_int_equal(response, (i < 15 ? responses_ms[i] : 1) * MS);
		above += response > 10 * MS;
	}
	assert_int_equal(above, 11);
}

static void closed_arrivals_behind_a_pause(void **state)
{
	struct fifo fifo = { 0 };
	uint64_t arrived = 0, count = 0;

	(void)state;
	for (; arrived < 2000 * MS; count++) {
		struct fifo_turn turn = serve(&fifo, arrived, (count ? 1 : 101) * MS);

		assert_int_equal(turn.due_ns - arrived, (count ? 1 : 101) * MS);
		arrived = turn.due_ns + 9 * MS;
	}
	assert_int_equal(count, 190);
}

static void a_burst_is_served_one_by_one(void **state)
{
	struct fifo fifo = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 16; i++) {
		struct fifo_turn turn = serve(&fifo, 7, MS);

		assert_int_equal(turn.start_ns, 7 + i * MS);
		assert_int_equal(turn.due_ns, 7 + (i + 1) * MS);
	}
}

static void no_service_is_no_wait(void **state)
{
	struct fifo fifo = { 0 };
	struct fifo_turn turn = serve(&fifo, 42, 0);

	(void)state;
	assert_int_equal(turn.start_ns, 42);
	assert_int_equal(turn.due_ns, 42);
}

static void a_stall_moves_starts_and_lengthens_service(void **state)
{
	struct fifo fifo = { 0 };
	struct fifo_turn turn;

	(void)state;
	assert_int_equal(fifo_add_stall(&fifo, 100, 50), 0);
	turn = fifo_turn(&fifo, 90, 10); /* done just in time */
	assert_int_equal(turn.due_ns, 100);
	turn = fifo_turn(&fifo, 91, 10); /* one short */
	assert_int_equal(turn.start_ns, 91);
	assert_int_equal(turn.due_ns, 151);
	turn = fifo_turn(&fifo, 100, 10);
	assert_int_equal(turn.start_ns, 150);
	assert_int_equal(turn.due_ns, 160);
	turn = fifo_turn(&fifo, 150, 10);
	assert_int_equal(turn.start_ns, 150);
	turn = fifo_turn(&fifo, 140, 0);
	assert_int_equal(turn.due_ns, 150);
	fifo_take(&fifo, &turn);
	assert_int_equal(fifo.stall_count, 0);
}

static void touching_stalls_join(void **state)
{
	struct fifo fifo = { 0 };

	(void)state;
	assert_int_equal(fifo_add_stall(&fifo, 300, 10), 0);
	assert_int_equal(fifo_add_stall(&fifo, 100, 10), 0);
	assert_int_equal(fifo_add_stall(&fifo, 200, 10), 0);
	assert_int_equal(fifo.stall_count, 3);
	assert_int_equal(fifo.stalls[0].from_ns, 100);
	assert_int_equal(fifo.stalls[2].from_ns, 300);
	assert_int_equal(fifo_turn(&fifo, 90, 300).due_ns, 420);
	assert_int_equal(fifo_add_stall(&fifo, 205, 95), 0);
	assert_int_equal(fifo.stall_count, 2);
	assert_int_equal(fifo.stalls[1].from_ns, 200);
	assert_int_equal(fifo.stalls[1].until_ns, 310);
	assert_int_equal(fifo_add_stall(&fifo, 0, 1000), 0);
	assert_int_equal(fifo.stall_count, 1);
	assert_int_equal(fifo.stalls[0].until_ns, 1000);
}

static void too_many_or_endless_stalls_are_refused(void **state)
{
	struct fifo fifo = { 0 };

	(void)state;
	for (uint64_t i = 0; i < FIFO_STALLS_MAX; i++)
		assert_int_equal(fifo_add_stall(&fifo, i * 100, 10), 0);
	assert_int_equal(fifo_add_stall(&fifo, 5000, 10), -ENOSPC);
	assert_int_equal(fifo.stall_count, FIFO_STALLS_MAX);
	assert_int_equal(fifo_add_stall(&fifo, 5000, UINT64_MAX), -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(open_arrivals_behind_a_pause),
		cmocka_unit_test(closed_arrivals_behind_a_pause),
		cmocka_unit_test(a_burst_is_served_one_by_one),
		cmocka_unit_test(no_service_is_no_wait),
		cmocka_unit_test(a_stall_moves_starts_and_lengthens_service),
		cmocka_unit_test(touching_stalls_join),
		cmocka_unit_test(too_many_or_endless_stalls_are_refused),
	};

	return cmocka_run_group_tests_name("target fifo", tests, NULL, NULL);
}
