// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#include "target/store.h"

enum { SIZE = 1 << 20, PAGE = 4096 };

static int open_store(void **state)
{
	static struct store store;

	*state = &store;
	return store_open(&store, SIZE);
}

static int close_store(void **state)
{
	store_close(*state);
	return 0;
}

static unsigned int pages_present(const struct store *store)
{
	unsigned char present[SIZE / PAGE];
	unsigned int count = 0;

	assert_int_equal(mincore(store->bytes, SIZE, present), 0);
	for (unsigned int i = 0; i < SIZE / PAGE; i++)
		count += present[i] & 1;
	return count;
}

static int all_bytes(const void *at, int value, size_t length)
{
	const unsigned char *bytes = at;

	while (length--)
		if (bytes[length] != value)
			return 0;
	return 1;
}

static void only_what_is_written_takes_memory(void **state)
{
	struct store *store = *state;

	assert_int_equal(pages_present(store), 0);
	assert_int_equal(store_write(store, 3 * PAGE - 1, "ab", 2), 0);
	assert_int_equal(pages_present(store), 2);
	assert_true(all_bytes(store_at(store, 0, 3 * PAGE - 1), 0, 3 * PAGE - 1));
	assert_memory_equal(store_at(store, 3 * PAGE - 1, 2), "ab", 2);
}

static void a_discard_reads_zero_and_gives_pages_back(void **state)
{
	struct store *store = *state;
	unsigned char full[8 * PAGE];

	memset(full, 0x5a, sizeof(full));
	assert_int_equal(store_write(store, 0, full, sizeof(full)), 0);
	assert_int_equal(store_discard(store, 512, 4 * PAGE), 0);
	assert_true(all_bytes(store_at(store, 0, 512), 0x5a, 512));
	assert_true(all_bytes(store_at(store, 512, 4 * PAGE), 0, 4 * PAGE));
	assert_true(all_bytes(store_at(store, 4 * PAGE + 512, 512), 0x5a, 512));
	assert_true(pages_present(store) <= 8);
	assert_int_equal(store_discard(store, 6 * PAGE + 10, 20), 0);
	assert_true(all_bytes(store_at(store, 6 * PAGE, 10), 0x5a, 10));
	assert_true(all_bytes(store_at(store, 6 * PAGE + 10, 20), 0, 20));
	assert_true(all_bytes(store_at(store, 6 * PAGE + 30, 10), 0x5a, 10));
}

static void locked_pages_are_cleared_too(void **state)
{
	struct store *store = *state;
	unsigned char full[2 * PAGE];

	memset(full, 1, sizeof(full));
	assert_int_equal(store_write(store, PAGE, full, sizeof(full)), 0);
	if (mlock(store->bytes + PAGE, sizeof(full)))
		skip();
	assert_int_equal(store_discard(store, PAGE, sizeof(full)), 0);
	assert_true(all_bytes(store_at(store, PAGE, sizeof(full)), 0, sizeof(full)));
}

static void the_end_is_the_end(void **state)
{
	struct store *store = *state;

	assert_int_equal(store_write(store, SIZE - 1, "x", 1), 0);
	assert_int_equal(store_write(store, SIZE - 1, "xy", 2), -EINVAL);
	assert_int_equal(store_write(store, UINT64_MAX, "xy", 2), -EINVAL);
	assert_int_equal(store_discard(store, UINT64_MAX - 1, 4), -EINVAL);
	assert_null(store_at(store, SIZE - 1, 2));
	assert_null(store_at(store, 1, UINT64_MAX));
	assert_non_null(store_at(store, SIZE, 0));
	assert_int_equal(store_discard(store, 0, SIZE), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(only_what_is_written_takes_memory, open_store, close_store),
		cmocka_unit_test_setup_teardown(a_discard_reads_zero_and_gives_pages_back, open_store,
						close_store),
		cmocka_unit_test_setup_teardown(locked_pages_are_cleared_too, open_store, close_store),
		cmocka_unit_test_setup_teardown(the_end_is_the_end, open_store, close_store),
	};

	return cmocka_run_group_tests_name("target store", tests, NULL, NULL);
}
