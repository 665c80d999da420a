// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "load/refuse.h"

static const char mountinfo[] =
	"21 26 0:20 / /proc rw,relatime - proc proc rw\n"
	"36 35 98:3 /root /srv/with\\040space rw,noatime master:1 shared:7 - ext4 /dev/sdb3 rw\n"
	"37 35 0:45 / /btrfs rw - btrfs /dev/null rw,subvol=/\n"
	"38 35 0:46 / /empty rw - tmpfs none rw\n";

static struct refuse_scope scope_of(dev_t a, dev_t b)
{
	return (struct refuse_scope){ .path = "/dev/x", .block = true, .count = 2,
				      .related = { a, b } };
}

static int in_mounts(const char *text, const struct refuse_scope *scope,
		     struct refuse_finding *found)
{
	FILE *stream = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	int ret;

	*found = (struct refuse_finding){ 0 };
	ret = refuse_mounts(stream, scope, found);
	fclose(stream);
	return ret;
}

static void mounts_by_number(void **state)
{
	struct refuse_scope itself = scope_of(makedev(98, 3), 0), parent = scope_of(makedev(98, 0), makedev(98, 3));
	struct refuse_scope other = scope_of(makedev(98, 4), makedev(98, 0));
	struct refuse_finding found;

	(void)state;
	assert_int_equal(in_mounts(mountinfo, &itself, &found), 1);
	assert_string_equal(found.what, "mounted at /srv/with space");
	assert_int_equal(in_mounts(mountinfo, &parent, &found), 1);
	assert_true(found.device == makedev(98, 3));
	assert_int_equal(in_mounts(mountinfo, &other, &found), 0);
}

static void a_table_that_makes_no_sense_is_no_all_clear(void **state)
{
	struct refuse_scope scope = scope_of(makedev(1, 1), 0);
	struct refuse_finding found;

	(void)state;
	assert_int_equal(in_mounts("36 35 98:3 /root\n", &scope, &found), -EINVAL);
	assert_int_equal(in_mounts("36 35 nine /root /m rw - ext4 /dev/x rw\n", &scope, &found), -EINVAL);
	assert_int_equal(in_mounts("36 35 98:3 / /m rw - ext4\n", &scope, &found), 0);
}

static void names_are_unescaped(void **state)
{
	char name[] = "a\\040b\\134c\\011d\\04x\\";

	(void)state;
	refuse_unescape(name);
	assert_string_equal(name, "a b\\c\td\\04x\\");
}

/* A file swapped on, and one mounted by its name (as btrfs shows devices). */
static void tables_that_name_a_file(void **state)
{
	char path[] = "/tmp/iostrata-unit.XXXXXX", text[256];
	int fd = mkstemp(path);
	struct refuse_finding found = { 0 };
	struct refuse_scope scope;
	struct stat st;
	FILE *stream;

	(void)state;
	assert_true(fd >= 0 && !fstat(fd, &st));
	assert_int_equal(refuse_scope_of(path, &st, &scope), 0);
	snprintf(text, sizeof(text), "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
				     "%s file\t\t4096\t\t0\t\t-2\n", path);
	stream = fmemopen(text, strlen(text), "r");
	assert_int_equal(refuse_swaps(stream, &scope, &found), 1);
	assert_non_null(strstr(found.what, path));
	fclose(stream);
	snprintf(text, sizeof(text), "Filename\nfile\n/nowhere file 1 0 -2\n");
	stream = fmemopen(text, strlen(text), "r");
	assert_int_equal(refuse_swaps(stream, &scope, &found), 0);
	fclose(stream);
	snprintf(text, sizeof(text), "37 35 0:45 / /b rw - btrfs %s rw\n", path);
	assert_int_equal(in_mounts(text, &scope, &found), 1);
	close(fd);
	unlink(path);
}

static void make(const char *root, const char *path, const char *text)
{
	char full[512];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	if (!text) {
		mkdir(full, 0700);
		return;
	}
	file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void holders_and_loops_in_a_made_up_sysfs(void **state)
{
	char root[] = "/tmp/iostrata-sysfs.XXXXXX", backing[64], command[128];
	struct refuse_scope held = scope_of(makedev(8, 0), makedev(8, 1)), file;
	struct refuse_scope bare = scope_of(makedev(8, 0), makedev(8, 0));
	struct refuse_finding found = { 0 };
	struct stat st;

	(void)state;
	assert_non_null(mkdtemp(root));
	make(root, "dev/block/8:0/holders", NULL);
	make(root, "dev/block/8:1/holders/md127", "");
	make(root, "block/loop9999/loop/backing_file", "/nowhere\n");
	assert_int_equal(refuse_holders(root, &held, &found), 1);
	assert_true(found.device == makedev(8, 1));
	assert_non_null(strstr(found.what, "md127"));
	assert_int_equal(refuse_holders(root, &bare, &found), 0);

	/* There is no such loop device to ask: the name in sysfs must do. */
	snprintf(backing, sizeof(backing), "%s/backing", root);
	make(root, "backing", "x");
	assert_int_equal(stat(backing, &st), 0);
	assert_int_equal(refuse_scope_of(backing, &st, &file), 0);
	assert_int_equal(refuse_loops(root, &file, &found), 0);
	make(root, "block/loop9999/loop/backing_file", backing);
	assert_int_equal(refuse_loops(root, &file, &found), 1);
	assert_non_null(strstr(found.what, "loop9999"));
	snprintf(command, sizeof(command), "%s/block", root);
	assert_int_equal(refuse_loops(command, &file, &found), -ENOENT); /* no sysfs: not free */
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

static int with_byte_at(off_t at, struct refuse_finding *found)
{
	const uint64_t bytes = 16 << 20;
	char path[] = "/tmp/iostrata-unit.XXXXXX";
	int fd = mkstemp(path), ret;

	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	if (at >= 0)
		assert_int_equal(pwrite(fd, "x", 1, at), 1);
	ret = refuse_content(fd, bytes, found);
	close(fd);
	unlink(path);
	return ret;
}

static void content_is_found(void **state)
{
	struct refuse_finding found;

	(void)state;
	assert_int_equal(with_byte_at(-1, &found), 0);
	assert_int_equal(with_byte_at(0, &found), 1);
	assert_int_equal(with_byte_at((1 << 20) - 1, &found), 1);
	assert_int_equal(with_byte_at((16 << 20) - 1, &found), 1);
	assert_int_equal(with_byte_at(8 << 20, &found), 1); /* a sample in the middle */
}

static void signatures_are_found(void **state)
{
	char path[] = "/tmp/iostrata-unit.XXXXXX";
	int fd = mkstemp(path);
	struct refuse_finding found;

	(void)state;
	assert_int_equal(ftruncate(fd, 1 << 20), 0);
	assert_int_equal(refuse_signature(fd, &found), 0);
	assert_int_equal(pwrite(fd, "XFSB\0\0\x10\0", 8, 0), 8); /* no whole superblock */
	assert_int_equal(refuse_signature(fd, &found), 0);
	assert_int_equal(pwrite(fd, "LUKS\xba\xbe\0\1", 8, 0), 8);
	assert_int_equal(refuse_signature(fd, &found), 1);
	assert_non_null(strstr(found.what, "crypto_LUKS"));
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mounts_by_number),
		cmocka_unit_test(a_table_that_makes_no_sense_is_no_all_clear),
		cmocka_unit_test(names_are_unescaped),
		cmocka_unit_test(tables_that_name_a_file),
		cmocka_unit_test(holders_and_loops_in_a_made_up_sysfs),
		cmocka_unit_test(content_is_found),
		cmocka_unit_test(signatures_are_found),
	};

	return cmocka_run_group_tests_name("load refuse", tests, NULL, NULL);
}
