// SPDX-License-Identifier: GPL-2.0-only
// The NVMe part of the `trace` programs, event by event: orders seen in nature,
// what is attributed to which layer, and that it all sums to the total.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_kernel.h"
#include "trace.bpf.c"
#undef const
#include "nvme_world.h"

static void one_request(void **state)
{
	(void)state;
	set_up_at(5000);
	issued_at(7000);
	answered_at(20000);
	done_at(22000);
	completed_at(22500, 0);
	assert_int_equal(spent(SCHED), 4000);
	assert_int_equal(spent(DRIVER), 2000);
	assert_int_equal(spent(DEVICE), 13000);
	assert_int_equal(spent(IRQ), 2000);
	assert_int_equal(spent(COMPLETE), 500);
	assert_int_equal(samples(0, IOSTRATA_NVME_REQUEUE), 0);
	assert_int_equal(spent(TOTAL), 21500);
	assert_int_equal(row(0)->key, iostrata_nvme_key(MAJOR << 20 | MINOR, QUEUE, READ_COMMAND, 0));
	assert_string_equal(device()->name, "nvme0c1n1");
	assert_int_equal(device()->instance, 7);
	assert_int_equal(disorders(), 0);
	adds_up();
}

/* tcp, rdma, fc, loop: nobody sees the answer itself. */
static void an_answer_without_event(void **state)
{
	(void)state;
	set_up_at(5000);
	issued_at(7000);
	done_at(22000);
	completed_at(22500, 0);
	assert_int_equal(spent(DEVICE_IRQ), 15000);
	assert_int_equal(samples(0, IOSTRATA_NVME_DEVICE) + samples(0, IOSTRATA_NVME_IRQ), 0);
	adds_up();
}

static void a_retry(void **state)
{
	(void)state;
	io.own.status = 0x022;
	set_up_at(5000), issued_at(7000), answered_at(8000), done_at(9000);
	requeued();
	io.own.status = 0;
	set_up_at(100000), issued_at(101000), answered_at(102000), done_at(103000);
	completed_at(103100, 0);
	assert_int_equal(spent(DRIVER), 2000);
	assert_int_equal(spent(REQUEUE), 94000);
	assert_int_equal(spent(DEVICE), 1000);
	assert_int_equal(row(0)->completed, 1);
	assert_int_equal(counted(RETRIES), 1);
	assert_int_equal(device()->status[0x022], 1);
	assert_int_equal(disorders(), 0);
	adds_up();
}

/* The first try was answered, the second is cancelled: the stale answer is not its own. */
static void a_retry_that_is_cancelled(void **state)
{
	(void)state;
	set_up_at(5000), issued_at(7000), answered_at(8000), done_at(9000);
	requeued();
	set_up_at(100000), issued_at(101000);
	io.own.status = NVME_HOST_ABORTED;
	io.own.flags = NVME_REQ_CANCELLED;
	io.rq.rq_flags |= TIMED_OUT;
	done_at(103000), completed_at(103100, 10);
	assert_int_equal(spent(DEVICE_IRQ), 2000);
	assert_int_equal(counted(CANCELLED), 1);
	assert_int_equal(counted(TIMED_OUT), 1);
	assert_int_equal(device()->status[0x371], 1);
	assert_int_equal(row(0)->errors, 1);
	assert_int_equal(disorders(), 0);
	adds_up();
}

/* The driver had no room: back to the queue before it was issued. */
static void set_up_twice_before_the_issue(void **state)
{
	(void)state;
	set_up_at(5000);
	requeued();
	set_up_at(9000), issued_at(9500), answered_at(10000), done_at(11000);
	completed_at(11500, 0);
	assert_int_equal(spent(SCHED), 8000);
	assert_int_equal(spent(DRIVER), 500);
	assert_int_equal(counted(RETRIES), 0);
	adds_up();
}

static void the_timeout_handler_finds_the_answer(void **state)
{
	(void)state;
	set_up_at(5000), issued_at(7000);
	io.rq.rq_flags |= TIMED_OUT;
	answered_at(30000000);
	done_at(30001000), completed_at(30002000, 0);
	assert_int_equal(counted(POLLED_LATE), 1);
	assert_int_equal(counted(TIMED_OUT), 0);
	adds_up();
}

/* Attached between the events of a request: it has no layers, and no wrong ones. */
static void attached_mid_flight(void **state)
{
	(void)state;
	issued_at(7000);
	answered_at(8000), done_at(9000);
	completed_at(9500, 0);
	assert_int_equal(nvme_rows_used, 0);
	/* The next one on that memory is seen whole. */
	io.rq.start_time_ns = 10000;
	set_up_at(11000), issued_at(12000), answered_at(13000), done_at(14000);
	completed_at(15000, 0);
	assert_int_equal(row(0)->completed, 1);
	assert_int_equal(spent(SCHED), 1000);
	adds_up();
}

/* Failed by the block layer, the driver never had it back. */
static void partly_seen(void **state)
{
	(void)state;
	set_up_at(5000), issued_at(7000);
	completed_at(9500, 10);
	assert_int_equal(row(0)->partly_seen, 1);
	assert_int_equal(spent(TOTAL), 0);
	adds_up();
}

/* Its end was not seen; the same memory's next command is a new request. */
static void an_unseen_end(void **state)
{
	(void)state;
	set_up_at(5000), issued_at(7000), answered_at(8000);
	io.rq.start_time_ns = 50000;
	set_up_at(60000), issued_at(61000), answered_at(62000), done_at(63000);
	completed_at(64000, 0);
	assert_int_equal(losses[IOSTRATA_LOSS_OVERWRITTEN], 1);
	assert_int_equal(spent(SCHED), 10000);
	assert_int_equal(spent(DEVICE), 1000);
	assert_int_equal(row(0)->completed, 1);
	adds_up();
}

static void jitter_is_the_neighbours(void **state)
{
	(void)state;
	set_up_at(5000), issued_at(7000), answered_at(20000), done_at(19500);
	completed_at(21000, 0);
	assert_int_equal(counted(JITTER), 1);
	assert_int_equal(spent(IRQ), 0);
	assert_int_equal(spent(COMPLETE), 1000);
	assert_int_equal(disorders(), 0);
	adds_up();
}

static void the_end_steps_back_a_little(void **state)
{
	(void)state;
	set_up_at(5000), issued_at(7000), answered_at(20000), done_at(21500);
	completed_at(21000, 0);
	assert_int_equal(counted(JITTER), 1);
	assert_int_equal(spent(IRQ), 1000);
	assert_int_equal(spent(COMPLETE), 0);
	adds_up();
}

static void out_of_order(void **state)
{
	(void)state;
	set_up_at(5000), issued_at(7000), answered_at(6000), done_at(21500);
	completed_at(22000, 0);
	assert_int_equal(counted(ORDER_ANSWERED), 1);
	assert_int_equal(row(0)->unattributed, 1);
	assert_int_equal(row(0)->unattributed_ns, 21000);
	adds_up();
	set_up_at(30000), issued_at(31000), answered_at(32000), done_at(40000);
	io.rq.start_time_ns = 1000;
	completed_at(35000, 0);
	assert_int_equal(counted(ORDER_COMPLETED), 1);
	adds_up();
}

/* No disk: named by its controller; its queue is 0 whatever the hardware context says. */
static void an_admin_command(void **state)
{
	u32 first = 0;
	struct iostrata_device *block;

	(void)state;
	io.rq.q = &admin_queue;
	io.rq.cmd_flags = OP_DRV_IN;
	io.rq.start_time_ns = 0;
	command.opcode = IDENTIFY;
	set_up_at(5000), issued_at(7000), answered_at(8000), done_at(9000);
	completed_at(9500, 0);
	assert_int_equal(row(0)->key,
			 iostrata_nvme_key(IOSTRATA_NVME_ADMIN_MAJOR << 20 | 7, 0, IDENTIFY,
					   IOSTRATA_NVME_ADMIN | IOSTRATA_NVME_PASSTHROUGH));
	block = bpf_map_lookup_elem(&devices, &first);
	assert_int_equal(block->dev, IOSTRATA_NVME_ADMIN_MAJOR << 20 | 7);
	assert_int_equal(samples(0, IOSTRATA_NVME_SCHED), 0);
	assert_int_equal(spent(TOTAL), 4500);
	adds_up();
}

static void a_polled_queue(void **state)
{
	(void)state;
	hctx.type = HCTX_POLLED;
	set_up_at(5000), issued_at(7000), answered_at(8000), done_at(9000);
	completed_at(9500, 0);
	assert_int_equal(row(0)->key & 0xff, IOSTRATA_NVME_POLLED);
	assert_int_equal(counted(POLLED_LATE), 0);
	adds_up();
}

static void without_the_drivers_types(void **state)
{
	(void)state;
	nvme_facts.known = 0;
	io.own.status = STATUS_DNR;
	set_up_at(5000), issued_at(7000), answered_at(8000), done_at(9000);
	completed_at(9500, 10);
	assert_int_equal(counted(STATUS_UNREAD), 1);
	assert_int_equal(device()->instance, IOSTRATA_NVME_INSTANCE_UNKNOWN);
	assert_int_equal(device()->status[0x281], 0);
	assert_int_equal(row(0)->errors, 1);
	adds_up();
}

static void a_status(void **state)
{
	(void)state;
	io.own.status = STATUS_DNR;
	set_up_at(5000), issued_at(7000), answered_at(8000), done_at(9000);
	completed_at(9500, 10);
	assert_int_equal(device()->status[0x281], 1);
	assert_int_equal(counted(DO_NOT_RETRY), 1);
	adds_up();
}

/* More queues than rows: the rest shares one, and nothing is lost. */
static void more_queues_than_rows(void **state)
{
	u64 completed = 0;

	(void)state;
	cfg_nvme_rows = IOSTRATA_NVME_ROWS_SPARE + 2;
	for (u32 i = 0; i < 5; i++) {
		hctx.queue_num = i;
		io.rq.start_time_ns = 1000 + i * 10000;
		set_up_at(5000 + i * 10000), issued_at(6000 + i * 10000);
		answered_at(7000 + i * 10000), done_at(8000 + i * 10000);
		completed_at(8100 + i * 10000, 0);
	}
	assert_int_equal(nvme_rows_used, 3);
	assert_int_equal(row(2)->key >> 16 & 0xffff, IOSTRATA_NVME_QUEUE_OTHER);
	assert_int_equal(row(2)->completed, 3);
	assert_int_equal(counted(OTHER_QUEUES), 3);
	for (u32 n = 0; n < nvme_rows_used; n++)
		completed += row(n)->completed;
	assert_int_equal(completed, 5);
	adds_up();
}

/* No room for the namespace itself: its layers are lost, and that is counted. */
static void more_namespaces_than_room(void **state)
{
	(void)state;
	nvme_devices_used = IOSTRATA_NVME_DEVICES;
	set_up_at(5000), issued_at(7000), answered_at(8000), done_at(9000);
	completed_at(9500, 0);
	on_nvme_async_event((u64[]){ (u64)&ctrl, 0 });
	assert_int_equal(losses[IOSTRATA_LOSS_NVME_DEVICES], 2);
	assert_int_equal(nvme_rows_used, 0);
}

static void others_are_not_wanted(void **state)
{
	(void)state;
	cfg_filter_devices = 1;
	set_up_at(5000), issued_at(7000), answered_at(8000), done_at(9000);
	completed_at(9500, 0);
	assert_int_equal(nvme_devices_used, 0);
	assert_int_equal(devices_used, 0);
	for (int i = 0; i < IOSTRATA_TRACE_LOSS_COUNT; i++)
		assert_int_equal(losses[i], 0);
}

/* A path of the chosen multipath device is known by name, until its first request. */
static void a_path_of_a_chosen_device(void **state)
{
	struct iostrata_nvme_path path = { "nvme0c1n1" };
	u32 number = 1;
	struct iostrata_device *block;

	(void)state;
	cfg_filter_devices = cfg_late_devices = 1;
	devices_used = 2;
	/* One that was issued before we attached must not make it unwanted for ever. */
	completed_at(4000, 0);
	assert_int_equal(bpf_map_update_elem(&nvme_paths, &path, &number, BPF_ANY), 0);
	set_up_at(5000), issued_at(7000), answered_at(8000), done_at(9000);
	completed_at(9500, 0);
	block = bpf_map_lookup_elem(&devices, &number);
	assert_int_equal(block->dev, MAJOR << 20 | MINOR);
	assert_int_equal(block->started, 1);
	assert_int_equal(row(0)->completed, 1);
	adds_up();
}

static void async_events(void **state)
{
	(void)state;
	for (u32 i = 0; i < 3; i++)
		on_nvme_async_event((u64[]){ (u64)&ctrl, 0x0c0302 });
	on_nvme_async_event((u64[]){ (u64)&ctrl, 0 });
	assert_int_equal(device()->dev, IOSTRATA_NVME_ADMIN_MAJOR << 20 | 7);
	assert_int_equal(device()->event[0].value, 0x0c0302 + 1);
	assert_int_equal(device()->event[0].count, 3);
	assert_int_equal(device()->event[1].value, 1);
	for (u32 i = 0; i < IOSTRATA_NVME_EVENTS; i++)
		on_nvme_async_event((u64[]){ (u64)&ctrl, 0x100 + i });
	assert_int_equal(counted(EVENTS_OTHER), 2);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		CASE(one_request),
		CASE(an_answer_without_event),
		CASE(a_retry),
		CASE(a_retry_that_is_cancelled),
		CASE(set_up_twice_before_the_issue),
		CASE(the_timeout_handler_finds_the_answer),
		CASE(attached_mid_flight),
		CASE(partly_seen),
		CASE(an_unseen_end),
		CASE(jitter_is_the_neighbours),
		CASE(the_end_steps_back_a_little),
		CASE(out_of_order),
		CASE(an_admin_command),
		CASE(a_polled_queue),
		CASE(without_the_drivers_types),
		CASE(a_status),
		CASE(more_queues_than_rows),
		CASE(more_namespaces_than_room),
		CASE(others_are_not_wanted),
		CASE(a_path_of_a_chosen_device),
		CASE(async_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
