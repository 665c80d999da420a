// SPDX-License-Identifier: GPL-2.0-only
// In: the target's path. Out: an open descriptor that suits the options.
#include "load/target_open.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "load/refuse.h"

static int look(const char *path, struct stat *st, struct why *why)
{
	int err = stat(path, st) ? -errno : 0;

	if (err == -ENOENT || err == -ENOTDIR)
		return why_set(why, err, EXIT_FAILED,
			       "%s: no such device or file; lsblk lists the devices", path);
	if (err == -EACCES)
		return why_set(why, err, EXIT_PRIVILEGE, "%s: no permission to reach it; run as root",
			       path);
	if (err)
		return why_set(why, err, EXIT_FAILED, "%s: %s", path, why_text(err));
	if (S_ISDIR(st->st_mode))
		return why_set(why, -EISDIR, EXIT_FAILED,
			       "%s: is a directory; name a block device or a regular file", path);
	if (!S_ISBLK(st->st_mode) && !S_ISREG(st->st_mode))
		return why_set(why, -EINVAL, EXIT_FAILED,
			       "%s: neither a block device nor a regular file", path);
	return 0;
}

static int cannot_open(const struct load_config *config, int err, struct why *why)
{
	const char *path = config->target;

	switch (-err) {
	case EACCES:
	case EPERM:
		return why_set(why, err, EXIT_PRIVILEGE,
			       "%s: no permission to %s it; run as root, or ask its owner (ls -l)", path,
			       config->write ? "write to" : "read");
	case EROFS:
		return why_set(why, err, EXIT_FAILED, "%s: is read-only; leave out --write", path);
	case EBUSY:
		return why_set(why, err, EXIT_FAILED,
			       "%s: in use by the kernel (mounted in another mount namespace, or claimed "
			       "by a driver); writing is refused", path);
	case EINVAL:
		if (!config->buffered)
			return why_set(why, err, EXIT_FAILED,
				       "%s: its file system has no direct I/O; add --buffered", path);
		break;
	case ENXIO:
	case ENODEV:
	case ENOMEDIUM:
		return why_set(why, err, EXIT_FAILED, "%s: no such device behind it (%s)", path,
			       why_text(err));
	}
	return why_set(why, err, EXIT_FAILED, "%s: cannot be opened: %s", path, why_text(err));
}

/* O_EXCL on a block device makes the kernel refuse what is mounted or held,
 * and keeps others from mounting it while we write.
 */
static int open_flags(const struct load_config *config, const struct stat *st)
{
	int flags = O_CLOEXEC | (config->write ? O_RDWR : O_RDONLY);

	if (config->write && S_ISBLK(st->st_mode))
		flags |= O_EXCL;
	if (!config->buffered)
		flags |= O_DIRECT;
	if (config->sync == LOAD_SYNC_DSYNC)
		flags |= O_DSYNC;
	return flags;
}

static uint64_t size_of(int fd, const struct stat *st)
{
	uint64_t bytes = 0;

	if (!S_ISBLK(st->st_mode))
		return (uint64_t)st->st_size;
	return ioctl(fd, BLKGETSIZE64, &bytes) ? 0 : bytes;
}

/* What direct I/O must be a multiple of; a file's where the kernel (6.1) tells. */
static uint32_t granularity(int fd, const struct stat *st)
{
	struct statx stx = { 0 };
	int logical = 0;

	if (S_ISBLK(st->st_mode))
		return ioctl(fd, BLKSSZGET, &logical) || logical <= 0 ? 512 : (uint32_t)logical;
	if (!statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) && stx.stx_mask & STATX_DIOALIGN &&
	    stx.stx_dio_offset_align)
		return stx.stx_dio_offset_align;
	return 512;
}

static int check_size(const struct load_config *config, const struct load_target *target,
		      const struct stat *st, struct why *why)
{
	uint32_t unit = config->buffered ? 1 : granularity(target->fd, st);

	if (config->block_bytes % unit)
		return why_set(why, -EINVAL, EXIT_USAGE,
			       "--bs %lu: direct I/O on %s needs a multiple of its logical block of %u "
			       "bytes (or --buffered)", config->block_bytes, config->target, unit);
	if (target->bytes < config->block_bytes)
		return why_set(why, -EINVAL, EXIT_FAILED,
			       "%s: %lu bytes are smaller than one block of %lu; lower --bs or take a "
			       "larger target", config->target, target->bytes, config->block_bytes);
	return 0;
}

static int check_writable(const struct load_config *config, int fd, const struct stat *st,
			  struct why *why)
{
	int read_only = 0;

	if (config->write && S_ISBLK(st->st_mode) && !ioctl(fd, BLKROGET, &read_only) && read_only)
		return why_set(why, -EROFS, EXIT_FAILED,
			       "%s: is a read-only device (blockdev --getro); leave out --write",
			       config->target);
	return 0;
}

/* A first, harmless descriptor: these checks need no right to write. With
 * O_EXCL the kernel also knows of mounts that this mount namespace can't see.
 */
static int check_before_writing(const struct load_config *config, const struct stat *st,
				struct why *why)
{
	int fd, err = refuse_in_use(config->target, st, why);

	if (err)
		return err;
	fd = open(config->target, O_RDONLY | O_CLOEXEC | (S_ISBLK(st->st_mode) ? O_EXCL : 0));
	if (fd < 0)
		return cannot_open(config, -errno, why);
	err = check_writable(config, fd, st, why);
	if (!err)
		err = refuse_carried(config, fd, st, why);
	close(fd);
	return err;
}

/* The path may have been made to name something else since it was checked. */
static int check_same(const struct load_config *config, int fd, const struct stat *before,
		      struct why *why)
{
	struct stat now;

	if (fstat(fd, &now))
		return why_set(why, -errno, EXIT_FAILED, "%s: %s", config->target, why_text(errno));
	if (now.st_dev != before->st_dev || now.st_ino != before->st_ino ||
	    now.st_rdev != before->st_rdev)
		return why_set(why, -ESTALE, EXIT_FAILED,
			       "%s: was replaced while it was being checked; try again",
			       config->target);
	return 0;
}

int load_target_open(const struct load_config *config, struct load_target *out, struct why *why)
{
	struct stat st;
	int err = look(config->target, &st, why);

	if (!err && config->write)
		err = check_before_writing(config, &st, why);
	if (err)
		return err;
	out->fd = open(config->target, open_flags(config, &st));
	if (out->fd < 0)
		return cannot_open(config, -errno, why);
	err = check_same(config, out->fd, &st, why);
	if (!err) {
		out->bytes = size_of(out->fd, &st);
		err = check_size(config, out, &st, why);
	}
	if (err)
		close(out->fd);
	return err;
}
