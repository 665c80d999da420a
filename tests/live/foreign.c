// SPDX-License-Identifier: GPL-2.0-only
/* A stranger on the device: a ring of its own, random direct reads of 4 KiB.
 * In: DEVICE SECONDS DEPTH, and "mimic" to number its I/Os as iostrata's
 * generator does (magic, generation 1 and up, slot), else 0, 1, 2…
 * Out: how many it completed. Exit status 1 if one failed.
 */
#include <fcntl.h>
#include <liburing.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <linux/fs.h>
#include <time.h>
#include <unistd.h>

#include "record.h"

enum { BLOCK = 4096, DEPTH_MAX = 256 };

struct stranger {
	struct io_uring ring;
	int fd;
	bool mimic;
	unsigned int depth, flying;
	unsigned long blocks, submitted, completed, failed;
	void *buffers;
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void submit_one(struct stranger *it)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&it->ring);
	unsigned int slot = (unsigned int)(it->submitted % it->depth);
	unsigned long block = (unsigned long)random() % it->blocks;

	io_uring_prep_read(sqe, it->fd, (char *)it->buffers + slot * BLOCK, BLOCK, block * BLOCK);
	sqe->user_data = it->mimic ? iostrata_user_data(slot, it->submitted / it->depth + 1)
				   : it->submitted;
	it->submitted++;
	it->flying++;
}

static void reap(struct stranger *it)
{
	struct io_uring_cqe *cqe;

	while (!io_uring_peek_cqe(&it->ring, &cqe)) {
		it->completed++;
		it->failed += cqe->res != BLOCK;
		it->flying--;
		io_uring_cqe_seen(&it->ring, cqe);
	}
}

static bool open_all(struct stranger *it, const char *device)
{
	unsigned long long bytes = 0;

	it->fd = open(device, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (it->fd < 0 || ioctl(it->fd, BLKGETSIZE64, &bytes) || bytes < BLOCK)
		return false;
	it->blocks = bytes / BLOCK;
	return !posix_memalign(&it->buffers, BLOCK, (size_t)DEPTH_MAX * BLOCK) &&
	       !io_uring_queue_init(DEPTH_MAX, &it->ring, 0);
}

int main(int argc, char **argv)
{
	struct stranger it = { 0 };
	double end_s;

	if (argc < 4 || !open_all(&it, argv[1])) {
		perror("foreign DEVICE SECONDS DEPTH [mimic]");
		return 2;
	}
	it.depth = (unsigned int)atoi(argv[3]) % (DEPTH_MAX + 1);
	it.mimic = argc > 4 && !strcmp(argv[4], "mimic");
	end_s = now_s() + atof(argv[2]);
	while (it.flying || now_s() < end_s) {
		while (it.flying < it.depth && now_s() < end_s)
			submit_one(&it);
		io_uring_submit_and_wait(&it.ring, it.flying ? 1 : 0);
		reap(&it);
		usleep(500); /* others want the processor too */
	}
	printf("%lu\n", it.completed);
	return it.failed != 0;
}
