/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which cgroup hierarchies are mounted where. In: the text of
 * /proc/self/mountinfo. Out: the one of v1's blkio and v2's. A machine can
 * have either, both or none.
 */
#ifndef IOSTRATA_CGROUP_MOUNTS_H
#define IOSTRATA_CGROUP_MOUNTS_H

#include <stdio.h>

struct cgroup_mounts {
	char v1_blkio[160]; /* mount point; "" none */
	char v2[160];
};

struct cgroup_mounts cgroup_mounts_read(FILE *mountinfo);

#endif
