/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The target of a load, opened: a block device or a regular file. In: a path
 * and how it is to be used. Out: a descriptor and its size, or why not.
 * Writing is refused first by refuse.h, then by the kernel (O_EXCL).
 */
#ifndef IOSTRATA_LOAD_TARGET_OPEN_H
#define IOSTRATA_LOAD_TARGET_OPEN_H

#include <stdint.h>

#include "load/load.h"

struct load_target {
	int fd;
	uint64_t bytes; /* at least one block */
};

/* -errno and *why; then nothing is open. */
int load_target_open(const struct load_config *config, struct load_target *out, struct why *why);

#endif
