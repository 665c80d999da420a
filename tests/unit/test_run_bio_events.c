// SPDX-License-Identifier: GPL-2.0-only
// The boundary `bio`, event by event: a bio that submit_bio_noacct was called
// for, and what may become of it before it is queued, or instead.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_kernel.h"
#include "run.bpf.c"
#undef const
#include "run_world.h"

enum { QUEUED_FLAG = 1 << 7, THROTTLED_FLAG = 1 << 8 };

static struct task_struct kernel_thread;

static int set_up_hooked(void **state)
{
	cfg_bio_queued_mask = QUEUED_FLAG;
	cfg_bio_throttled_mask = 0;
	memset(&called, 0, sizeof(called));
	return set_up(state);
}

static void call(struct bio *bio)
{
	on_submit_bio_noacct((u64[]){ (u64)bio });
}

static void queue(struct bio *bio)
{
	queued(bio);
	bio->bi_flags |= QUEUED_FLAG;
}

/* kthrotld goes on with a bio: nobody can ask it whose that is. */
static void by_kernel_thread(void)
{
	fake.current = &kernel_thread;
	fake.pid_tgid = 99ull << 32 | 99;
}

static void nothing_is_called(void)
{
	assert_int_equal(called.now, 0);
	nothing_is_left();
}

static void throttle_stands_alone(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	submitted();
	at_time(2000), call(&dio.bio);
	assert_int_equal(record()->bios_started, 0);
	at_time(9000), queue(&dio.bio);
	at_time(9100), allocated(&dio.bio);
	at_time(9200), issued(&rq);
	at_time(9900), completed(&rq, BLOCK);
	returned();
	assert_int_equal(at(BIO), 2000);
	assert_int_equal(at(QUEUED), 9000);
	assert_int_equal(at(COMPLETED), 9900);
	assert_int_equal(record()->first_bio_ns, 2000);
	assert_int_equal(counted_of(BY_IOCB), 1);
	assert_int_equal(counted_of(BIOS_OURS), 1);
	nothing_is_called();
}

/* A buffered read's bio has no iocb: only `bio` can tell whose it is. */
static void a_bio_held_back_is_known_by_its_address(void **state)
{
	struct bio bio = buffered(0);
	struct request rq = request_of(&bio);

	(void)state;
	submitted();
	at_time(2000), call(&bio);
	by_kernel_thread();
	at_time(50000), queue(&bio);
	at_time(50100), issued(&rq);
	at_time(60000), completed(&rq, BLOCK);
	returned();
	assert_int_equal(at(BIO), 2000);
	assert_int_equal(at(QUEUED), 50000);
	assert_int_equal(counted_of(BY_THREAD), 1);
	assert_int_equal(counted_of(BIOS_THEIRS), 0);
	nothing_is_called();
}

/* Up to 5.17 kthrotld calls submit_bio_noacct once more. */
static void the_throttles_second_call_keeps_the_first_stamp(void **state)
{
	struct bio bio = buffered(0);

	(void)state;
	cfg_bio_throttled_mask = THROTTLED_FLAG;
	submitted();
	at_time(2000), call(&bio);
	bio.bi_flags |= THROTTLED_FLAG;
	by_kernel_thread();
	at_time(50000), call(&bio), queue(&bio);
	assert_int_equal(bio_find(pointer_key(&bio))->stamp[IOSTRATA_BIO], 2000);
	assert_int_equal(record()->bios_started, 1);
	assert_int_equal(called.now, 0);
}

/* What a split leaves passes the function again, and so does what NVMe
 * multipath passes on; neither is queued again.
 */
static void a_second_call_of_a_queued_bio_is_none(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	submitted();
	at_time(2000), call(&dio.bio);
	at_time(2100), queue(&dio.bio);
	at_time(5000), call(&dio.bio);
	at_time(6000), issued(&rq);
	at_time(7000), completed(&rq, BLOCK);
	returned();
	assert_int_equal(at(BIO), 2000);
	assert_int_equal(record()->bios_started, 1);
	nothing_is_called();
}

/* submit_bio_noacct ended it, say with an error: no event tells. */
static void a_bio_that_was_never_queued_is_forgotten_at_the_return(void **state)
{
	(void)state;
	submitted();
	at_time(2000), call(&dio.bio);
	at_time(3000), returned();
	assert_int_equal(at(BIO), 0);
	assert_int_equal(counted_of(STALE_BIOS), 0);
	nothing_is_called();
}

static void a_bio_that_was_never_queued_is_forgotten_at_the_punt(void **state)
{
	(void)state;
	submitted();
	at_time(2000), call(&dio.bio);
	at_time(3000), on_io_uring_queue_async_work((u64[]){ (u64)&io });
	assert_int_equal(record()->first_bio_ns, 0);
	nothing_is_called();
}

/* Its memory at once a stranger's, who must not be taken for us. */
static void a_stranger_reuses_a_bio_never_queued(struct block_device *bdev)
{
	struct bio bio = buffered(0);

	submitted();
	at_time(2000), call(&bio);
	by_kernel_thread();
	bio.bi_bdev = bdev;
	at_time(3000), call(&bio), queue(&bio);
	assert_int_equal(record()->bios_started, 0);
	assert_int_equal(counted_of(BIOS_OURS), 0);
	assert_int_equal(counted_of(STALE_BIOS), 0);
	nothing_is_called();
}

static void a_stranger_reuses_it_on_the_target(void **state)
{
	(void)state;
	a_stranger_reuses_a_bio_never_queued(&on_target);
	assert_int_equal(counted_of(BIOS_THEIRS), 1);
}

static void a_stranger_reuses_it_elsewhere(void **state)
{
	(void)state;
	a_stranger_reuses_a_bio_never_queued(&on_other);
}

static void ours_reuses_it_too(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	submitted();
	at_time(2000), call(&dio.bio);
	at_time(3000), call(&dio.bio);
	at_time(4000), queue(&dio.bio);
	at_time(5000), issued(&rq);
	at_time(6000), completed(&rq, BLOCK);
	returned();
	assert_int_equal(at(BIO), 3000);
	nothing_is_called();
}

static void read_ahead_held_back_outlives_its_io(void **state)
{
	struct bio ahead = buffered(AHEAD);

	(void)state;
	submitted();
	at_time(2000), call(&ahead);
	at_time(3000), returned();
	by_kernel_thread();
	at_time(50000), queue(&ahead);
	assert_int_equal(record()->bios_started, 0);
	assert_int_equal(counted_of(SLOT_REUSED), 0);
	nothing_is_called();
}

/* There was no room at `bio`, but there is at `queued`: only `bio` is unseen. */
static void a_bio_without_room_is_asked_about_again(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	fake_map(&bios, sizeof(struct bio_flight))->room = 0;
	submitted();
	at_time(2000), call(&dio.bio);
	fake_map(&bios, sizeof(struct bio_flight))->room = 1;
	at_time(3000), queue(&dio.bio);
	at_time(4000), issued(&rq);
	at_time(5000), completed(&rq, BLOCK);
	returned();
	assert_int_equal(counted_of(MAP_FULL), 1);
	assert_int_equal(at(BIO), 0);
	assert_int_equal(at(QUEUED), 3000);
	nothing_is_called();
}

static void the_first_of_two_bios_is_noted(void **state)
{
	struct bio first = buffered(0), second = buffered(0);
	struct request one = request_of(&first), two = request_of(&second);

	(void)state;
	submitted();
	at_time(2000), call(&first), queue(&first);
	at_time(4000), call(&second), queue(&second);
	at_time(5000), issued(&one), issued(&two);
	at_time(6000), completed(&one, BLOCK);
	at_time(7000), completed(&two, BLOCK);
	returned();
	assert_int_equal(record()->first_bio_ns, 2000);
	assert_int_equal(at(BIO), 4000);
	nothing_is_called();
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up_hooked, tear_down)
	static const struct CMUnitTest tests[] = {
		CASE(throttle_stands_alone),
		CASE(a_bio_held_back_is_known_by_its_address),
		CASE(the_throttles_second_call_keeps_the_first_stamp),
		CASE(a_second_call_of_a_queued_bio_is_none),
		CASE(a_bio_that_was_never_queued_is_forgotten_at_the_return),
		CASE(a_bio_that_was_never_queued_is_forgotten_at_the_punt),
		CASE(a_stranger_reuses_it_on_the_target),
		CASE(a_stranger_reuses_it_elsewhere),
		CASE(ours_reuses_it_too),
		CASE(read_ahead_held_back_outlives_its_io),
		CASE(a_bio_without_room_is_asked_about_again),
		CASE(the_first_of_two_bios_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
