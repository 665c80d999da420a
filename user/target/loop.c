// SPDX-License-Identifier: GPL-2.0-only
// In: a backing file. Out: a loop device bound to it, and its end watched.
#include "target/loop.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 64, POLL_NS = 5000000, POLL_MS = 5 };

/* A request of at most 128 pages in at most 128 segments touches 256 pages at
 * the most, as many as one FUSE request takes: it is never split.
 */
#define MAX_SECTORS_KB "512"

static const struct timespec poll_time = { .tv_nsec = POLL_NS };

static int open_control(struct why *why)
{
	int fd = open("/dev/loop-control", O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	return why_set(why, -errno, errno == EACCES ? EXIT_PRIVILEGE : EXIT_KERNEL_LACKS,
		       "/dev/loop-control: %s; load the module with 'modprobe loop'",
		       why_text(errno));
}

int loop_available(struct why *why)
{
	int fd = open_control(why);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static bool exists(int number)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/block/loop%d", number);
	return !access(path, F_OK);
}

/* Every loop device that exists, so that we know which one is new. */
static int highest(void)
{
	DIR *dir = opendir("/sys/block");
	struct dirent *entry;
	int most = -1, number;

	while (dir && (entry = readdir(dir)))
		if (sscanf(entry->d_name, "loop%d", &number) == 1 && number > most)
			most = number;
	if (dir)
		closedir(dir);
	return most;
}

/* The node appears a moment after the device. */
static int open_device(int number)
{
	char path[32];
	int fd = -1;

	snprintf(path, sizeof(path), "/dev/loop%d", number);
	for (int i = 0; i < TRIES && fd < 0; i++) {
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0 && errno != ENOENT && errno != ENXIO)
			break;
		if (fd < 0)
			nanosleep(&poll_time, NULL);
	}
	return fd < 0 ? -errno : fd;
}

static int configure(int fd, int backing_fd, const char *path, unsigned int block_bytes)
{
	struct loop_config config = { .fd = (unsigned int)backing_fd, .block_size = block_bytes };

	config.info.lo_flags = LO_FLAGS_DIRECT_IO | LO_FLAGS_AUTOCLEAR;
	snprintf((char *)config.info.lo_file_name, LO_NAME_SIZE, "%s", path);
	return ioctl(fd, LOOP_CONFIGURE, &config) ? -errno : 0;
}

/* One try; -EBUSY when another process was faster. */
static int try_bind(int control, int backing_fd, const char *path, unsigned int block_bytes,
		    struct loop *loop)
{
	int before = highest(), fd, err;

	loop->number = ioctl(control, LOOP_CTL_GET_FREE);
	if (loop->number < 0)
		return -errno;
	loop->created = loop->number > before;
	fd = open_device(loop->number);
	if (fd < 0)
		return fd;
	err = configure(fd, backing_fd, path, block_bytes);
	if (!err)
		return fd;
	close(fd);
	if (err != -EBUSY)
		loop_remove(loop);
	return err;
}

static void set_queue(const struct loop *loop, const char *name, const char *value)
{
	char path[80];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/block/loop%d/queue/%s", loop->number, name);
	file = fopen(path, "we");
	if (!file)
		return;
	fputs(value, file);
	fclose(file);
}

static int check_direct(int fd, struct why *why)
{
	struct loop_info64 info;

	if (ioctl(fd, LOOP_GET_STATUS64, &info))
		return why_set(why, -errno, EXIT_FAILED, "the new loop device: %s", why_text(errno));
	if (info.lo_flags & LO_FLAGS_DIRECT_IO)
		return 0;
	return why_set(why, -EOPNOTSUPP, EXIT_KERNEL_LACKS,
		       "this kernel's loop driver refuses direct I/O on FUSE; use a newer kernel");
}

int loop_bind(int backing_fd, const char *path, unsigned int block_bytes, struct loop *loop,
	      struct why *why)
{
	int control = open_control(why), fd = -EBUSY, err;

	if (control < 0)
		return control;
	for (int i = 0; i < TRIES && fd == -EBUSY; i++)
		fd = try_bind(control, backing_fd, path, block_bytes, loop);
	close(control);
	if (fd < 0)
		return why_set(why, fd, fd == -EPERM || fd == -EACCES ? EXIT_PRIVILEGE : EXIT_FAILED,
			       "binding a loop device: %s; 'losetup -a' shows those in use",
			       why_text(fd));
	set_queue(loop, "max_sectors_kb", MAX_SECTORS_KB);
	err = check_direct(fd, why);
	if (!err)
		return fd;
	close(fd);
	return err;
}

bool loop_bound(const struct loop *loop, const char *path)
{
	char name[80], bound[256] = "";
	FILE *file;

	snprintf(name, sizeof(name), "/sys/block/loop%d/loop/backing_file", loop->number);
	file = fopen(name, "re");
	if (!file)
		return false;
	if (!fgets(bound, sizeof(bound), file))
		bound[0] = 0;
	fclose(file);
	bound[strcspn(bound, "\n")] = 0;
	/* Of a detached mount only the name within it is left. */
	return !strcmp(bound, path) || !strcmp(bound, "/disk");
}

bool loop_still_bound(const struct loop *loop, const char *path, int timeout_ms)
{
	bool bound;

	while ((bound = loop_bound(loop, path)) && timeout_ms > 0) {
		nanosleep(&poll_time, NULL);
		timeout_ms -= POLL_MS;
	}
	return bound;
}

unsigned int loop_minor(const struct loop *loop)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/dev/loop%d", loop->number);
	return stat(path, &st) ? (unsigned int)loop->number : minor(st.st_rdev);
}

void loop_remove(const struct loop *loop)
{
	int control;

	if (!loop->created || !exists(loop->number))
		return;
	control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		return;
	/* Busy for a moment after the last close; refused if someone took it. */
	for (int i = 0; i < TRIES && ioctl(control, LOOP_CTL_REMOVE, loop->number) < 0; i++) {
		if (errno != EBUSY)
			break;
		nanosleep(&poll_time, NULL);
	}
	close(control);
}

static bool holds(const char *pid, const char *device)
{
	char directory[300], link[600], to[64];
	struct dirent *entry;
	bool found = false;
	DIR *fds;

	snprintf(directory, sizeof(directory), "/proc/%s/fd", pid);
	fds = opendir(directory);
	while (fds && !found && (entry = readdir(fds))) {
		ssize_t length;

		snprintf(link, sizeof(link), "%s/%s", directory, entry->d_name);
		length = readlink(link, to, sizeof(to) - 1);
		to[length < 0 ? 0 : length] = 0;
		found = !strcmp(to, device);
	}
	if (fds)
		closedir(fds);
	return found;
}

void loop_holder(const struct loop *loop, char *text, size_t size)
{
	DIR *proc = opendir("/proc");
	char device[32], path[300], name[32] = "?";
	struct dirent *entry;
	FILE *comm;

	*text = 0;
	snprintf(device, sizeof(device), "/dev/loop%d", loop->number);
	while (proc && !*text && (entry = readdir(proc))) {
		if (!isdigit((unsigned char)entry->d_name[0]) || !holds(entry->d_name, device))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		comm = fopen(path, "re");
		if (comm && fgets(name, sizeof(name), comm))
			name[strcspn(name, "\n")] = 0;
		if (comm)
			fclose(comm);
		snprintf(text, size, "%s (pid %.10s)", name, entry->d_name);
	}
	if (proc)
		closedir(proc);
}
