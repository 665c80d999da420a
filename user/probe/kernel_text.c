// SPDX-License-Identifier: GPL-2.0-only
// In: the name of a sysfs or procfs file. Out: its one line.
#include "probe/kernel_text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"

int kernel_path(const char *dir, const char *name, char *out, size_t size)
{
	int length = snprintf(out, size, "%s/%s", dir, name);

	return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

static void trim(char *line)
{
	size_t length;

	line[strcspn(line, "\n")] = '\0';
	length = strlen(line);
	while (length && strchr(" \t\r", line[length - 1]))
		line[--length] = '\0';
}

static int read_start(const char *path, char *out, size_t size)
{
	/* A FIFO or a tty in the place of a sysfs file must not hang us. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t got;
	int err = 0;

	if (fd < 0)
		return -errno;
	got = read(fd, out, size - 1);
	if (got < 0)
		err = -errno;
	out[got > 0 ? got : 0] = '\0';
	close(fd);
	return err;
}

int kernel_line(const char *dir, const char *name, char *out, size_t size)
{
	char path[PATH_MAX];
	int err;

	out[0] = '\0';
	err = kernel_path(dir, name, path, sizeof(path));
	if (!err)
		err = read_start(path, out, size);
	trim(out);
	return err;
}

int kernel_u64(const char *dir, const char *name, uint64_t *out)
{
	char line[32];
	int err = kernel_line(dir, name, line, sizeof(line));

	return err ? err : parse_u64(line, out);
}

int kernel_s64(const char *dir, const char *name, int64_t *out)
{
	char line[32];
	uint64_t value = 0;
	int err = kernel_line(dir, name, line, sizeof(line));
	int negative = line[0] == '-';

	if (!err)
		err = parse_u64(line + negative, &value);
	if (err)
		return err;
	if (value > INT64_MAX)
		return -ERANGE;
	*out = negative ? -(int64_t)value : (int64_t)value;
	return 0;
}
