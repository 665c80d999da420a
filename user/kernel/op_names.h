/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IOSTRATA_KERNEL_OP_NAMES_H
#define IOSTRATA_KERNEL_OP_NAMES_H

enum { OP_NAMES_MAX = 256, OP_NAME_SIZE = 24 };

struct op_names {
	char name[OP_NAMES_MAX][OP_NAME_SIZE];
};

/* What this kernel calls each request operation ("read", "write zeroes"): the
 * numbers have moved between versions, so its BTF is asked (of file `btf_path`;
 * NULL: its own). Unknown ones are "op N". Never fails.
 */
void op_names_read(struct op_names *names, const char *btf_path);

#endif
