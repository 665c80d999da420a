/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Where NVMe requests and their counts are kept. In: a request's key; a
 * namespace, queue and opcode. Out: the request's NVMe half; its row and
 * device, made when first seen.
 *
 * Rows have one copy, not one for each CPU: a hardware queue's completions come
 * to the CPUs it belongs to, so atomic additions seldom meet.
 */
#ifndef IOSTRATA_NVME_TABLE_BPF_H
#define IOSTRATA_NVME_TABLE_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "atomic.bpf.h"
#include "nvme.h"
#include "table.bpf.h"

#define NVME_ARRAY(name_, value_, entries_)                                    \
	struct {                                                               \
		__uint(type, BPF_MAP_TYPE_ARRAY);                              \
		__uint(map_flags, BPF_F_MMAPABLE);                             \
		__uint(max_entries, entries_);                                 \
		__type(key, u32);                                              \
		__type(value, value_);                                         \
	} name_ SEC(".maps")
#define NVME_INDEX(name_, key_, entries_)                                      \
	struct {                                                               \
		__uint(type, BPF_MAP_TYPE_HASH);                               \
		__uint(max_entries, entries_);                                 \
		__type(key, key_);                                             \
		__type(value, u32);                                            \
	} name_ SEC(".maps")

/* Entry set x ways + way is the NVMe half of that entry in in_flight. */
NVME_ARRAY(nvme_flights, struct iostrata_nvme_flight, IOSTRATA_TABLE_SETS * IOSTRATA_TABLE_WAYS);
NVME_ARRAY(nvme_rows, struct iostrata_nvme_row, IOSTRATA_NVME_ROWS_MAX);
NVME_ARRAY(nvme_devices, struct iostrata_nvme_device, IOSTRATA_NVME_DEVICES);
NVME_INDEX(nvme_row_index, u64, IOSTRATA_NVME_ROWS_MAX);
NVME_INDEX(nvme_device_index, u32, IOSTRATA_NVME_DEVICES);

const volatile __u32 cfg_nvme_rows = IOSTRATA_NVME_ROWS_MAX;
__u32 nvme_rows_used = 0, nvme_devices_used = 0;

struct nvme_pair { /* a request's two halves; both or none */
	struct iostrata_flight *flight;
	struct iostrata_nvme_flight *nvme;
};

/* Of a request that is in the table already. */
static __always_inline struct nvme_pair nvme_find(u64 key)
{
	struct nvme_pair pair = {};
	u32 at = table_index(key);
	struct iostrata_table_set *set = bpf_map_lookup_elem(&in_flight, &at);

	if (!set)
		return pair;
	at *= IOSTRATA_TABLE_WAYS;
	for (int i = 0; i < IOSTRATA_TABLE_WAYS; i++, at++) {
		if (set->way[i].key != key)
			continue;
		pair.nvme = bpf_map_lookup_elem(&nvme_flights, &at);
		if (pair.nvme)
			pair.flight = &set->way[i];
		return pair;
	}
	return pair;
}

/* Only if its set-up was seen: else its half is another request's. */
static __always_inline struct nvme_pair nvme_find_prepared(u64 key)
{
	struct nvme_pair pair = nvme_find(key);

	if (pair.flight && !(pair.flight->flags & IOSTRATA_FLIGHT_NVME))
		return (struct nvme_pair){};
	return pair;
}

static __always_inline struct iostrata_nvme_device *nvme_device_at(u32 number)
{
	return bpf_map_lookup_elem(&nvme_devices, &number);
}

static __always_inline struct iostrata_nvme_row *nvme_row_at(u32 number)
{
	return bpf_map_lookup_elem(&nvme_rows, &number);
}

static __always_inline void nvme_count(u32 device_number, enum iostrata_nvme_count what)
{
	struct iostrata_nvme_device *device = nvme_device_at(device_number);

	if (device)
		atomic_add(&device->count[what], 1);
}

/* A device's number, or NONE: not known yet. */
static __always_inline u32 nvme_device_known(u32 dev)
{
	u32 *known = bpf_map_lookup_elem(&nvme_device_index, &dev);

	return known ? *known : IOSTRATA_NVME_NONE;
}

/* A new one's, for the caller to name; NONE: no room. */
static __always_inline u32 nvme_device_make(u32 dev)
{
	struct iostrata_nvme_device *device;
	u32 number;

	if (*(volatile u32 *)&nvme_devices_used >= IOSTRATA_NVME_DEVICES)
		return IOSTRATA_NVME_NONE;
	number = atomic_fetch_add(&nvme_devices_used, 1);
	device = nvme_device_at(number);
	if (!device)
		return IOSTRATA_NVME_NONE;
	/* Was another CPU first? Then this number stays unused. */
	if (bpf_map_update_elem(&nvme_device_index, &dev, &number, BPF_NOEXIST))
		return nvme_device_known(dev);
	device->dev = dev;
	return number;
}

static __always_inline u32 nvme_row_known(u64 row_key)
{
	u32 *known = bpf_map_lookup_elem(&nvme_row_index, &row_key);

	return known ? *known : IOSTRATA_NVME_NONE;
}

static __always_inline u32 nvme_row_make(u64 row_key, u32 device, u32 limit)
{
	struct iostrata_nvme_row *row;
	u32 number;

	if (*(volatile u32 *)&nvme_rows_used >= limit)
		return IOSTRATA_NVME_NONE;
	number = atomic_fetch_add(&nvme_rows_used, 1);
	row = nvme_row_at(number);
	if (!row)
		return IOSTRATA_NVME_NONE;
	row->device = device;
	if (bpf_map_update_elem(&nvme_row_index, &row_key, &number, BPF_NOEXIST))
		return nvme_row_known(row_key);
	row->key = row_key;
	return number;
}

/* Without room for its own, that of "other queues" (or of the whole namespace,
 * if there are no rows left at all: then it has none).
 */
static __always_inline u32 nvme_row_search(u64 row_key, u32 device)
{
	u64 other = row_key | (u64)IOSTRATA_NVME_QUEUE_OTHER << 16;
	u32 number = nvme_row_make(row_key, device, cfg_nvme_rows - IOSTRATA_NVME_ROWS_SPARE);

	if (number != IOSTRATA_NVME_NONE)
		return number;
	nvme_count(device, IOSTRATA_NVME_OTHER_QUEUES);
	number = nvme_row_known(other);
	return number != IOSTRATA_NVME_NONE ? number : nvme_row_make(other, device, cfg_nvme_rows);
}

#endif
