// SPDX-License-Identifier: GPL-2.0-only
// In: FUSE requests, each stamped the moment it is read. Out: see session.h.
#include "target/session.h"

#define FUSE_USE_VERSION 314
#include <errno.h>
#include <fcntl.h>
#include <fuse_lowlevel.h>
#include <linux/falloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/clock.h"

enum { INODE_DISK = FUSE_ROOT_ID + 1, INODE_CONTROL };
enum { ONE_MIB = 1 << 20, MOST_REQUESTS = 32768, STATE_MAX = 1024 };

static const double forever_s = 1e9;

static struct session *session_of(fuse_req_t req)
{
	return fuse_req_userdata(req);
}

static int attributes(const struct session *session, fuse_ino_t inode, struct stat *st)
{
	*st = (struct stat){ .st_ino = inode, .st_nlink = 1, .st_blksize = 4096 };
	if (inode == FUSE_ROOT_ID) {
		st->st_mode = S_IFDIR | 0700;
	} else if (inode == INODE_DISK) {
		st->st_mode = S_IFREG | 0600;
		st->st_size = (off_t)session->store->size;
	} else if (inode == INODE_CONTROL) {
		st->st_mode = S_IFREG | 0600;
	} else {
		return -ENOENT;
	}
	return 0;
}

static void on_init(void *userdata, struct fuse_conn_info *conn)
{
	(void)userdata;
	conn->want &= ~(unsigned int)(FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE |
				      FUSE_CAP_SPLICE_MOVE | FUSE_CAP_WRITEBACK_CACHE);
	conn->want |= conn->capable & (FUSE_CAP_ASYNC_DIO | FUSE_CAP_ASYNC_READ);
	conn->max_write = ONE_MIB;
	/* The default of 12 would keep the queue in the kernel, out of our sight. */
	conn->max_background = MOST_REQUESTS;
	conn->congestion_threshold = MOST_REQUESTS;
}

static void on_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param entry = { .attr_timeout = forever_s, .entry_timeout = forever_s };

	if (parent == FUSE_ROOT_ID && !strcmp(name, "disk"))
		entry.ino = INODE_DISK;
	else if (parent == FUSE_ROOT_ID && !strcmp(name, "control"))
		entry.ino = INODE_CONTROL;
	if (attributes(session_of(req), entry.ino, &entry.attr))
		fuse_reply_err(req, ENOENT);
	else
		fuse_reply_entry(req, &entry);
}

static void on_getattr(fuse_req_t req, fuse_ino_t inode, struct fuse_file_info *file)
{
	struct stat st;

	(void)file;
	if (attributes(session_of(req), inode, &st))
		fuse_reply_err(req, ENOENT);
	else
		fuse_reply_attr(req, &st, forever_s);
}

/* Sizes, modes and times stay: `echo arm > control` truncates first. */
static void on_setattr(fuse_req_t req, fuse_ino_t inode, struct stat *attr, int to_set,
		       struct fuse_file_info *file)
{
	(void)attr;
	(void)to_set;
	on_getattr(req, inode, file);
}

static void on_open(fuse_req_t req, fuse_ino_t inode, struct fuse_file_info *file)
{
	(void)inode;
	file->direct_io = 1;
	fuse_reply_open(req, file);
}

static void on_readdir(fuse_req_t req, fuse_ino_t inode, size_t size, off_t offset,
		       struct fuse_file_info *file)
{
	static const char *const names[] = { ".", "..", "disk", "control" };
	static const fuse_ino_t inodes[] = { FUSE_ROOT_ID, FUSE_ROOT_ID, INODE_DISK, INODE_CONTROL };
	char entries[512];
	size_t used = 0, room = size < sizeof(entries) ? size : sizeof(entries);

	(void)inode;
	(void)file;
	for (off_t i = offset; i < 4; i++) {
		struct stat st;
		size_t length;

		attributes(session_of(req), inodes[i], &st);
		length = fuse_add_direntry(req, entries + used, room - used, names[i], &st, i + 1);
		if (length > room - used)
			break;
		used += length;
	}
	fuse_reply_buf(req, entries, used);
}

static void on_statfs(fuse_req_t req, fuse_ino_t inode)
{
	struct statvfs fs = { .f_bsize = 4096, .f_frsize = 4096, .f_files = 2, .f_namemax = 255 };

	(void)inode;
	fs.f_blocks = session_of(req)->store->size / fs.f_frsize;
	fuse_reply_statfs(req, &fs);
}

static void read_control(fuse_req_t req, size_t size, off_t offset)
{
	char state[STATE_MAX];
	size_t length = serve_describe(session_of(req)->serve, state, sizeof(state));

	if (offset < 0 || (size_t)offset >= length)
		fuse_reply_buf(req, NULL, 0);
	else
		fuse_reply_buf(req, state + offset,
			       length - (size_t)offset < size ? length - (size_t)offset : size);
}

static void on_read(fuse_req_t req, fuse_ino_t inode, size_t size, off_t offset,
		    struct fuse_file_info *file)
{
	struct session *session = session_of(req);
	uint64_t left;

	(void)file;
	if (inode == INODE_CONTROL) {
		read_control(req, size, offset);
		return;
	}
	left = (uint64_t)offset < session->store->size ? session->store->size - (uint64_t)offset : 0;
	serve_submit(session->serve, req, TARGET_READ, left ? (uint64_t)offset : 0,
		     size < left ? size : left, session->arrived_ns);
}

static void write_control(fuse_req_t req, const char *text, size_t size)
{
	struct order order;
	int err = order_parse(text, size, &order);

	if (!err)
		err = serve_order(session_of(req)->serve, &order);
	if (err)
		fuse_reply_err(req, -err);
	else
		fuse_reply_write(req, size);
}

/* Data goes to the store as it comes: requests in flight together have no
 * order among them, and so none has to be held in memory until its turn.
 */
static void on_write(fuse_req_t req, fuse_ino_t inode, const char *from, size_t size, off_t offset,
		     struct fuse_file_info *file)
{
	struct session *session = session_of(req);

	(void)file;
	if (inode == INODE_CONTROL)
		write_control(req, from, size);
	else if (store_write(session->store, (uint64_t)offset, from, size))
		fuse_reply_err(req, ENOSPC);
	else
		serve_submit(session->serve, req, TARGET_WRITE, (uint64_t)offset, size,
			     session->arrived_ns);
}

static void on_fsync(fuse_req_t req, fuse_ino_t inode, int datasync, struct fuse_file_info *file)
{
	struct session *session = session_of(req);

	(void)datasync;
	(void)file;
	if (inode == INODE_DISK)
		serve_submit(session->serve, req, TARGET_FLUSH, 0, 0, session->arrived_ns);
	else
		fuse_reply_err(req, 0);
}

static void on_fallocate(fuse_req_t req, fuse_ino_t inode, int mode, off_t offset, off_t length,
			 struct fuse_file_info *file)
{
	struct session *session = session_of(req);
	int zeroes = mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE);

	(void)file;
	if (inode != INODE_DISK || !zeroes)
		fuse_reply_err(req, EOPNOTSUPP);
	else if (store_discard(session->store, (uint64_t)offset, (uint64_t)length))
		fuse_reply_err(req, EINVAL);
	else
		serve_submit(session->serve, req, TARGET_DISCARD, (uint64_t)offset,
			     (uint64_t)length, session->arrived_ns);
}

static const struct fuse_lowlevel_ops operations = {
	.init = on_init,	 .lookup = on_lookup, .getattr = on_getattr,
	.setattr = on_setattr,	 .open = on_open,     .readdir = on_readdir,
	.statfs = on_statfs,	 .read = on_read,     .write = on_write,
	.fsync = on_fsync,	 .fallocate = on_fallocate,
};

int session_open(struct session *session, int fuse_fd)
{
	char name[] = "iostrata", *argv[] = { name, NULL }, path[32];
	struct fuse_args args = FUSE_ARGS_INIT(1, argv);

	session->fuse = fuse_session_new(&args, &operations, sizeof(operations), session);
	fuse_opt_free_args(&args);
	if (!session->fuse)
		return -ENOMEM;
	snprintf(path, sizeof(path), "/dev/fd/%d", fuse_fd);
	return fuse_session_mount(session->fuse, path) ? -EIO : 0;
}

int session_run(struct session *session)
{
	struct fuse_buf buffer = { 0 };
	int got = 1;

	while (!fuse_session_exited(session->fuse)) {
		got = fuse_session_receive_buf(session->fuse, &buffer);
		session->arrived_ns = clock_monotonic_ns();
		if (got == -EINTR)
			continue;
		if (got <= 0)
			break;
		fuse_session_process_buf(session->fuse, &buffer);
	}
	return got < 0 ? got : 0;
}
