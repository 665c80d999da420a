/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The bytes of the device: sparse memory. In: writes and discards. Out: what
 * was written last, zero where nothing was. Ranges beyond the size are refused
 * with -EINVAL.
 */
#ifndef IOSTRATA_TARGET_STORE_H
#define IOSTRATA_TARGET_STORE_H

#include <stddef.h>
#include <stdint.h>

struct store {
	unsigned char *bytes;
	uint64_t size;
};

/* 0 or -errno (-ENOMEM: no such room in the address space). */
int store_open(struct store *store, uint64_t size_bytes);
void store_close(struct store *store);

/* Where `length` bytes at `offset` lie, or NULL when out of range. */
const void *store_at(const struct store *store, uint64_t offset, uint64_t length);
int store_write(struct store *store, uint64_t offset, const void *from, uint64_t length);
/* The range reads zero after; whole pages are given back. */
int store_discard(struct store *store, uint64_t offset, uint64_t length);

#endif
