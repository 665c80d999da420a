/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A kernel of a few lines, in which the BPF programs run as plain functions:
 * so a test can hand them sequences of events that no device here produces
 * (requeues, partial completions, a completion withheld) at the times it wants.
 * In: bpf/<name>.bpf.c, included after this. Out: its programs, maps and globals, all
 * writable. Types are those of vmlinux/vmlinux.h, not relocated.
 *
 * What it can't show: what the verifier refuses, and races between CPUs.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BPF_NO_PRESERVE_ACCESS_INDEX
#define __bpf__ /* the shared headers' kernel side */
#include "vmlinux.h"

#define SEC(name)
#undef __always_inline
#define __always_inline inline
#undef __noinline
#define __noinline
#define barrier() __asm__ volatile("" ::: "memory")
#define __uint(name, value) int(*name)[value]
#define __type(name, value) __typeof__(value) *name

/* bpf/key.bpf.h is one BPF instruction. */
#define IOSTRATA_KEY_BPF_H
#define address_key(pointer) pointer_key(pointer)
#define number_key(number) pointer_key(number)
#define key_number(key) ((void *)(key))
static inline u64 pointer_key(const void *pointer)
{
	return (u64)pointer;
}

/* Through NULL it reads 0, as in the kernel. */
#define FAKE_READ(from, field) ((from) ? (from)->field : (__typeof__((from)->field))0)
#define FAKE_READ2(from, a, b) FAKE_READ(FAKE_READ(from, a), b)
#define FAKE_READ_PICK(from, a, b, name, ...) name
#define BPF_CORE_READ(...) FAKE_READ_PICK(__VA_ARGS__, FAKE_READ2, FAKE_READ)(__VA_ARGS__)
/* bpf/access.bpf.h: a program is a function. */
#define IOSTRATA_ACCESS_BPF_H
#define HOOK(tracepoint)
#define HOOK_IF_WANTED(tracepoint)
#define HOOK_FUNCTION(function, n, handler)                                                        \
	int on_##function(u64 *ctx)                                                                \
	{                                                                                          \
		return handler(ctx[n]);                                                            \
	}
#define GET BPF_CORE_READ
static inline u64 argument(const void *ctx, u32 index)
{
	return ((const u64 *)ctx)[index];
}
/* This kernel is new: it has the fields, and none of the old flavours'. */
#define bpf_core_field_exists(field) (!strstr(#field, "___"))
#define bpf_core_field_offset(type, field) __builtin_offsetof(type, field)
#define bpf_core_enum_value_exists(type, value) 1
#define bpf_core_enum_value(type, value) (value)

static struct fake_kernel {
	u64 now_ns, pid_tgid;
	struct task_struct *current;
	u32 cpu;
} fake;

#define bpf_ktime_get_ns() (fake.now_ns)
#define bpf_get_current_pid_tgid() (fake.pid_tgid)
#define bpf_core_read_str(to, size, from) snprintf(to, size, "%s", (const char *)(from))
#define bpf_get_current_task_btf() (fake.current)
#define bpf_get_current_task() ((u64)fake.current)
#define bpf_get_smp_processor_id() (fake.cpu)

static inline long bpf_probe_read_kernel(void *to, u32 size, const void *from)
{
	memcpy(to, from, size);
	return 0;
}

static inline int bpf_get_ns_current_pid_tgid(u64 dev, u64 ino, struct bpf_pidns_info *info, u32 size)
{
	(void)dev, (void)ino, (void)size;
	info->pid = (u32)fake.pid_tgid;
	info->tgid = fake.pid_tgid >> 32;
	return 0;
}

/* Maps are known by the address of the object that declares them. */
enum { FAKE_MAPS = 20, FAKE_ENTRIES = 1024, FAKE_KEY_MAX = 32 };

static struct fake_map {
	const void *id;
	u32 room; /* entries it takes; lower it to see a full map */
	bool used[FAKE_ENTRIES];
	unsigned char key[FAKE_ENTRIES][FAKE_KEY_MAX];
	unsigned char *values;
} fake_maps[FAKE_MAPS];

static struct fake_map *fake_map(const void *id, u32 value_size)
{
	for (int i = 0; i < FAKE_MAPS; i++) {
		struct fake_map *map = &fake_maps[i];

		if (map->id == id)
			return map;
		if (map->id)
			continue;
		map->id = id;
		map->room = FAKE_ENTRIES;
		map->values = aligned_alloc(64, (FAKE_ENTRIES * (size_t)value_size + 63) / 64 * 64);
		assert(map->values);
		memset(map->values, 0, FAKE_ENTRIES * (size_t)value_size);
		return map;
	}
	abort();
}

static inline void fake_reset(void)
{
	for (int i = 0; i < FAKE_MAPS; i++)
		free(fake_maps[i].values);
	memset(fake_maps, 0, sizeof(fake_maps));
	memset(&fake, 0, sizeof(fake));
}

static inline int fake_find(const struct fake_map *map, const void *key, u32 key_size)
{
	for (int i = 0; i < FAKE_ENTRIES; i++)
		if (map->used[i] && !memcmp(map->key[i], key, key_size))
			return i;
	return -1;
}

static inline void *fake_lookup(const void *id, bool array, const void *key, u32 key_size,
				u32 value_size)
{
	struct fake_map *map = fake_map(id, value_size);
	int at = array ? (int)(*(const u32 *)key < map->room ? *(const u32 *)key : -1u)
		       : fake_find(map, key, key_size);

	return at < 0 ? NULL : map->values + (size_t)at * value_size;
}

static inline int fake_insert(const void *id, const void *key, const void *value, u32 key_size,
			      u32 value_size, u32 flags)
{
	struct fake_map *map = fake_map(id, value_size);
	int at = fake_find(map, key, key_size);

	if (at >= 0 && flags == BPF_NOEXIST)
		return -EEXIST;
	if (at >= 0)
		map->used[at] = false;
	for (u32 i = 0; i < map->room; i++) {
		if (map->used[i])
			continue;
		map->used[i] = true;
		memcpy(map->key[i], key, key_size);
		memcpy(map->values + (size_t)i * value_size, value, value_size);
		return 0;
	}
	return -E2BIG;
}

/* The element's memory is soon another's: nobody may use it any more. */
static inline int fake_delete(const void *id, const void *key, u32 key_size, u32 value_size)
{
	struct fake_map *map = fake_map(id, value_size);
	int at = fake_find(map, key, key_size);

	if (at < 0)
		return -ENOENT;
	map->used[at] = false;
	memset(map->values + (size_t)at * value_size, 0xa5, value_size);
	return 0;
}

static inline u32 fake_used(const void *id, u32 value_size)
{
	struct fake_map *map = fake_map(id, value_size);
	u32 used = 0;

	for (int i = 0; i < FAKE_ENTRIES; i++)
		used += map->used[i];
	return used;
}

#define FAKE_SIZES(map) sizeof(*(map)->key), sizeof(*(map)->value)
#define FAKE_IS_ARRAY(map) (sizeof(*(map)->type) / sizeof(int) == BPF_MAP_TYPE_ARRAY)
#define bpf_map_lookup_elem(map, at) \
	((__typeof__((map)->value))fake_lookup(map, FAKE_IS_ARRAY(map), at, FAKE_SIZES(map)))
#define bpf_map_update_elem(map, at, what, flags) fake_insert(map, at, what, FAKE_SIZES(map), flags)
#define bpf_map_delete_elem(map, at) fake_delete(map, at, FAKE_SIZES(map))
#define fake_count(map) fake_used(map, sizeof(*(map)->value))

/* Read-only configuration is writable here, and programs need no prototypes. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wpointer-arith"
#pragma GCC diagnostic ignored "-Wunused-function"
#define const

#endif
