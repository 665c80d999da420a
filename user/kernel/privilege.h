/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IOSTRATA_KERNEL_PRIVILEGE_H
#define IOSTRATA_KERNEL_PRIVILEGE_H

#include "base/why.h"

/* Gives up every capability, for good (also through exec). What is attached
 * and mapped stays so: reading it needs none. 0, or -errno and *why.
 */
int privilege_drop(struct why *why);

#endif
