// SPDX-License-Identifier: GPL-2.0-only
// The `run` programs, event by event: what a record holds after sequences that
// the devices at hand don't produce, or not on demand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_kernel.h"
#include "run.bpf.c"
#undef const
#include "run_world.h"

static void a_direct_read(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	direct_until_issued(&rq);
	at_time(9000), completed(&rq, BLOCK);
	at_time(9500), returned();
	assert_int_equal(at(ENTERED), 1000);
	assert_int_equal(at(QUEUED), 2000);
	assert_int_equal(at(ALLOCATED), 3000);
	assert_int_equal(at(FIRST_ISSUED), 4000);
	assert_int_equal(at(ISSUED), 4000);
	assert_int_equal(at(COMPLETED), 9000);
	assert_int_equal(at(RETURNED), 9500);
	assert_int_equal(record()->kernel_flags, 0);
	assert_int_equal(record()->kernel_bytes, BLOCK);
	assert_int_equal(counted_of(BY_IOCB), 1);
	nothing_is_left();
}

/* It goes through the scheduler twice; only the first time lies before the
 * first issue, and stamps stay in order.
 */
static void a_requeued_request_is_inserted_again(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	submitted();
	at_time(2000), queued(&dio.bio);
	at_time(3000), allocated(&dio.bio);
	at_time(3500), inserted(&rq);
	at_time(4000), issued(&rq);
	at_time(5000), inserted(&rq);
	at_time(6000), issued(&rq);
	at_time(9000), completed(&rq, BLOCK);
	returned();
	assert_int_equal(at(INSERTED), 3500);
	assert_int_equal(at(FIRST_ISSUED), 4000);
	assert_int_equal(at(ISSUED), 6000);
	assert_int_equal(record()->kernel_flags, IOSTRATA_K_REQUEUED);
	nothing_is_left();
}

/* A completion withheld, and the bio's memory at once a stranger's: none of his
 * stamps may get into our record.
 */
static void a_stranger_reuses_a_bio(struct block_device *bdev, struct request_queue *queue)
{
	struct request rq = request_of(&dio.bio);

	direct_until_issued(&rq);
	dio.bio.bi_end_io = &buffered_end;
	dio.bio.bi_bdev = bdev;
	fake.pid_tgid = 99ull << 32 | 99;
	rq.q = queue;
	at_time(20000), queued(&dio.bio);
	at_time(21000), allocated(&dio.bio);
	at_time(22000), issued(&rq);
	at_time(23000), completed(&rq, BLOCK);
	at_time(24000), returned();
	assert_int_equal(at(QUEUED), 2000);
	assert_int_equal(at(ALLOCATED), 3000);
	assert_int_equal(at(ISSUED), 4000);
	assert_int_equal(at(COMPLETED), 0);
	assert_int_equal(at(RETURNED), 24000);
	assert_int_equal(record()->kernel_flags, IOSTRATA_K_END_UNSEEN);
	assert_int_equal(counted_of(END_UNSEEN), 1);
	nothing_is_left();
}

static void a_stranger_reuses_a_bio_on_the_target(void **state)
{
	(void)state;
	a_stranger_reuses_a_bio(&on_target, &target_queue);
}

static void a_stranger_reuses_a_bio_elsewhere(void **state)
{
	(void)state;
	a_stranger_reuses_a_bio(&on_other, &other_queue);
}

static void a_stranger_splits_off_into_a_bio_of_ours(void **state)
{
	struct request rq = request_of(&dio.bio);
	struct bio parent = buffered(0), *child = &dio.bio;

	(void)state;
	direct_until_issued(&rq);
	dio.bio.bi_private = &parent;
	on_block_split((u64[]){ (u64)child });
	at_time(21000), issued(&rq);
	assert_int_equal(at(ISSUED), 4000);
	returned();
	nothing_is_left();
}

static void a_withheld_completion_is_noticed_at_the_return(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	direct_until_issued(&rq);
	at_time(9500), returned();
	assert_int_equal(at(ISSUED), 4000);
	assert_int_equal(at(COMPLETED), 0);
	assert_int_equal(record()->kernel_flags, IOSTRATA_K_END_UNSEEN);
	nothing_is_left();
}

/* One bio of two had no room: the I/O must not pass for one that was never on
 * the device, nor for one that is whole.
 */
static void a_bio_without_room_leaves_the_account_open(void **state)
{
	(void)state;
	fake_map(&bios, sizeof(struct bio_flight))->room = 0;
	submitted();
	queued(&dio.bio);
	returned();
	assert_int_equal(counted_of(MAP_FULL), 1);
	assert_int_equal(record()->bios_started, 1);
	assert_int_equal(record()->bios_done, 0);
	assert_int_equal(waiting.now, 0);
}

static void read_ahead_is_not_waited_for(void **state)
{
	struct bio ahead = buffered(AHEAD);
	struct request rq = request_of(&ahead);

	(void)state;
	submitted();
	at_time(2000), queued(&ahead);
	at_time(3000), returned();
	assert_int_equal(record()->kernel_flags, IOSTRATA_K_READ_AHEAD);
	assert_int_equal(record()->bios_started, 0);
	/* Its life goes on, but not in this record, nor in the slot's next one. */
	at_time(4000), allocated(&ahead);
	at_time(5000), issued(&rq);
	submitted();
	at_time(6000), completed(&rq, BLOCK);
	assert_int_equal(at(COMPLETED), 0);
	assert_int_equal(counted_of(END_UNSEEN), 0);
	assert_int_equal(counted_of(SLOT_REUSED), 0);
	nothing_is_left();
}

static void read_ahead_that_was_waited_for_counts(void **state)
{
	struct bio first = buffered(AHEAD), second = buffered(AHEAD);
	struct request rq = request_of(&first);

	(void)state;
	submitted();
	at_time(2000), queued(&first);
	at_time(2500), queued(&second);
	at_time(3000), issued(&rq);
	at_time(6000), completed(&rq, BLOCK);
	at_time(7000), returned();
	assert_int_equal(at(QUEUED), 2000);
	assert_int_equal(at(COMPLETED), 6000);
	assert_int_equal(record()->bios_started, 1);
	assert_int_equal(record()->bios_done, 1);
	assert_int_equal(record()->kernel_bytes, BLOCK);
}

/* Task work runs reads submitted long ago; the last one submitted is not it. */
static void task_work_is_not_the_last_submission(void **state)
{
	struct bio bio = buffered(0);

	(void)state;
	submitted();
	all_submitted();
	queued(&bio);
	assert_int_equal(counted_of(UNIDENTIFIED), 1);
	assert_int_equal(counted_of(BIOS_OURS), 0);
	assert_int_equal(record()->bios_started, 0);
}

static void a_submission_names_its_bio(void **state)
{
	struct bio bio = buffered(0);

	(void)state;
	submitted();
	queued(&bio);
	assert_int_equal(counted_of(BY_THREAD), 1);
	assert_int_equal(record()->bios_started, 1);
}

static void what_the_thread_does_outside_is_not_ours(void **state)
{
	struct bio bio = buffered(0);

	(void)state;
	submitted();
	bpf_map_lookup_elem(&control, &zero)->in_enter = 0;
	queued(&bio);
	assert_int_equal(counted_of(BIOS_THEIRS), 1);
	assert_int_equal(counted_of(UNIDENTIFIED), 0);
}

static void a_worker_of_another_ring_is_a_stranger(void **state)
{
	static struct io_ring_ctx foreign;
	struct bio bio = buffered(0);

	(void)state;
	submitted();
	io.ctx = &foreign;
	fake.current = &worker_thread;
	queued(&bio);
	io.ctx = &ring;
	assert_int_equal(counted_of(BIOS_THEIRS), 1);
	assert_int_equal(counted_of(BY_WORKER), 0);
}

/* Refused, punted, and the reused bio pointer queued by a worker. */
static void a_refused_try_leaves_nothing(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	submitted();
	at_time(2000), queued(&dio.bio);
	dio.bio.bi_status = BLK_STS_AGAIN;
	on_block_bio_complete((struct bio *[]){ NULL, &dio.bio });
	assert_int_equal(record()->bios_started, 0);
	at_time(2500), on_io_uring_queue_async_work((u64[]){ (u64)&io });
	dio.bio.bi_status = 0;
	fake.current = &worker_thread;
	at_time(5000), queued(&dio.bio);
	at_time(6000), allocated(&dio.bio);
	at_time(7000), issued(&rq);
	at_time(8000), completed(&rq, BLOCK);
	at_time(9000), returned();
	assert_int_equal(at(PUNTED), 2500);
	assert_int_equal(at(QUEUED), 5000);
	assert_int_equal(record()->first_bio_ns, 5000);
	assert_int_equal(counted_of(BY_WORKER), 1);
	assert_int_equal(record()->kernel_flags, IOSTRATA_K_PUNTED | IOSTRATA_K_REFUSED);
	nothing_is_left();
}

/* FUA on a device with a volatile cache: data, then a flush, then the end with
 * no bytes left.
 */
static void a_post_flush_is_charged(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	direct_until_issued(&rq);
	rq.rq_flags = cfg_flush_seq_mask;
	at_time(6000), completed(&rq, BLOCK);
	assert_int_equal(record()->bios_done, 0);
	rq.rq_flags = rq.__data_len = dio.bio.bi_iter.bi_size = 0;
	at_time(11000), completed(&rq, 0);
	returned();
	assert_int_equal(at(COMPLETED), 11000);
	assert_int_equal(record()->flush_ns, 5000);
	assert_int_equal(record()->kernel_bytes, BLOCK);
	nothing_is_left();
}

static void a_flush_whose_data_end_was_withheld_says_so(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	direct_until_issued(&rq);
	rq.__data_len = dio.bio.bi_iter.bi_size = 0;
	at_time(11000), completed(&rq, 0);
	returned();
	assert_int_equal(record()->flush_ns, 0);
	assert_int_equal(record()->kernel_flags, IOSTRATA_K_FLUSH_UNSEEN);
}

static void a_bio_of_no_data_is_all_flush(void **state)
{
	struct bio bio = buffered(0);
	struct request rq = request_of(&bio);

	(void)state;
	bio.bi_iter.bi_size = rq.__data_len = 0;
	submitted();
	at_time(2000), queued(&bio);
	at_time(3000), allocated(&bio);
	at_time(8000), completed(&rq, 0);
	at_time(9000), returned();
	assert_int_equal(record()->flush_ns, 5000);
	assert_int_equal(record()->kernel_flags, 0);
	nothing_is_left();
}

static void a_partial_completion_ends_what_it_covers(void **state)
{
	struct bio second = buffered(0);
	struct request rq = request_of(&dio.bio);

	(void)state;
	submitted();
	at_time(2000), queued(&dio.bio), queued(&second);
	dio.bio.bi_next = &second;
	rq.__data_len = 2 * BLOCK;
	at_time(4000), issued(&rq);
	at_time(5000), completed(&rq, BLOCK + 512);
	assert_int_equal(record()->bios_done, 1);
	rq.bio = &second;
	second.bi_iter.bi_size -= 512;
	at_time(6000), completed(&rq, BLOCK - 512);
	at_time(7000), returned();
	assert_int_equal(at(COMPLETED), 6000);
	assert_int_equal(record()->kernel_bytes, 2 * BLOCK);
	nothing_is_left();
}

/* Also of a split: the layers are those of the child that ended last. */
static void children_end_in_any_order(void **state)
{
	struct bio front = { .bi_bdev = &on_target, .bi_private = &dio.bio,
			     .bi_iter.bi_size = BLOCK }, *child = &front;
	struct request one = request_of(&front), two = request_of(&dio.bio);

	(void)state;
	submitted();
	at_time(2000), queued(&dio.bio);
	at_time(2100), on_block_split((u64[]){ (u64)child });
	at_time(3000), allocated(&front), issued(&one);
	at_time(4000), allocated(&dio.bio), issued(&two);
	at_time(7000), completed(&two, BLOCK);
	at_time(8000), completed(&one, BLOCK);
	at_time(9000), returned();
	assert_int_equal(at(ISSUED), 3000);
	assert_int_equal(at(COMPLETED), 8000);
	assert_int_equal(record()->issued_depth, 1);
	assert_int_equal(record()->bios_done, 2);
	assert_int_equal(record()->kernel_flags, IOSTRATA_K_SPLIT);
	nothing_is_left();
}

static void a_bio_based_device_has_a_depth(void **state)
{
	struct bio earlier = buffered(0);

	(void)state;
	submitted();
	at_time(2000), queued(&earlier), queued(&dio.bio);
	at_time(5000), on_block_bio_complete((struct bio *[]){ NULL, &dio.bio });
	assert_int_equal(record()->issued_depth, 2);
	assert_int_equal(record()->kernel_flags, IOSTRATA_K_BIO_BASED);
}

/* NVMe multipath: queued on the head, a request on the path. */
static void a_bio_passed_on_is_followed(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	cfg_bio_based = 1;
	submitted();
	at_time(2000), queued(&dio.bio);
	dio.bio.bi_bdev = &on_other;
	rq.q = &other_queue;
	at_time(3000), allocated(&dio.bio);
	at_time(4000), issued(&rq);
	at_time(9000), completed(&rq, BLOCK);
	returned();
	assert_int_equal(at(ISSUED), 4000);
	assert_int_equal(at(COMPLETED), 9000);
	assert_int_equal(record()->kernel_flags, 0);
	nothing_is_left();
}

static void a_late_end_does_not_touch_the_next_io(void **state)
{
	struct request rq = request_of(&dio.bio);

	(void)state;
	direct_until_issued(&rq);
	record()->generation++;
	at_time(9000), completed(&rq, BLOCK);
	assert_int_equal(at(COMPLETED), 0);
	assert_int_equal(counted_of(SLOT_REUSED), 1);
	assert_int_equal(fake_count(&bios), 0);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		CASE(a_direct_read),
		CASE(a_requeued_request_is_inserted_again),
		CASE(a_stranger_reuses_a_bio_on_the_target),
		CASE(a_stranger_reuses_a_bio_elsewhere),
		CASE(a_stranger_splits_off_into_a_bio_of_ours),
		CASE(a_withheld_completion_is_noticed_at_the_return),
		CASE(a_bio_without_room_leaves_the_account_open),
		CASE(read_ahead_is_not_waited_for),
		CASE(read_ahead_that_was_waited_for_counts),
		CASE(task_work_is_not_the_last_submission),
		CASE(a_submission_names_its_bio),
		CASE(what_the_thread_does_outside_is_not_ours),
		CASE(a_worker_of_another_ring_is_a_stranger),
		CASE(a_refused_try_leaves_nothing),
		CASE(a_post_flush_is_charged),
		CASE(a_flush_whose_data_end_was_withheld_says_so),
		CASE(a_bio_of_no_data_is_all_flush),
		CASE(a_partial_completion_ends_what_it_covers),
		CASE(children_end_in_any_order),
		CASE(a_bio_based_device_has_a_depth),
		CASE(a_bio_passed_on_is_followed),
		CASE(a_late_end_does_not_touch_the_next_io),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
