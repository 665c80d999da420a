/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The running kernel's types (BTF), asked by name. In: vmlinux's BTF and, when
 * a name is not there, that of the module which may hold it. Out: ids to
 * attach by, argument counts, whether a field exists. Needs no privilege but
 * for the ids of modules.
 */
#ifndef IOSTRATA_KERNEL_TYPES_H
#define IOSTRATA_KERNEL_TYPES_H

#include <stdbool.h>
#include <stdint.h>

struct kernel_types;

struct kernel_type {
	uint32_t id;   /* BTF id to attach by */
	int module_fd; /* of the module's BTF; 0: vmlinux. Owned by kernel_types. */
	int args;      /* of the tracepoint or function; -1 unknown */
};

/* 0, or the negative errno of reading /sys/kernel/btf/vmlinux (libbpf also
 * looks where distributions put it). Takes some 50 ms and 10 MiB.
 */
int kernel_types_open(struct kernel_types **out);
/* From a file, raw or ELF: of these only shapes mean something, and no ids. */
int kernel_types_open_file(const char *path, struct kernel_types **out);
void kernel_types_close(struct kernel_types *types);

/* A tracepoint as tp_btf sees it (its typedef btf_trace_NAME), or a function.
 * `module` (NULL: none) is looked into when vmlinux has no such name. 0;
 * -ENOENT: no such thing in this kernel; -EPERM: in a module whose BTF these
 * privileges can't get (CAP_SYS_ADMIN).
 */
int kernel_types_tracepoint(struct kernel_types *types, const char *module, const char *name,
			    struct kernel_type *out);
int kernel_types_function(struct kernel_types *types, const char *module, const char *name,
			  struct kernel_type *out);
/* Whether struct `name` exists in vmlinux, with this field (NULL: any). */
bool kernel_types_field(struct kernel_types *types, const char *name, const char *field);

#endif
