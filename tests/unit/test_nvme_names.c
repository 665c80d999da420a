// SPDX-License-Identifier: GPL-2.0-only
// NVMe's numbers by name, and where a disk hangs: of names and a made-up sysfs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "kernel/nvme_names.h"
#include "probe/nvme_path.h"

static char name[NVME_NAME_SIZE];

#define is(call, wanted) (call, assert_string_equal(name, wanted))

static void opcodes(void **state)
{
	(void)state;
	is(nvme_opcode_name(false, 0x02, name), "read");
	is(nvme_opcode_name(true, 0x02, name), "get log page");
	is(nvme_opcode_name(true, 0x08, name), "abort");
	is(nvme_opcode_name(false, 0x00, name), "flush");
	is(nvme_opcode_name(false, 0xc1, name), "opcode 0xc1");
}

static void statuses(void **state)
{
	(void)state;
	is(nvme_status_name(0x007, name), "abort requested");
	is(nvme_status_name(0x281, name), "unrecovered read error");
	is(nvme_status_name(0x371, name), "aborted by host");
	is(nvme_status_name(0x7ff, name), "status 0x7ff");
}

/* Type 2, information 0, log page 4; and the old form, which has less. */
static void events(void **state)
{
	(void)state;
	is(nvme_event_name(0x040002, name), "namespace changed");
	is(nvme_event_name(0x0c0302, name), "ana change");
	is(nvme_event_name(0x020101, name), "health: temperature");
	is(nvme_event_name(0x0a0007, name), "vendor event");
	is(nvme_event_name(0, name), "namespace changed, or an error");
	is(nvme_event_name(0xf0, name), "discovery log changed");
	is(nvme_event_name(0x55, name), "event 0x55");
	is(nvme_event_name(0x03fe02, name), "event 0x3fe02");
}

static void heads(void **state)
{
	(void)state;
	is(nvme_path_head("nvme0c12n3", name, sizeof(name)), "nvme0n3");
	is(nvme_path_head("nvme0n3", name, sizeof(name)), "");
	is(nvme_path_head("nvme0c1n3p1", name, sizeof(name)), "");
	is(nvme_path_head("sda", name, sizeof(name)), "");
}

/* nvme0n1 on controller nvme0; nvme1n1, the head of two paths, on a subsystem. */
static void make_sysfs(char *root)
{
	static const char *const folders[] = {
		"block", "class", "class/nvme", "class/nvme/nvme0", "class/nvme-subsystem",
		"class/nvme-subsystem/nvme-subsys1", "block/nvme0n1", "block/nvme1n1",
		"block/nvme1c2n1", "block/nvme1c3n1", "block/nvme1c3n2", "block/vda",
	};

	assert_non_null(mkdtemp(root));
	assert_int_equal(chdir(root), 0);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		assert_int_equal(mkdir(folders[i], 0755), 0);
	assert_int_equal(symlink("../../class/nvme/nvme0", "block/nvme0n1/device"), 0);
	assert_int_equal(symlink("../../class/nvme-subsystem/nvme-subsys1", "block/nvme1n1/device"), 0);
}

static void places(void **state)
{
	char root[] = "/tmp/iostrata-nvme.XXXXXX", paths[8][NVME_DISK_NAME], command[64], here[4096];

	(void)state;
	assert_non_null(getcwd(here, sizeof(here)));
	make_sysfs(root);
	is(nvme_path_controller(root, "nvme0n1", name, sizeof(name)), "nvme0");
	is(nvme_path_controller(root, "nvme1c3n1", name, sizeof(name)), "nvme3");
	is(nvme_path_controller(root, "nvme1n1", name, sizeof(name)), "");
	is(nvme_path_controller(root, "nvme9n9", name, sizeof(name)), "");
	is(nvme_path_transport(root, "nvme0", name, sizeof(name)), "");
	assert_int_equal(nvme_path_list(root, "nvme1n1", paths, 8), 2);
	assert_int_equal(strncmp(paths[0], "nvme1c", 6), 0);
	assert_int_equal(nvme_path_list(root, "nvme1n1", paths, 1), 1);
	assert_int_equal(nvme_path_list(root, "nvme0n1", paths, 8), 0);
	assert_int_equal(nvme_path_list("/no/such/folder", "nvme0n1", paths, 8), 0);
	assert_int_equal(chdir(here), 0);
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opcodes), cmocka_unit_test(statuses), cmocka_unit_test(events),
		cmocka_unit_test(heads),   cmocka_unit_test(places),
	};

	return cmocka_run_group_tests_name("nvme names", tests, NULL, NULL);
}
