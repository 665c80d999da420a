// SPDX-License-Identifier: GPL-2.0-only
// In: a process with everything set up. Out: the same without a capability.
#include "kernel/privilege.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int privilege_drop(struct why *why)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_capset, &header, none))
		return why_set(why, -errno, EXIT_FAILED,
			       "cannot drop capabilities after attaching: %s", why_text(errno));
	return 0;
}

