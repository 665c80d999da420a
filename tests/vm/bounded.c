// SPDX-License-Identifier: GPL-2.0-only
/*
 * bounded KIB COMMAND…: runs it with RLIMIT_MEMLOCK at KIB and no CAP_SYS_RESOURCE
 * to raise it; else as root as before. For guests, whose busybox can't.
 */
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int drop(unsigned int capability)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) || syscall(SYS_capget, &header, data))
		return -1;
	data[capability / 32].effective &= ~(1u << capability % 32);
	data[capability / 32].permitted &= ~(1u << capability % 32);
	data[capability / 32].inheritable &= ~(1u << capability % 32);
	return (int)syscall(SYS_capset, &header, data);
}

int main(int argc, char **argv)
{
	struct rlimit limit;

	if (argc < 3)
		return 2;
	limit.rlim_cur = limit.rlim_max = strtoul(argv[1], NULL, 10) * 1024;
	if (setrlimit(RLIMIT_MEMLOCK, &limit) || drop(CAP_SYS_RESOURCE)) {
		perror("bounded");
		return 1;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 1;
}
