/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IOSTRATA_ONE_CLOCK_H
#define IOSTRATA_ONE_CLOCK_H

#include "base/why.h"

/* 0 if our CLOCK_MONOTONIC is the one the kernel stamps with; else -EXDEV and
 * *why: a time namespace shifts user space's.
 */
int one_clock_check(struct why *why);

#endif
