// SPDX-License-Identifier: GPL-2.0-only
// From snapshots to rows: windows, conservation, and what has no row.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "buckets.h"
#include "cmd/trace_rows.h"

enum { DEVICES = 2, SERIES = 3, DEV = 8 << 20 | 5, WRAP_BITS = 40 };

static struct op_names names;
static struct trace_series series[SERIES];
static struct trace_device devices[DEVICES];

/* One device with reads, and a number that a race took and nobody uses. */
static struct trace_snapshot snapshot(void)
{
	for (int i = 0; i < SERIES; i++) {
		hist_free(&series[i].queue), hist_free(&series[i].service);
		series[i] = (struct trace_series){ .dev = i ? 0 : DEV };
		assert_int_equal(hist_init(&series[i].queue, IOSTRATA_KERNEL_SUB_BITS), 0);
		assert_int_equal(hist_init(&series[i].service, IOSTRATA_KERNEL_SUB_BITS), 0);
	}
	series[0].started = series[0].completed = 10;
	devices[0] = (struct trace_device){ .dev = DEV, .used = true, .started = 10 };
	devices[1] = (struct trace_device){ .dev = 0 };
	return (struct trace_snapshot){ .series = series, .series_count = SERIES,
					.devices = devices, .device_count = DEVICES };
}

static struct trace_rows *rows_of(const struct trace_snapshot *what)
{
	static struct trace_rows rows;

	trace_rows_fill(&rows, what, NULL, 1000000, &names);
	return &rows;
}

static void all_is_accounted_for(void **state)
{
	struct trace_snapshot s = snapshot();
	struct trace_rows *rows = rows_of(&s);

	(void)state;
	assert_int_equal(rows->device_count, 1);
	assert_int_equal(rows->completed, 10);
	assert_int_equal(rows->unaccounted, 0);
	assert_int_equal(rows->lost, 0);
}

/* Requests without a disk are dev 0, as unused numbers are: they are not the same. */
static void an_unused_number_has_no_row(void **state)
{
	struct trace_snapshot s = snapshot();

	(void)state;
	series[1].started = series[1].completed = 3;
	assert_int_equal(rows_of(&s)->device_count, 1);
}

static void losses_and_depth_count_in(void **state)
{
	struct trace_snapshot s = snapshot();

	(void)state;
	devices[0].started += 2 + 3 + 4 + 5 + 6;
	devices[0].in_flight = 6;
	s.losses[IOSTRATA_LOSS_TABLE_FULL] = 2;
	s.losses[IOSTRATA_LOSS_OVERWRITTEN] = 3;
	s.losses[IOSTRATA_LOSS_SERIES_FULL] = 4;
	s.losses[IOSTRATA_LOSS_NOT_REISSUED] = 5;
	s.losses[IOSTRATA_LOSS_DEVICES_FULL] = 99; /* of no device */
	assert_int_equal(rows_of(&s)->unaccounted, 0);
	assert_int_equal(rows_of(&s)->lost, 14);
	assert_int_equal(rows_of(&s)->unseen, 99);
	devices[0].started++;
	assert_int_equal(rows_of(&s)->unaccounted, 1);
	devices[0].started -= 3;
	assert_int_equal(rows_of(&s)->unaccounted, 2);
}

static void waiting_is_unknown_without_queue_times(void **state)
{
	struct trace_snapshot s = snapshot();

	(void)state;
	assert_true(rows_of(&s)->devices[0].depth.waiting_mean >= 0);
	series[0].queue_unknown = 10;
	assert_true(rows_of(&s)->devices[0].depth.waiting_mean < 0);
}

static void a_window_is_a_difference(void **state)
{
	struct trace_snapshot earlier = snapshot(), window = { 0 }, nothing = { .taken_ns = 5 };
	struct trace_device before[DEVICES] = { { .dev = DEV, .used = true,
						  .started = UINT64_MAX,
						  .in_flight_max = 4 } };

	(void)state;
	devices[0].in_flight_max = 4;
	assert_int_equal(trace_snapshot_window(&window, &earlier, &nothing), 0);
	assert_int_equal(window.series[0].completed, 10);
	assert_int_equal(window.devices[0].in_flight_max, 4);

	nothing.devices = before;
	nothing.device_count = DEVICES;
	assert_int_equal(trace_snapshot_window(&window, &earlier, &nothing), 0);
	assert_int_equal(window.devices[0].started, 11);
	assert_true(window.devices[0].in_flight_max == UINT64_MAX);
	trace_snapshot_free(&window);
}

static int tear_down(void **state)
{
	(void)state;
	for (int i = 0; i < SERIES; i++)
		hist_free(&series[i].queue), hist_free(&series[i].service);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_accounted_for),
		cmocka_unit_test(an_unused_number_has_no_row),
		cmocka_unit_test(losses_and_depth_count_in),
		cmocka_unit_test(waiting_is_unknown_without_queue_times),
		cmocka_unit_test(a_window_is_a_difference),
	};

	return cmocka_run_group_tests(tests, NULL, tear_down);
}
