/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Options that need no target to be judged. In: a configuration as given. Out:
 * 0, or a usage error that names the option. Pure.
 */
#ifndef IOSTRATA_LOAD_CONFIG_H
#define IOSTRATA_LOAD_CONFIG_H

#include "load/load.h"

/* The kernel registers a buffer of at most 1 GiB. */
#define LOAD_BLOCK_MAX (1ull << 30)
/* 100 years; sums of two such times stay far from overflowing. */
#define LOAD_TIME_MAX_NS (3153600000ull * 1000000000ull)

int load_config_check(const struct load_config *config, struct why *why);

#endif
