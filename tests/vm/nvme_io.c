// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvme_io poll DISK COUNT    reads of 4 KiB, completed by polling (IOPOLL)
 * nvme_io command NG COUNT   NVMe reads of one block, as uring_cmd on /dev/ngXnY
 *
 * For the NVMe cases in guests. Ends with 0 when all COUNT were answered with
 * success, 77 when this kernel cannot, else 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <linux/nvme_ioctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum { BLOCK = 4096, READ = 2 };

static int complain(const char *what, int err)
{
	fprintf(stderr, "nvme_io: %s: %s\n", what, strerror(err));
	return err == EINVAL || err == EOPNOTSUPP ? 77 : 1;
}

static int answered(struct io_uring *ring)
{
	struct io_uring_cqe *cqe;
	int err = io_uring_submit_and_wait(ring, 1);

	if (err < 0)
		return complain("submit", -err);
	err = io_uring_wait_cqe(ring, &cqe);
	if (err)
		return complain("wait", -err);
	err = cqe->res;
	io_uring_cqe_seen(ring, cqe);
	return err < 0 ? complain("the answer", -err) : 0;
}

static int poll_once(struct io_uring *ring, int fd, void *buffer, unsigned int i)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);

	if (!sqe)
		return complain("the ring", ENOSPC);
	io_uring_prep_read(sqe, fd, buffer, BLOCK, (unsigned long long)i * BLOCK);
	return answered(ring);
}

static int command_once(struct io_uring *ring, int fd, void *buffer, unsigned int nsid)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
	struct nvme_uring_cmd *command;

	if (!sqe)
		return complain("the ring", ENOSPC);
	memset(sqe, 0, 2 * sizeof(*sqe)); /* the ring's entries have 128 bytes */
	command = (struct nvme_uring_cmd *)sqe->cmd;
	sqe->opcode = IORING_OP_URING_CMD;
	sqe->fd = fd;
	sqe->cmd_op = NVME_URING_CMD_IO;
	*command = (struct nvme_uring_cmd){ .opcode = READ, .nsid = nsid,
					    .addr = (unsigned long long)buffer,
					    .data_len = BLOCK, .cdw12 = BLOCK / 512 - 1 };
	return answered(ring);
}

static int run(bool command, const char *path, unsigned int count)
{
	int fd = open(path, command ? O_RDONLY : O_RDONLY | O_DIRECT), err, nsid = 0;
	struct io_uring ring;
	void *buffer;

	if (fd < 0 || posix_memalign(&buffer, BLOCK, BLOCK))
		return complain(path, errno);
	if (command && (nsid = ioctl(fd, NVME_IOCTL_ID)) < 0)
		return complain("NVME_IOCTL_ID", errno);
	err = io_uring_queue_init(8, &ring, command ? IORING_SETUP_SQE128 | IORING_SETUP_CQE32
						    : IORING_SETUP_IOPOLL);
	if (err)
		return complain("the ring", -err);
	for (unsigned int i = 0; !err && i < count; i++)
		err = command ? command_once(&ring, fd, buffer, (unsigned int)nsid)
			      : poll_once(&ring, fd, buffer, i);
	return err;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return complain("usage: nvme_io poll|command DEVICE COUNT", E2BIG);
	return run(!strcmp(argv[1], "command"), argv[2], (unsigned int)atoi(argv[3]));
}
