// SPDX-License-Identifier: GPL-2.0-only
// The NVMe part of the `trace` programs under any sequence of events. In: two
// bytes an event: which request, and what happens to it. Out: the layers and what
// is unattributed sum to the total, no layer is negative (wrapped), and every
// completed request has its row, however events come or fail to come.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fake_kernel.h"
#include "trace.bpf.c"
#undef const
#include "fuzz.h"

enum { REQUESTS = 8, ROWS = 12, FEW = 2, BLOCK = 4096, MAJOR = 259 };

static struct gendisk disk = { .major = MAJOR, .disk_name = "nvme0n1" };
static struct request_queue queue[2] = { { &disk }, { 0 } };
static struct blk_mq_hw_ctx hctx[2] = { { 0, 0 }, { 2, 1 } };
static struct request requests[REQUESTS];
static u8 command[8];

static void clear(const void *id, u32 value_size, u32 from, u32 count)
{
	struct fake_map *map = fake_map(id, value_size);

	memset(map->used, 0, sizeof(map->used));
	memset(map->values + (size_t)from * value_size, 0, (size_t)count * value_size);
}

static void set_up(uint8_t how)
{
	clear(&series, sizeof(struct iostrata_series), 0, 16);
	clear(&series_index, 8, 0, 0);
	clear(&device_index, 4, 0, 0);
	clear(&devices, sizeof(struct iostrata_device), 0, 4);
	clear(&in_flight, sizeof(struct iostrata_table_set), 0, 2);
	clear(&nvme_flights, sizeof(struct iostrata_nvme_flight), 0, 8);
	clear(&nvme_rows, sizeof(struct iostrata_nvme_row), 0, ROWS);
	clear(&nvme_devices, sizeof(struct iostrata_nvme_device), 0, 3);
	clear(&nvme_row_index, 4, 0, 0);
	clear(&nvme_device_index, 4, 0, 0);
	memset(losses, 0, sizeof(losses));
	memset(series_cache, 0, sizeof(series_cache));
	series_used = devices_used = nvme_rows_used = nvme_devices_used = 0;
	/* Little room, so that it runs out. */
	cfg_nvme_rows = how & 1 ? IOSTRATA_NVME_ROWS_SPARE + FEW : IOSTRATA_NVME_ROWS_MAX;
	cfg_table_sets = how & 2 ? 1 : 2;
	cfg_cpus = 2;
	counting = 1;
	nvme_facts.timed_out_mask = 1u << 21;
	for (int i = 0; i < REQUESTS; i++)
		requests[i] = (struct request){ .q = &queue[i & 1], .mq_hctx = &hctx[i >> 1 & 1],
						.__data_len = BLOCK };
}

/* what: 0 to 2 bits the event, 3 and up how. */
static void event(struct request *rq, uint8_t what)
{
	u64 ctx[] = { (u64)rq, what >> 3 & 1, BLOCK };

	fake.now_ns += what >> 6 ? (u64)what << 8 : -(u64)(what & 0xff);
	rq->rq_flags = what >> 4 & 1 ? ~0u : ~(1u << 21);
	rq->start_time_ns = fake.now_ns - (what & 64) * 100;
	switch (what & 7) {
	case 0:
	case 1:
		command[0] = what >> 5 & 1;
		on_nvme_setup_cmd((u64[]){ (u64)rq, (u64)command });
		break;
	case 2:
		on_block_rq_issue(ctx);
		break;
	case 3:
		on_nvme_sq(ctx);
		break;
	case 4:
		on_nvme_complete_rq(ctx);
		break;
	case 5:
		on_block_rq_requeue(ctx);
		break;
	default:
		on_block_rq_complete(ctx);
	}
}

static u64 samples(const struct iostrata_latency *latency)
{
	u64 sum = 0;

	for (int i = 0; i < IOSTRATA_KERNEL_BUCKETS; i++)
		sum += latency->bucket[i];
	return sum;
}

static u64 checked_row(u32 number)
{
	struct iostrata_nvme_row *row = bpf_map_lookup_elem(&nvme_rows, &number);
	u64 total = samples(&row->layer[IOSTRATA_NVME_TOTAL]), sum_ns = row->unattributed_ns;

	for (int i = 0; i < IOSTRATA_NVME_TOTAL; i++) {
		FUZZ_HOLDS(row->layer[i].max_ns <= row->layer[IOSTRATA_NVME_TOTAL].max_ns);
		sum_ns += row->layer[i].sum_ns;
	}
	FUZZ_HOLDS(sum_ns == row->layer[IOSTRATA_NVME_TOTAL].sum_ns);
	FUZZ_HOLDS(row->completed == total + row->partly_seen);
	FUZZ_HOLDS(total == samples(&row->layer[IOSTRATA_NVME_DRIVER]) + row->unattributed);
	return row->completed;
}

static u64 completed_in_all_series(void)
{
	u64 completed = 0;

	for (u32 at = 0; at < 16; at++) {
		struct iostrata_series *one = bpf_map_lookup_elem(&series, &at);

		completed += one->completed;
	}
	return completed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u64 in_rows = 0;

	if (!size)
		return 0;
	set_up(data[0]);
	fake.now_ns = 1 << 20;
	for (size_t i = 1; i + 1 < size; i += 2)
		event(&requests[data[i] % REQUESTS], data[i + 1]);
	FUZZ_HOLDS(nvme_rows_used <= ROWS);
	for (u32 number = 0; number < nvme_rows_used; number++)
		in_rows += checked_row(number);
	FUZZ_HOLDS(in_rows <= completed_in_all_series());
	return 0;
}
