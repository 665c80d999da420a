// SPDX-License-Identifier: GPL-2.0-only
// The `trace` programs, event by event: what is counted, and that started =
// completed + in flight + lost after sequences no device at hand produces.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_kernel.h"
#include "trace.bpf.c"
#undef const

enum { BLOCK = 4096, READ = 0, WRITE = 1 };

static struct gendisk disk = { .major = 8, .first_minor = 300 };
static struct request_queue queue = { &disk };
static struct request rq;

#define lost_as(reason) (losses[IOSTRATA_LOSS_##reason])

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	memset(losses, 0, sizeof(losses));
	memset(series_cache, 0, sizeof(series_cache));
	series_used = devices_used = 0;
	fake_map(&series_names, sizeof(struct iostrata_series_name))->room = IOSTRATA_SERIES_MAX;
	fake_map(&devices, sizeof(struct iostrata_device))->room = IOSTRATA_DEVICES_MAX;
	cfg_table_sets = 1;
	cfg_cpus = 2;
	cfg_filter_devices = 0;
	counting = 1;
	disk.first_minor = 300;
	rq = (struct request){ .q = &queue, .__data_len = BLOCK, .start_time_ns = 500,
			       .rq_flags = ~cfg_flush_seq_mask };
	fake.now_ns = 1000;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fake_reset();
	return 0;
}

static void issued_at(u64 now_ns)
{
	fake.now_ns = now_ns;
	on_block_rq_issue((u64[]){ (u64)&rq });
}

static void inserted_at(u64 now_ns)
{
	fake.now_ns = now_ns;
	on_block_rq_insert((u64[]){ (u64)&rq });
}

static void requeued(void)
{
	on_block_rq_requeue((u64[]){ (u64)&rq });
}

static void completed_at(u64 now_ns, u32 error, u32 bytes)
{
	fake.now_ns = now_ns;
	on_block_rq_complete((u64[]){ (u64)&rq, error, bytes });
}

static struct iostrata_device *device(void)
{
	u32 first = 0;

	return bpf_map_lookup_elem(&devices, &first);
}

/* Series 0 of both CPUs. */
static struct iostrata_series sum(void)
{
	struct iostrata_series all = { 0 };

	for (u32 at = 0; at < cfg_cpus; at++) {
		struct iostrata_series *one = bpf_map_lookup_elem(&series, &at);

		all.started += one->started;
		all.completed += one->completed;
		all.bytes += one->bytes;
		all.errors += one->errors;
		all.requeues += one->requeues;
		all.queue_unknown += one->queue_unknown;
		all.service.sum_ns += one->service.sum_ns;
		all.queue.sum_ns += one->queue.sum_ns;
	}
	return all;
}

static u64 in_flight_now(void)
{
	return device()->started - device()->left;
}

static void conserved(void)
{
	u64 lost = lost_as(TABLE_FULL) + lost_as(OVERWRITTEN) + lost_as(SERIES_FULL) +
		   lost_as(NOT_REISSUED);

	assert_int_equal(device()->started, sum().completed + in_flight_now() + lost);
}

static void one_request(void **state)
{
	(void)state;
	issued_at(1000);
	assert_int_equal(in_flight_now(), 1);
	fake.cpu = 1; /* completions come where they like */
	completed_at(5000, 0, BLOCK);
	assert_int_equal(sum().completed, 1);
	assert_int_equal(sum().bytes, BLOCK);
	assert_int_equal(sum().service.sum_ns, 4000);
	assert_int_equal(sum().queue.sum_ns, 500);
	assert_int_equal(in_flight_now(), 0);
	conserved();
}

static void a_requeued_request_is_one(void **state)
{
	(void)state;
	issued_at(1000);
	requeued();
	issued_at(3000);
	completed_at(5000, 0, BLOCK);
	assert_int_equal(sum().started, 1);
	assert_int_equal(sum().requeues, 1);
	assert_int_equal(sum().service.sum_ns, 2000);
	assert_int_equal(sum().queue.sum_ns, 500);
	conserved();
}

/* Failed while it waited to be issued again: ended, with no service time. */
static void ended_in_the_requeue_list(void **state)
{
	(void)state;
	issued_at(1000);
	requeued();
	completed_at(5000, 10, BLOCK);
	assert_int_equal(lost_as(NOT_REISSUED), 1);
	assert_int_equal(lost_as(UNMATCHED), 0);
	assert_int_equal(in_flight_now(), 0);
	conserved();
	/* Its memory's next user starts afresh. */
	rq.start_time_ns = 8500;
	issued_at(9000);
	completed_at(9900, 0, BLOCK);
	assert_int_equal(sum().started, 2);
	assert_int_equal(sum().queue.sum_ns, 500);
	conserved();
}

static void never_issued(void **state)
{
	(void)state;
	inserted_at(1000);
	completed_at(2000, 10, BLOCK);
	assert_int_equal(lost_as(UNMATCHED), 1);
	rq.start_time_ns = 0;
	issued_at(9000);
	completed_at(9900, 0, BLOCK);
	assert_int_equal(sum().queue_unknown, 1);
	conserved();
}

static void parts_make_the_whole(void **state)
{
	(void)state;
	issued_at(1000);
	completed_at(2000, 0, 1024);
	assert_int_equal(sum().completed, 0);
	rq.__data_len -= 1024;
	requeued();
	issued_at(3000);
	completed_at(4000, 0, BLOCK - 1024);
	assert_int_equal(sum().completed, 1);
	assert_int_equal(sum().bytes, BLOCK);
	assert_int_equal(lost_as(PARTIAL), 1);
	conserved();
}

static void an_unseen_end_is_lost_not_long(void **state)
{
	(void)state;
	issued_at(1000);
	rq.start_time_ns = 900000;
	issued_at(1000000);
	completed_at(1000100, 0, BLOCK);
	assert_int_equal(lost_as(OVERWRITTEN), 1);
	assert_int_equal(sum().started, 2);
	assert_int_equal(sum().service.sum_ns, 100);
	conserved();
}

static void a_full_table_is_said(void **state)
{
	struct request many[IOSTRATA_TABLE_WAYS + 2];

	(void)state;
	for (int i = 0; i < IOSTRATA_TABLE_WAYS + 2; i++) {
		many[i] = rq;
		on_block_rq_issue((u64[]){ (u64)&many[i] });
	}
	assert_int_equal(lost_as(TABLE_FULL), 2);
	assert_int_equal(in_flight_now(), IOSTRATA_TABLE_WAYS);
	conserved();
	for (int i = 0; i < IOSTRATA_TABLE_WAYS + 2; i++)
		on_block_rq_complete((u64[]){ (u64)&many[i], 0, BLOCK });
	assert_int_equal(in_flight_now(), 0);
	assert_int_equal(sum().completed, IOSTRATA_TABLE_WAYS);
	conserved();
}

static void more_series_than_room(void **state)
{
	(void)state;
	issued_at(1000);
	completed_at(2000, 0, BLOCK);
	series_used = IOSTRATA_SERIES_MAX;
	rq.cmd_flags = WRITE;
	issued_at(3000);
	assert_int_equal(in_flight_now(), 1);
	completed_at(4000, 0, BLOCK);
	assert_int_equal(lost_as(SERIES_FULL), 1);
	conserved();
}

static void more_devices_than_room(void **state)
{
	(void)state;
	issued_at(1000);
	completed_at(2000, 0, BLOCK);
	devices_used = IOSTRATA_DEVICES_MAX;
	disk.first_minor++;
	issued_at(3000);
	completed_at(4000, 0, BLOCK);
	assert_int_equal(lost_as(DEVICES_FULL), 1);
	assert_int_equal(lost_as(UNMATCHED), 0);
	conserved();
}

static void others_are_not_wanted(void **state)
{
	(void)state;
	cfg_filter_devices = 1;
	issued_at(1000);
	completed_at(2000, 0, BLOCK);
	for (int i = 0; i < IOSTRATA_TRACE_LOSS_COUNT; i++)
		assert_int_equal(losses[i], 0);
	assert_int_equal(devices_used, 0);
}

static void an_orphan_is_no_latency(void **state)
{
	(void)state;
	completed_at(2000, 0, BLOCK);
	assert_int_equal(lost_as(UNMATCHED), 1);
	assert_int_equal(sum().completed, 0);
}

/* Data, and the write once more with nothing left: one request. */
static void a_flush_sequence_is_one_write(void **state)
{
	(void)state;
	rq.cmd_flags = WRITE;
	issued_at(1000);
	rq.rq_flags = cfg_flush_seq_mask;
	completed_at(2000, 0, BLOCK);
	rq.rq_flags = 0;
	rq.__data_len = 0;
	completed_at(7000, 0, 0);
	assert_int_equal(sum().completed, 1);
	assert_int_equal(lost_as(FLUSH_STEP), 1);
	assert_int_equal(lost_as(UNMATCHED), 0);
	conserved();
}

/* Requeued before its first issue: it belongs to no series yet, not to that of
 * whoever had the entry before.
 */
static void a_requeue_before_the_issue_is_nobodys(void **state)
{
	(void)state;
	issued_at(1000);
	completed_at(2000, 0, BLOCK);
	inserted_at(3000);
	requeued();
	assert_int_equal(sum().requeues, 0);
}

static void the_clock_steps_back(void **state)
{
	(void)state;
	issued_at(5000);
	completed_at(4000, 0, BLOCK);
	assert_int_equal(lost_as(BACKWARDS), 1);
	assert_int_equal(sum().service.sum_ns, 0);
	assert_int_equal(sum().completed, 1);
	conserved();
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		CASE(one_request),
		CASE(a_requeued_request_is_one),
		CASE(ended_in_the_requeue_list),
		CASE(never_issued),
		CASE(parts_make_the_whole),
		CASE(an_unseen_end_is_lost_not_long),
		CASE(a_full_table_is_said),
		CASE(more_series_than_room),
		CASE(more_devices_than_room),
		CASE(others_are_not_wanted),
		CASE(an_orphan_is_no_latency),
		CASE(a_flush_sequence_is_one_write),
		CASE(a_requeue_before_the_issue_is_nobodys),
		CASE(the_clock_steps_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
