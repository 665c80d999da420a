/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The two flavours of the BPF programs (bpf/access.bpf.h). In: a kernel. Out:
 * the programs that load there. Both have the same maps, variables and program
 * names, so that one skeleton type serves both; only the bytes differ.
 */
#ifndef IOSTRATA_KERNEL_FLAVOUR_H
#define IOSTRATA_KERNEL_FLAVOUR_H

#include <bpf/libbpf.h>
#include <stddef.h>

#include "base/why.h"

enum flavour {
	FLAVOUR_ANY, /* typed where this kernel takes it, else raw */
	FLAVOUR_TYPED, /* tp_btf */
	FLAVOUR_RAW, /* raw_tp, no atomic operation but add */
};

/* Help of the option --btf, of all commands that have it. */
#define BTF_OPTION_HELP                                                                            \
	"The running kernel's BTF, raw or in an ELF file, where it has none of its own"

extern const char *const flavour_names[]; /* NULL-terminated, for an option */
const char *flavour_name(enum flavour flavour);

/* Opens and loads `wanted`; for FLAVOUR_ANY typed first, then, unless privilege
 * is what lacks, raw. `try` does it for one flavour and leaves nothing behind
 * when it fails (-errno and *why). Returns 0, -errno and *why; *loaded says
 * which it was.
 */
int flavour_load(enum flavour wanted, int (*try)(void *session, enum flavour flavour, struct why *why),
		 void *session, enum flavour *loaded, struct why *why);

/* Opens a typed object's skeleton, with the bytes of `raw` for FLAVOUR_RAW; `btf`:
 * a file with the kernel's types, or NULL. 0 or -errno.
 */
int flavour_open(struct bpf_object_skeleton *skeleton, enum flavour flavour,
		 const void *(*raw)(size_t *size_bytes), const char *btf);

#endif
