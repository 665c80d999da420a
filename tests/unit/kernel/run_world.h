/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Our ring, a device, an I/O on it, and the events of its life, for tests of the
 * `run` programs. Included after run.bpf.c.
 */
#ifndef RUN_WORLD_H
#define RUN_WORLD_H

enum { OTHER_MAJOR = 8, SLOT = 3, BLOCK = 4096, AHEAD = 1u << __REQ_RAHEAD };

/* Not every test needs every one. */
#define SPARE __attribute__((unused))
static struct gendisk target, other = { .major = OTHER_MAJOR };
static struct block_device on_target = { &target }, on_other SPARE = { &other };
static struct request_queue target_queue = { &target };
static struct request_queue other_queue SPARE = { &other };
static struct io_rings rings;
static struct io_ring_ctx ring = { .rings = &rings };
static struct task_struct thread, worker_thread = { .flags = PF_IO_WORKER };
static struct io_kiocb io = { .ctx = &ring };
static struct io_worker worker = { .cur_work = &io.work };
static u32 zero;

/* A direct I/O's state and its one bio; an end function is just an address. */
static struct blkdev_dio dio;
static char direct_end, buffered_end;

#define at(boundary) (record()->stamp[IOSTRATA_##boundary])
#define counted_of(what) counted_so_far(IOSTRATA_RUN_##what)

static u64 counted_so_far(enum iostrata_run_count what)
{
	struct iostrata_run_counts *here = bpf_map_lookup_elem(&run_counts, &zero);

	return here->count[what];
}

static struct iostrata_record *record(void)
{
	u32 slot = SLOT;

	return bpf_map_lookup_elem(&records, &slot);
}

/* The generator takes the slot for one more I/O. */
static void submitted(void)
{
	record()->generation++;
	io.cqe.user_data = iostrata_user_data(SLOT, record()->generation);
	rings.sq.head = ring.cached_sq_head++;
	bpf_map_lookup_elem(&control, &zero)->in_enter = 1;
	on_io_uring_submit_req((u64[]){ (u64)&io });
}

/* io_submit_sqes() is through: now come task work and the wait. */
static void all_submitted(void)
{
	rings.sq.head = ring.cached_sq_head;
}

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	memset(&dio, 0, sizeof(dio));
	memset(&waiting, 0, sizeof(waiting));
	memset(&in_flight, 0, sizeof(in_flight));
	submitting.user_data = 0;
	fake.pid_tgid = 7ull << 32 | 7;
	fake.current = &thread;
	worker_thread.worker_private = &worker;
	cfg_tgid = 7;
	cfg_bio_based = 0;
	cfg_end_io[IOSTRATA_END_IO_BLKDEV_ASYNC] = (u64)&direct_end;
	expect_ring = 1;
	on_io_uring_create((u64[]){ 5, (u64)&ring });
	dio.iocb = (struct kiocb *)&io;
	dio.bio = (struct bio){ .bi_bdev = &on_target, .bi_end_io = &direct_end,
				.bi_iter.bi_size = BLOCK };
	fake.now_ns = 1000;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fake_reset();
	return 0;
}

static void at_time(u64 now_ns)
{
	fake.now_ns = now_ns;
}

static void queued(struct bio *bio)
{
	on_block_bio_queue((u64[]){ (u64)bio });
}

static void allocated(struct bio *bio)
{
	on_block_getrq((u64[]){ (u64)bio });
}

static void inserted(struct request *rq)
{
	on_block_rq_insert((u64[]){ (u64)rq });
}

static void issued(struct request *rq)
{
	on_block_rq_issue((u64[]){ (u64)rq });
}

static void completed(struct request *rq, u32 bytes)
{
	on_block_rq_complete((u64[]){ (u64)rq, 0, bytes });
}

static void returned(void)
{
	struct io_uring_cqe cqe = { io.cqe.user_data };

	on_io_uring_complete((u64[]){ (u64)&ring, (u64)&io, (u64)&cqe });
}

static struct request request_of(struct bio *bio)
{
	return (struct request){ .q = &target_queue, .bio = bio, .__data_len = BLOCK };
}

static struct bio buffered(u32 opf)
{
	return (struct bio){ .bi_bdev = &on_target, .bi_end_io = &buffered_end, .bi_opf = opf,
			     .bi_iter.bi_size = BLOCK };
}

static void nothing_is_left(void)
{
	assert_int_equal(fake_count(&bios), 0);
	assert_int_equal(waiting.now, 0);
	assert_int_equal(in_flight.now, 0);
	assert_int_equal(record()->bios_done, record()->bios_started);
	assert_int_equal(record()->lock, 0);
}

/* Queued at 2000, allocated at 3000, issued at 4000. */
static void direct_until_issued(struct request *rq)
{
	submitted();
	at_time(2000), queued(&dio.bio);
	at_time(3000), allocated(&dio.bio);
	at_time(4000), issued(rq);
}

#endif
