/* SPDX-License-Identifier: GPL-2.0-only
 *
 * From a device and an operation to the number of its series, handing out
 * numbers as they are first seen. In: dev, op. Out: an index into `series` and
 * `devices`, or "not wanted" or "no room".
 */
#ifndef IOSTRATA_SERIES_BPF_H
#define IOSTRATA_SERIES_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "atomic.bpf.h"
#include "trace.h"

enum { SERIES_NONE = 0xffff, SERIES_CACHE = 64 };
/* In place of a device's index. */
enum { DEVICE_NO_ROOM = 0xfe, DEVICE_NOT_WANTED = 0xff };

/* Non-zero: only devices that user space put into device_index. */
const volatile __u32 cfg_filter_devices = 0;
/* Non-zero: some of them come while we count (bpf/nvme_paths.bpf.h). */
const volatile __u32 cfg_late_devices = 0;
const volatile __u32 cfg_cpus = 1;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, IOSTRATA_SERIES_MAX); /* x CPUs, set before loading */
	__type(key, u32);
	__type(value, struct iostrata_series);
} series SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, IOSTRATA_SERIES_MAX);
	__type(key, u32);
	__type(value, struct iostrata_series_name);
} series_names SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, IOSTRATA_DEVICES_MAX);
	__type(key, u32);
	__type(value, struct iostrata_device);
} devices SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, IOSTRATA_SERIES_MAX);
	__type(key, struct iostrata_series_name);
	__type(value, u64); /* packed as in series_cache */
} series_index SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, IOSTRATA_DEVICES_MAX);
	__type(key, u32); /* dev */
	__type(value, u32);
} device_index SEC(".maps");

__u32 series_used = 0, devices_used = 0;

/* dev (32 bits) | op (8) | device index (8) | series index (16): one word, so
 * that no reader ever sees half of an entry. 0: empty.
 */
__u64 series_cache[SERIES_CACHE] = {};

static __always_inline u64 pack(u32 dev, u32 op, u32 device, u32 index)
{
	return (u64)dev << 32 | op << 24 | device << 16 | index;
}

static __noinline u32 device_number(u32 dev)
{
	struct iostrata_device *device;
	u32 *known = bpf_map_lookup_elem(&device_index, &dev);
	u32 number;

	if (known)
		return *known;
	if (cfg_filter_devices)
		return SERIES_NONE;
	number = atomic_fetch_add(&devices_used, 1);
	device = bpf_map_lookup_elem(&devices, &number);
	if (!device)
		return IOSTRATA_DEVICES_MAX;
	if (bpf_map_update_elem(&device_index, &dev, &number, BPF_NOEXIST)) {
		/* Another CPU was first; this number stays unused. */
		known = bpf_map_lookup_elem(&device_index, &dev);
		return known ? *known : IOSTRATA_DEVICES_MAX;
	}
	device->dev = dev;
	device->used = 1;
	return number;
}

static __noinline u64 series_make(u32 dev, u32 op, u32 device)
{
	struct iostrata_series_name name = { .dev = dev, .op = op }, *slot;
	u32 index = atomic_fetch_add(&series_used, 1);
	u64 word = pack(dev, op, device, index), *known;

	slot = bpf_map_lookup_elem(&series_names, &index);
	if (!slot)
		return pack(dev, op, device, SERIES_NONE);
	if (bpf_map_update_elem(&series_index, &name, &word, BPF_NOEXIST)) {
		known = bpf_map_lookup_elem(&series_index, &name);
		return known ? *known : pack(dev, op, device, SERIES_NONE);
	}
	*slot = name;
	return word;
}

static __noinline u64 series_search(u32 dev, u32 op)
{
	struct iostrata_series_name name = { .dev = dev, .op = op };
	u64 *known = bpf_map_lookup_elem(&series_index, &name);
	u32 device;

	if (known)
		return *known;
	device = device_number(dev);
	if (device == SERIES_NONE)
		return pack(dev, op, DEVICE_NOT_WANTED, SERIES_NONE);
	if (device >= IOSTRATA_DEVICES_MAX)
		return pack(dev, op, DEVICE_NO_ROOM, SERIES_NONE);
	return series_make(dev, op, device);
}

/* The packed word of (dev, op); its device part is DEVICE_NOT_WANTED or _NO_ROOM
 * where there is none, its series part SERIES_NONE when there is no series.
 */
static __always_inline u64 series_of(u32 dev, u32 op)
{
	/* Most disks have minor 0: their majors must tell them apart. */
	u32 at = ((dev ^ dev >> 20) * 31 + op) & (SERIES_CACHE - 1);
	volatile __u64 *cached = &series_cache[at];
	u64 word = *cached; /* once: another CPU may change it */

	if (word >> 24 == ((u64)dev << 8 | op))
		return word;
	word = series_search(dev, op);
	/* What is not wanted may be later. */
	if (!cfg_late_devices || (word >> 16 & 0xff) != DEVICE_NOT_WANTED)
		*cached = word;
	return word;
}

static __always_inline struct iostrata_series *series_here(u32 index)
{
	u32 at = index * cfg_cpus + bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&series, &at);
}

#endif
