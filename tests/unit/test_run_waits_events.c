// SPDX-License-Identifier: GPL-2.0-only
// What a bio waits for between queued and allocated, event by event.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_kernel.h"
#include "run.bpf.c"
#undef const
#include "run_world.h"

static void submit(struct bio *bio)
{
	on_blk_mq_submit_bio((u64[]){ (u64)bio });
}

static void frozen(struct bio *bio)
{
	on___bio_queue_enter((u64[]){ (u64)&target_queue, (u64)bio });
}

static void qos(struct bio *bio)
{
	on___rq_qos_throttle((u64[]){ 0, (u64)bio });
}

static void tag(void)
{
	on_blk_mq_get_tag((u64[]){ 0 });
}

static void finish(struct request *rq)
{
	at_time(9000), issued(rq);
	at_time(9500), completed(rq, BLOCK);
	at_time(9600), returned();
	nothing_is_left();
}

static void each_wait_lasts_until_the_next(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	submitted();
	at_time(2000), queued(&dio.bio);
	at_time(2100), submit(&dio.bio);
	at_time(2200), frozen(&dio.bio);
	at_time(3200), qos(&dio.bio);
	at_time(5200), tag();
	at_time(8200), tag();
	at_time(8500), allocated(&dio.bio);
	finish(&rq);
	assert_int_equal(record()->freeze_ns, 1000);
	assert_int_equal(record()->qos_ns, 2000);
	assert_int_equal(record()->tag_wait_ns, 3300);
}

/* A request at hand in the plug: no tag is taken. */
static void what_did_not_happen_is_zero(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	submitted();
	at_time(2000), queued(&dio.bio);
	at_time(2100), submit(&dio.bio);
	at_time(3000), qos(&dio.bio);
	at_time(5000), allocated(&dio.bio);
	finish(&rq);
	assert_int_equal(record()->freeze_ns, 0);
	assert_int_equal(record()->qos_ns, 2000);
	assert_int_equal(record()->tag_wait_ns, 0);
}

/* Two tasks wait at once, the thread and a worker; each has its own bio. */
static void a_tag_is_waited_for_by_task(void **state)
{
	struct bio other_bio = buffered(0);
	struct request rq = request_of(&dio.bio), rq2 = request_of(&other_bio);
	u64 thread_id;

	(void)state;
	submitted();
	thread_id = fake.pid_tgid;
	at_time(2000), queued(&dio.bio), queued(&other_bio);
	at_time(2100), submit(&dio.bio);
	fake.pid_tgid = 7ull << 32 | 8;
	at_time(2200), submit(&other_bio);
	at_time(3000), tag();
	fake.pid_tgid = thread_id;
	at_time(4000), tag();
	at_time(5000), allocated(&other_bio), issued(&rq2), completed(&rq2, BLOCK);
	assert_int_equal(record()->tag_wait_ns, 2000);
	at_time(6000), allocated(&dio.bio);
	finish(&rq);
	assert_int_equal(record()->tag_wait_ns, 2000);
}

/* It takes a tag for a request without a bio, or for a bio of others: ours has
 * one already, or was handed to another task.
 */
static void a_tag_for_something_else_is_not_ours(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	submitted();
	at_time(2000), queued(&dio.bio);
	at_time(2100), submit(&dio.bio);
	at_time(2200), allocated(&dio.bio);
	at_time(3000), tag();
	assert_int_equal(bio_find(pointer_key(&dio.bio))->wait_from[WAIT_TAG], 0);
	finish(&rq);
	submitted();
	at_time(12000), queued(&dio.bio);
	bio_find(pointer_key(&dio.bio))->submitter = 99;
	at_time(13000), tag();
	assert_int_equal(bio_find(pointer_key(&dio.bio))->wait_from[WAIT_TAG], 0);
}

static void strangers_are_left_alone(void **state)
{
	struct bio bio = buffered(0);

	(void)state;
	submitted();
	at_time(2000), queued(&dio.bio);
	at_time(2100), submit(&bio), frozen(&bio), qos(&bio), tag();
	assert_int_equal(fake_count(&submitters), 0);
}

/* One that is merged gets no request: nothing it waited for has an end. */
static void a_merged_bio_has_no_parts(void **state)
{
	struct bio first = buffered(0);
	struct request rq = request_of(&first);

	(void)state;
	submitted();
	at_time(2000), queued(&dio.bio);
	at_time(2100), submit(&dio.bio), qos(&dio.bio);
	first.bi_next = &dio.bio;
	rq.__data_len = 2 * BLOCK;
	at_time(9000), issued(&rq);
	at_time(9500), completed(&rq, 2 * BLOCK);
	returned();
	assert_int_equal(record()->qos_ns, 0);
	assert_int_equal(record()->kernel_flags, IOSTRATA_K_MERGED);
	nothing_is_left();
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		CASE(each_wait_lasts_until_the_next),
		CASE(what_did_not_happen_is_zero),
		CASE(a_tag_is_waited_for_by_task),
		CASE(a_tag_for_something_else_is_not_ours),
		CASE(strangers_are_left_alone),
		CASE(a_merged_bio_has_no_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
