/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A directory tree in $TMPDIR for code that reads sysfs or procfs by a root
 * it is given.
 */
#ifndef IOSTRATA_TEST_FIXTURE_H
#define IOSTRATA_TEST_FIXTURE_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
	char root[128];
};

static inline void fixture_make(struct fixture *fixture)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(fixture->root, sizeof(fixture->root), "%s/iostrata-unit.XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(fixture->root));
}

static inline int fixture_drop(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
	(void)stat, (void)type, (void)ftw;
	return remove(path);
}

static inline void fixture_remove(struct fixture *fixture)
{
	assert_int_equal(nftw(fixture->root, fixture_drop, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* Makes all directories of root/name but the last component. */
static inline void fixture_path(const struct fixture *fixture, const char *name, char *path, size_t size)
{
	assert_true((size_t)snprintf(path, size, "%s/%s", fixture->root, name) < size);
	for (char *at = path + strlen(fixture->root) + 1; (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		mkdir(path, 0755);
	}
}

static inline void fixture_file(const struct fixture *fixture, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	fixture_path(fixture, name, path, sizeof(path));
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static inline void fixture_dir(const struct fixture *fixture, const char *name)
{
	char path[512];

	fixture_path(fixture, name, path, sizeof(path));
	mkdir(path, 0755);
}

static inline void fixture_link(const struct fixture *fixture, const char *name, const char *to)
{
	char path[512];

	fixture_path(fixture, name, path, sizeof(path));
	assert_int_equal(symlink(to, path), 0);
}

#endif
