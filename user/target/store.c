// SPDX-License-Identifier: GPL-2.0-only
// In: ranges of a device. Out: memory, allocated page by page as written.
#include "target/store.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_DONTNEED_LOCKED /* Linux 5.18 */
#define MADV_DONTNEED_LOCKED 24
#endif

enum { PAGE = 4096 };

int store_open(struct store *store, uint64_t size_bytes)
{
	void *bytes = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (bytes == MAP_FAILED)
		return -errno;
	/* A huge page would make one small write clear 2 MiB in mid-service. */
	madvise(bytes, size_bytes, MADV_NOHUGEPAGE);
	*store = (struct store){ bytes, size_bytes };
	return 0;
}

void store_close(struct store *store)
{
	munmap(store->bytes, store->size);
	*store = (struct store){ 0 };
}

static bool within(const struct store *store, uint64_t offset, uint64_t length)
{
	return offset <= store->size && length <= store->size - offset;
}

const void *store_at(const struct store *store, uint64_t offset, uint64_t length)
{
	return within(store, offset, length) ? store->bytes + offset : NULL;
}

int store_write(struct store *store, uint64_t offset, const void *from, uint64_t length)
{
	if (!within(store, offset, length))
		return -EINVAL;
	memcpy(store->bytes + offset, from, length);
	return 0;
}

/* The server locks its memory; before Linux 5.18 locked pages can't be given
 * back, but they can be cleared.
 */
static void give_back(void *pages, uint64_t length)
{
	if (madvise(pages, length, MADV_DONTNEED) && madvise(pages, length, MADV_DONTNEED_LOCKED))
		memset(pages, 0, length);
}

int store_discard(struct store *store, uint64_t offset, uint64_t length)
{
	uint64_t first = (offset + PAGE - 1) / PAGE * PAGE, end = (offset + length) / PAGE * PAGE;

	if (!within(store, offset, length))
		return -EINVAL;
	if (first >= end) {
		memset(store->bytes + offset, 0, length);
		return 0;
	}
	memset(store->bytes + offset, 0, first - offset);
	memset(store->bytes + end, 0, offset + length - end);
	give_back(store->bytes + first, end - first);
	return 0;
}
