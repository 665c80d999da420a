/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What `iostrata target` is built on. In: /dev and sysfs. Out: whether each
 * part is there and may be used: 0, or a negative errno. A driver that is not
 * loaded yet is not loaded by asking.
 */
#ifndef IOSTRATA_TARGET_PARTS_H
#define IOSTRATA_TARGET_PARTS_H

#include "probe/facts.h"

struct target_parts {
	int fuse, loop_control;
	int fuse_loaded, loop_loaded; /* 1, 0 */
};

struct target_parts target_parts_read(const struct machine *machine);

#endif
