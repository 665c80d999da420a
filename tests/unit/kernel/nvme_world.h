/* SPDX-License-Identifier: GPL-2.0-only
 *
 * An NVMe disk, its admin queue and one request, and the events of its life, for
 * tests of the `trace` programs. Included after trace.bpf.c.
 */
#ifndef NVME_WORLD_H
#define NVME_WORLD_H

enum { BLOCK = 4096, READ = 0, READ_COMMAND = 2, IDENTIFY = 6, STATUS_DNR = 0x4281,
       TIMED_OUT = 1 << 21, MAJOR = 259, MINOR = 3, QUEUE = 4 };

/* The driver's own types, as some kernel has them. */
struct driver_ctrl {
	u64 other;
	u32 instance;
};

struct driver_request {
	u16 status;
	u8 flags;
	struct driver_ctrl *ctrl;
};

static struct gendisk disk = { .major = MAJOR, .first_minor = MINOR, .disk_name = "nvme0c1n1" };
static struct request_queue queue = { &disk }, admin_queue;
static struct blk_mq_hw_ctx hctx = { .queue_num = QUEUE - 1 };
static struct driver_ctrl ctrl = { .instance = 7 };
static struct {
	struct request rq;
	struct driver_request own;
} io;
static struct {
	u8 opcode, flags;
	u16 id;
} command;

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	memset(losses, 0, sizeof(losses));
	memset(series_cache, 0, sizeof(series_cache));
	series_used = devices_used = nvme_rows_used = nvme_devices_used = 0;
	fake_map(&series_names, sizeof(struct iostrata_series_name))->room = IOSTRATA_SERIES_MAX;
	fake_map(&devices, sizeof(struct iostrata_device))->room = IOSTRATA_DEVICES_MAX;
	fake_map(&nvme_rows, sizeof(struct iostrata_nvme_row))->room = cfg_nvme_rows =
		IOSTRATA_NVME_ROWS_MAX;
	fake_map(&nvme_devices, sizeof(struct iostrata_nvme_device))->room = IOSTRATA_NVME_DEVICES;
	cfg_table_sets = 1;
	cfg_cpus = 2;
	cfg_filter_devices = cfg_late_devices = 0;
	counting = 1;
	nvme_facts = (struct iostrata_nvme_facts){
		.known = 1,
		.request_bytes = (u32)((char *)&io.own - (char *)&io.rq),
		.status = __builtin_offsetof(struct driver_request, status),
		.flags = __builtin_offsetof(struct driver_request, flags),
		.ctrl = __builtin_offsetof(struct driver_request, ctrl),
		.instance = __builtin_offsetof(struct driver_ctrl, instance),
		.timed_out_mask = TIMED_OUT,
	};
	hctx = (struct blk_mq_hw_ctx){ .queue_num = QUEUE - 1 };
	io.rq = (struct request){ .q = &queue, .mq_hctx = &hctx, .__data_len = BLOCK,
				  .start_time_ns = 1000,
				  .rq_flags = ~(cfg_flush_seq_mask | TIMED_OUT) };
	io.own = (struct driver_request){ .ctrl = &ctrl };
	command.opcode = READ_COMMAND;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fake_reset();
	return 0;
}

static void set_up_at(u64 now_ns)
{
	fake.now_ns = now_ns;
	on_nvme_setup_cmd((u64[]){ (u64)&io.rq, (u64)&command });
}

static void issued_at(u64 now_ns)
{
	fake.now_ns = now_ns;
	on_block_rq_issue((u64[]){ (u64)&io.rq });
}

static void answered_at(u64 now_ns)
{
	fake.now_ns = now_ns;
	on_nvme_sq((u64[]){ (u64)&io.rq, 0, 0 });
}

static void done_at(u64 now_ns)
{
	fake.now_ns = now_ns;
	on_nvme_complete_rq((u64[]){ (u64)&io.rq });
}

static void requeued(void)
{
	on_block_rq_requeue((u64[]){ (u64)&io.rq });
}

static void completed_at(u64 now_ns, u32 error)
{
	fake.now_ns = now_ns;
	on_block_rq_complete((u64[]){ (u64)&io.rq, error, BLOCK });
}

static struct iostrata_nvme_row *row(u32 number)
{
	return bpf_map_lookup_elem(&nvme_rows, &number);
}

static u64 count_of(enum iostrata_nvme_count what)
{
	u32 first = 0;
	struct iostrata_nvme_device *device = bpf_map_lookup_elem(&nvme_devices, &first);

	return device->count[what];
}

static struct iostrata_nvme_device *device(void)
{
	u32 first = 0;

	return bpf_map_lookup_elem(&nvme_devices, &first);
}

#define spent(layer_) (row(0)->layer[IOSTRATA_NVME_##layer_].sum_ns)
#define counted(what) count_of(IOSTRATA_NVME_##what)

static u64 samples(u32 number, enum iostrata_nvme_layer layer)
{
	u64 sum = 0;

	for (int i = 0; i < IOSTRATA_KERNEL_BUCKETS; i++)
		sum += row(number)->layer[layer].bucket[i];
	return sum;
}

/* What holds after any sequence. */
static void adds_up(void)
{
	for (u32 n = 0; n < nvme_rows_used; n++) {
		u64 sum_ns = row(n)->unattributed_ns;

		for (int i = 0; i < IOSTRATA_NVME_TOTAL; i++)
			sum_ns += row(n)->layer[i].sum_ns;
		assert_int_equal(sum_ns, row(n)->layer[IOSTRATA_NVME_TOTAL].sum_ns);
		assert_int_equal(row(n)->completed, samples(n, IOSTRATA_NVME_TOTAL) + row(n)->partly_seen);
		assert_int_equal(samples(n, IOSTRATA_NVME_TOTAL),
				 samples(n, IOSTRATA_NVME_DRIVER) + row(n)->unattributed);
	}
}

static u64 disorders(void)
{
	u64 sum = 0;

	for (int i = IOSTRATA_NVME_ORDER_PREPARED; i <= IOSTRATA_NVME_ORDER_COMPLETED; i++)
		sum += count_of((enum iostrata_nvme_count)i);
	return sum;
}

#endif
