// SPDX-License-Identifier: GPL-2.0-only
// In: a process with everything set up. Out: the same without a capability, or
// with one.
#include "kernel/privilege.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef CAP_BPF
#define CAP_BPF 39
#endif

static int keep(const struct __user_cap_data_struct *kept)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_capset, &header, kept) ? -errno
											     : 0;
}

static int said(struct why *why, int err)
{
	return err ? why_set(why, err, EXIT_FAILED,
			     "cannot drop capabilities after attaching: %s", why_text(err))
		   : 0;
}

int privilege_drop(struct why *why)
{
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

	return said(why, keep(none));
}

int privilege_keep_bpf(struct why *why)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

	if (syscall(SYS_capget, &header, caps))
		return said(why, -errno);
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		caps[i].permitted &= i == CAP_TO_INDEX(CAP_BPF) ? CAP_TO_MASK(CAP_BPF) : 0;
		caps[i].effective = caps[i].permitted;
		caps[i].inheritable = 0;
	}
	return said(why, keep(caps));
}
