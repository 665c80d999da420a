// SPDX-License-Identifier: GPL-2.0-only
// In: a path. Out: a stream; then the whole file under that name, or nothing.
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(struct why *why, int err, const char *path, const char *remedy)
{
	return why_set(why, err, EXIT_FAILED, "%s: %s; %s", path, why_text(err), remedy);
}

static int not_kept(const struct output *output, int err, struct why *why)
{
	return refuse(why, err, output->path ? output->path : "standard output",
		      "nothing was kept; make room or write elsewhere");
}

static int open_stream(struct output *output, const char *name, int flags)
{
	/* 0666: the umask decides, as for any other program's output. */
	int fd = open(name, O_CLOEXEC | flags, 0666);

	if (fd < 0)
		return -errno;
	output->stream = fdopen(fd, flags & O_RDWR ? "w+" : "w");
	if (output->stream)
		return 0;
	close(fd);
	return -ENOMEM;
}

/* A link's target is replaced, not the link. */
static char *real_path(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : strdup(path);
}

static int open_beside(struct output *output)
{
	int err;

	if (asprintf(&output->temporary, "%s.%d.tmp", output->path, (int)getpid()) < 0) {
		output->temporary = NULL;
		return -ENOMEM;
	}
	err = open_stream(output, output->temporary, O_RDWR | O_CREAT | O_EXCL);
	if (err) {
		free(output->temporary);
		output->temporary = NULL;
	}
	return err;
}

int output_open(struct output *output, const char *path, struct why *why)
{
	struct stat st;
	int err;

	*output = (struct output){ 0 };
	if (!path || !strcmp(path, "-")) {
		output->stream = stdout;
		return 0;
	}
	output->path = real_path(path);
	if (!output->path)
		return refuse(why, -ENOMEM, path, "free some memory");
	if (!stat(output->path, &st) && !S_ISREG(st.st_mode))
		err = open_stream(output, output->path, O_WRONLY);
	else
		err = open_beside(output);
	if (!err)
		return 0;
	free(output->path);
	output->path = NULL;
	return refuse(why, err, path, "name a file in a directory that can be written to");
}

static int flush(struct output *output)
{
	if (fflush(output->stream))
		return -errno;
	if (ferror(output->stream))
		return -EIO;
	/* A full disk can show only now; a pipe cannot be synced, and need not. */
	if (output->temporary && fsync(fileno(output->stream)))
		return -errno;
	return 0;
}

static void close_stream(struct output *output)
{
	if (output->stream && output->stream != stdout)
		fclose(output->stream);
	output->stream = NULL;
}

int output_sync(struct output *output, struct why *why)
{
	int err = flush(output);

	return err ? not_kept(output, err, why) : 0;
}

int output_finish(struct output *output, struct why *why)
{
	int err = flush(output);

	close_stream(output);
	if (!err && output->temporary && rename(output->temporary, output->path))
		err = -errno;
	if (err)
		not_kept(output, err, why);
	else if (output->temporary)
		output->temporary[0] = 0;
	output_discard(output);
	return err;
}

void output_discard(struct output *output)
{
	close_stream(output);
	if (output->temporary && output->temporary[0])
		unlink(output->temporary);
	free(output->temporary);
	free(output->path);
	*output = (struct output){ 0 };
}
