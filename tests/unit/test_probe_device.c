// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixture.h"
#include "probe/device_behind.h"
#include "probe/device_state.h"
#include "probe/devno.h"

static int make(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture_make(fixture);
	*state = fixture;
	return 0;
}

static int drop(void **state)
{
	fixture_remove(*state);
	free(*state);
	return 0;
}

static void nvme(const struct fixture *f)
{
	fixture_file(f, "devices/pci/nvme0/model", "Samsung SSD 980 PRO 1TB                 \n");
	fixture_file(f, "devices/pci/nvme0/firmware_rev", "5B2QGXA7\n");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/dev", "259:0\n");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/size", "1953525168\n");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/queue/scheduler", "[none] mq-deadline kyber bfq \n");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/queue/write_cache", "write back\n");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/queue/nr_requests", "1023\n");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/queue/rotational", "0\n");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/queue/iostats", "1\n");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/queue/logical_block_size", "512\n");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/queue/max_sectors_kb", "128\n");
	fixture_dir(f, "devices/pci/nvme0/nvme0n1/mq/0");
	fixture_dir(f, "devices/pci/nvme0/nvme0n1/mq/1");
	fixture_dir(f, "devices/pci/nvme0/nvme0n1/mq/10");
	fixture_link(f, "devices/pci/nvme0/nvme0n1/device", "..");
	fixture_link(f, "dev/block/259:0", "../../devices/pci/nvme0/nvme0n1");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/nvme0n1p300/dev", "259:300\n");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/nvme0n1p300/partition", "300\n");
	fixture_file(f, "devices/pci/nvme0/nvme0n1/nvme0n1p300/size", "2048\n");
	fixture_link(f, "dev/block/259:300", "../../devices/pci/nvme0/nvme0n1/nvme0n1p300");
}

static void is_nvme(const struct device_state *s)
{
	assert_string_equal(s->name, "nvme0n1");
	assert_int_equal(s->major, 259);
	assert_int_equal(s->minor, 0);
	assert_string_equal(s->model, "Samsung SSD 980 PRO 1TB");
	assert_string_equal(s->firmware, "5B2QGXA7");
	assert_string_equal(s->scheduler, "none");
	assert_string_equal(s->write_cache, "write back");
	assert_string_equal(s->backing, "");
	assert_int_equal(s->nr_requests, 1023);
	assert_int_equal(s->hw_queues, 3);
	assert_int_equal(s->size_bytes, 1000204886016);
	assert_int_equal(s->logical_block, 512);
	assert_int_equal(s->iostats, 1);
	assert_int_equal(s->rotational, 0);
	assert_int_equal(s->max_sectors_kb, 128);
	/* No such file (no wbt on this queue): unknown, not 0. */
	assert_int_equal(s->wbt_lat_usec, UINT64_MAX);
}

static void disk(void **state)
{
	struct device_state s;
	struct fixture *f = *state;

	nvme(f);
	assert_int_equal(device_state_by_number(f->root, 259, 0, &s), 0);
	is_nvme(&s);
}

static void partition_is_its_disk(void **state)
{
	struct device_state s;
	struct fixture *f = *state;

	nvme(f);
	assert_int_equal(device_state_by_number(f->root, 259, 300, &s), 0);
	is_nvme(&s);
}

static void scsi(void **state)
{
	struct device_state s;
	struct fixture *f = *state;

	fixture_file(f, "devices/host0/0:0:0:0/model", "ST4000NM0033-9ZM\n");
	fixture_file(f, "devices/host0/0:0:0:0/rev", "SN04\n");
	fixture_file(f, "devices/host0/0:0:0:0/block/sdq/dev", "65:0\n");
	fixture_file(f, "devices/host0/0:0:0:0/block/sdq/queue/scheduler", "none mq-deadline [bfq]\n");
	fixture_link(f, "devices/host0/0:0:0:0/block/sdq/device", "../../../0:0:0:0");
	fixture_link(f, "dev/block/65:0", "../../devices/host0/0:0:0:0/block/sdq");
	assert_int_equal(device_state_by_number(f->root, 65, 0, &s), 0);
	assert_string_equal(s.name, "sdq");
	assert_string_equal(s.model, "ST4000NM0033-9ZM");
	assert_string_equal(s.firmware, "SN04");
	assert_string_equal(s.scheduler, "bfq");
	assert_int_equal(s.nr_requests, UINT64_MAX);
	assert_int_equal(s.hw_queues, UINT64_MAX);
	assert_int_equal(s.size_bytes, UINT64_MAX);
}

static void loop(void **state)
{
	struct device_state s;
	struct fixture *f = *state;

	fixture_file(f, "devices/virtual/block/loop300/dev", "7:300\n");
	fixture_file(f, "devices/virtual/block/loop300/loop/backing_file", "/var/lib/a file.img (deleted)\n");
	fixture_link(f, "dev/block/7:300", "../../devices/virtual/block/loop300");
	assert_int_equal(device_state_by_number(f->root, 7, 300, &s), 0);
	assert_string_equal(s.name, "loop300");
	assert_int_equal(s.minor, 300);
	assert_string_equal(s.backing, "/var/lib/a file.img (deleted)");
}

static void mapper(void **state)
{
	struct device_state s;
	struct fixture *f = *state;

	fixture_file(f, "devices/virtual/block/dm-0/dev", "252:0\n");
	fixture_file(f, "devices/virtual/block/dm-0/dm/name", "vg0-root\n");
	fixture_file(f, "devices/virtual/block/dm-0/queue/scheduler", "none\n");
	fixture_dir(f, "devices/virtual/block/dm-0/slaves/sdb10");
	fixture_dir(f, "devices/virtual/block/dm-0/slaves/sdb2");
	fixture_link(f, "dev/block/252:0", "../../devices/virtual/block/dm-0");
	assert_int_equal(device_state_by_number(f->root, 252, 0, &s), 0);
	assert_string_equal(s.model, "vg0-root");
	assert_string_equal(s.scheduler, "none");
	assert_string_equal(s.backing, "sdb2 sdb10");
}

static void many_slaves_are_cut_openly(void **state)
{
	struct device_state s;
	struct fixture *f = *state;
	char name[96];

	fixture_file(f, "devices/virtual/block/md0/dev", "9:0\n");
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "devices/virtual/block/md0/slaves/a-rather-long-name-%02d", i);
		fixture_dir(f, name);
	}
	fixture_link(f, "dev/block/9:0", "../../devices/virtual/block/md0");
	assert_int_equal(device_state_by_number(f->root, 9, 0, &s), 0);
	assert_true(strlen(s.backing) < sizeof(s.backing));
	assert_non_null(strstr(s.backing, "a-rather-long-name-00 "));
	assert_string_equal(s.backing + strlen(s.backing) - strlen(" …"), " …");
}

static void unknown_device(void **state)
{
	struct device_state s;
	struct fixture *f = *state;

	assert_int_equal(device_state_by_number(f->root, 8, 0, &s), -ENODEV);
	assert_string_equal(s.name, "");
	assert_int_equal(s.nr_requests, UINT64_MAX);
	assert_int_equal(device_state_read("/nonexistent", &s), -ENOENT);
	assert_int_equal(device_state_read("/proc/self/stat", &s), -ENODEV);
	assert_int_equal(s.size_bytes, UINT64_MAX);
}

static void mount_lines(void **state)
{
	static const char line[] = "29 1 0:27 /sub /mnt rw shared:1 master:2 - btrfs /dev/my\\040disk rw\n";
	char source[32];

	(void)state;
	assert_true(mountinfo_source(line, 29, source, sizeof(source)));
	assert_string_equal(source, "/dev/my disk");
	assert_false(mountinfo_source(line, 2, source, sizeof(source)));
	assert_false(mountinfo_source(line, 29, source, 5));
	assert_false(mountinfo_source("29 1 0:27 / /mnt rw\n", 29, source, sizeof(source)));
	assert_false(mountinfo_source("", 0, source, sizeof(source)));
}

static void numbers(void **state)
{
	static const struct { uint32_t major, minor, kernel; } rows[] = {
		{ 8, 1, 0x00800001 }, { 7, 255, 0x007000ff }, { 7, 256, 0x00700100 },
		{ 259, 300, 0x1030012c }, { 4095, 1048575, 0xffffffff }, { 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t kernel = devno_kernel(rows[i].major, rows[i].minor);

		assert_int_equal(kernel, rows[i].kernel);
		assert_int_equal(devno_major(kernel), rows[i].major);
		assert_int_equal(devno_minor(kernel), rows[i].minor);
		assert_int_equal(devno_from_user(makedev(rows[i].major, rows[i].minor)), kernel);
		assert_int_equal(devno_to_user(kernel), makedev(rows[i].major, rows[i].minor));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(disk, make, drop),
		cmocka_unit_test_setup_teardown(partition_is_its_disk, make, drop),
		cmocka_unit_test_setup_teardown(scsi, make, drop),
		cmocka_unit_test_setup_teardown(loop, make, drop),
		cmocka_unit_test_setup_teardown(mapper, make, drop),
		cmocka_unit_test_setup_teardown(many_slaves_are_cut_openly, make, drop),
		cmocka_unit_test_setup_teardown(unknown_device, make, drop),
		cmocka_unit_test(mount_lines),
		cmocka_unit_test(numbers),
	};

	return cmocka_run_group_tests_name("probe device", tests, NULL, NULL);
}
