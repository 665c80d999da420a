/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IOSTRATA_KERNEL_PRIVILEGE_H
#define IOSTRATA_KERNEL_PRIVILEGE_H

#include "base/why.h"

/* Gives up every capability, for good (also through exec). What is attached
 * and mapped stays so: reading it needs none. 0, or -errno and *why.
 */
int privilege_drop(struct why *why);
/* All but CAP_BPF, if we have it: attaching what is loaded already may need it.
 * Without CAP_PERFMON no program that traces can be loaded any more.
 */
int privilege_keep_bpf(struct why *why);

#endif
