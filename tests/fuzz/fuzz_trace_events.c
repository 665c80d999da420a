// SPDX-License-Identifier: GPL-2.0-only
// The `trace` programs under any sequence of events. In: two bytes an event:
// which request of which device, and what happens to it on which CPU. Out:
// started = completed + in flight + lost, however events come or fail to come.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fake_kernel.h"
#include "trace.bpf.c"
#undef const
#include "fuzz.h"

enum { REQUESTS = 12, DISKS = 2, OPS = 4, SERIES = DISKS * OPS, FEW = 2, BLOCK = 4096 };

static struct gendisk disk[DISKS] = { { 8, 0 }, { 7, 300 } };
static struct request_queue queue[DISKS] = { { &disk[0] }, { &disk[1] } };
static struct request requests[REQUESTS];

/* Only what events can have touched: making the maps anew takes ms. */
static void clear(const void *id, u32 value_size, u32 from, u32 count)
{
	struct fake_map *map = fake_map(id, value_size);

	memset(map->used, 0, sizeof(map->used));
	memset(map->values + (size_t)from * value_size, 0, (size_t)count * value_size);
}

static void clear_maps(void)
{
	const u32 one = sizeof(struct iostrata_series);

	clear(&series, one, 0, 2 * SERIES);
	clear(&series, one, 2 * (IOSTRATA_SERIES_MAX - FEW), 2 * FEW);
	clear(&series_index, 8, 0, 0);
	clear(&device_index, 4, 0, 0);
	clear(&devices, sizeof(struct iostrata_device), 0, DISKS);
	clear(&in_flight, sizeof(struct iostrata_table_set), 0, 2);
	fake_map(&series_names, sizeof(struct iostrata_series_name))->room = IOSTRATA_SERIES_MAX;
	fake_map(&devices, sizeof(struct iostrata_device))->room = IOSTRATA_DEVICES_MAX;
}

static void set_up(uint8_t how)
{
	clear_maps();
	memset(losses, 0, sizeof(losses));
	memset(series_cache, 0, sizeof(series_cache));
	/* Little room, so that it runs out. */
	series_used = how & 1 ? IOSTRATA_SERIES_MAX - FEW : 0;
	devices_used = 0;
	cfg_table_sets = how & 2 ? 1 : 2;
	cfg_cpus = 2;
	counting = 1;
	for (int i = 0; i < REQUESTS; i++)
		requests[i] = (struct request){ .q = &queue[i % DISKS], .__data_len = BLOCK,
						.cmd_flags = i / DISKS % OPS, .rq_flags = ~0u };
}

/* what: 0 to 2 bits the event, 3 the CPU, 4 and up how. */
static void event(struct request *rq, uint8_t what)
{
	u32 part = what >> 4 & 1 ? BLOCK / 2 : rq->__data_len;
	u64 ctx[] = { (u64)rq, what >> 5 & 1, part };

	fake.cpu = what >> 3 & 1;
	fake.now_ns += what >> 6 ? (u64)what << 8 : -(u64)(what & 3);
	rq->rq_flags = what >> 7 ? ~0u : ~cfg_io_stat_mask;
	rq->start_time_ns = fake.now_ns - (what & 64);
	switch (what & 7) {
	case 0:
		on_block_rq_insert(ctx);
		break;
	case 1:
	case 2:
		on_block_rq_issue(ctx);
		break;
	case 3:
		on_block_rq_requeue(ctx);
		break;
	case 4:
		rq->__data_len = what >> 4 & 1 ? 0 : BLOCK;
		break;
	default:
		on_block_rq_complete(ctx);
	}
}

static u64 completed_in_all_series(void)
{
	u64 completed = 0;

	for (u32 i = 0; i < 2 * (SERIES + FEW); i++) {
		u32 at = i < 2 * SERIES ? i : 2 * (IOSTRATA_SERIES_MAX - SERIES - FEW) + i;
		struct iostrata_series *one = bpf_map_lookup_elem(&series, &at);

		completed += one ? one->completed : 0;
	}
	return completed;
}

static void conserved(void)
{
	u64 started = 0, not_ended = 0, lost;

	for (u32 at = 0; at < DISKS; at++) {
		struct iostrata_device *device = bpf_map_lookup_elem(&devices, &at);

		FUZZ_HOLDS(device->left <= device->started);
		FUZZ_HOLDS(device->in_flight_max <= REQUESTS);
		FUZZ_HOLDS(device->started - device->left <= device->in_flight_max);
		started += device->started;
		not_ended += device->started - device->left;
	}
	lost = losses[IOSTRATA_LOSS_TABLE_FULL] + losses[IOSTRATA_LOSS_OVERWRITTEN] +
	       losses[IOSTRATA_LOSS_SERIES_FULL] + losses[IOSTRATA_LOSS_NOT_REISSUED];
	FUZZ_HOLDS(started == completed_in_all_series() + not_ended + lost);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	set_up(data[0]);
	fake.now_ns = 1 << 20;
	for (size_t i = 1; i + 1 < size; i += 2)
		event(&requests[data[i] % REQUESTS], data[i + 1]);
	conserved();
	return 0;
}
