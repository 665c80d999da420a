// SPDX-License-Identifier: GPL-2.0-only
// What a disk lies on, read from a sysfs made for the test.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixture.h"
#include "probe/device_stack.h"

static void disk(const struct fixture *f, const char *name, const char *dev)
{
	char path[160], to[160];

	snprintf(path, sizeof(path), "devices/%s/dev", name);
	fixture_file(f, path, dev);
	snprintf(path, sizeof(path), "block/%s", name);
	snprintf(to, sizeof(to), "../devices/%s", name);
	fixture_link(f, path, to);
	snprintf(path, sizeof(path), "class/block/%s", name);
	snprintf(to, sizeof(to), "../../devices/%s", name);
	fixture_link(f, path, to);
	snprintf(path, sizeof(path), "dev/block/%.*s", (int)strcspn(dev, "\n"), dev);
	fixture_link(f, path, to);
}

static void slave(const struct fixture *f, const char *of, const char *name)
{
	char path[160];

	snprintf(path, sizeof(path), "devices/%s/slaves/%s/x", of, name);
	fixture_file(f, path, "");
}

/* dm-1 on dm-0 and sdb's partition; dm-0 on sda and sdb. */
static void build(const struct fixture *f)
{
	disk(f, "sda", "8:0\n");
	disk(f, "sdb", "8:16\n");
	disk(f, "dm-0", "253:0\n");
	disk(f, "dm-1", "253:1\n");
	fixture_file(f, "devices/sdb/sdb1/dev", "8:17\n");
	fixture_file(f, "devices/sdb/sdb1/partition", "1\n");
	fixture_link(f, "class/block/sdb1", "../../devices/sdb/sdb1");
	fixture_link(f, "dev/block/8:17", "../../devices/sdb/sdb1");
	slave(f, "dm-1", "dm-0");
	slave(f, "dm-1", "sdb1");
	slave(f, "dm-0", "sda");
	slave(f, "dm-0", "sdb");
}

static void is(const struct device_below *below, const char *name, const char *above, uint32_t minor)
{
	assert_string_equal(below->name, name);
	assert_string_equal(below->above, above);
	assert_int_equal(below->minor, minor);
}

static void upper_ones_come_first(void **state)
{
	struct fixture f;
	struct device_stack stack;

	(void)state;
	fixture_make(&f);
	build(&f);
	device_stack_read(f.root, "dm-1", &stack);
	assert_int_equal(stack.count, 3);
	is(&stack.below[0], "dm-0", "dm-1", 0);
	is(&stack.below[1], "sdb", "dm-1", 16); /* its partition's disk, once */
	is(&stack.below[2], "sda", "dm-0", 0);
	assert_false(stack.has_paths);
	device_stack_read(f.root, "sda", &stack);
	assert_int_equal(stack.count, 0);
	device_stack_read(f.root, "gone", &stack);
	assert_int_equal(stack.count, 0);
	fixture_remove(&f);
}

static void a_multipath_head_has_paths(void **state)
{
	struct fixture f;
	struct device_stack stack;

	(void)state;
	fixture_make(&f);
	disk(&f, "nvme0n1", "259:1\n");
	device_stack_read(f.root, "nvme0n1", &stack);
	assert_false(stack.has_paths);
	fixture_file(&f, "block/nvme0c1n2/hidden", "1\n");
	device_stack_read(f.root, "nvme0n1", &stack);
	assert_false(stack.has_paths);
	fixture_file(&f, "block/nvme0c1n1/hidden", "1\n");
	device_stack_read(f.root, "nvme0n1", &stack);
	assert_true(stack.has_paths);
	assert_int_equal(stack.count, 0);
	fixture_remove(&f);
}

static void more_than_fit_are_left_out(void **state)
{
	struct fixture f;
	struct device_stack stack;
	char name[16], dev[16];

	(void)state;
	fixture_make(&f);
	disk(&f, "md0", "9:0\n");
	for (int i = 0; i < DEVICE_STACK_MAX + 3; i++) {
		snprintf(name, sizeof(name), "sd%c", 'a' + i);
		snprintf(dev, sizeof(dev), "8:%d\n", 16 * i);
		disk(&f, name, dev);
		slave(&f, "md0", name);
	}
	device_stack_read(f.root, "md0", &stack);
	assert_int_equal(stack.count, DEVICE_STACK_MAX);
	fixture_remove(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(upper_ones_come_first),
		cmocka_unit_test(a_multipath_head_has_paths),
		cmocka_unit_test(more_than_fit_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
