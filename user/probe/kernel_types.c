// SPDX-License-Identifier: GPL-2.0-only
// In: names of tracepoints, functions, structs. Out: what this kernel's BTF
// says of them.
#include "probe/kernel_types.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* nvme_core is the only module any hook of ours can be in; one more is slack. */
enum { MODULES_MAX = 2, NAME_SIZE = 128 };

struct module_types {
	char name[64];
	struct btf *btf;
	int fd, err;
};

struct kernel_types {
	struct btf *vmlinux;
	struct module_types modules[MODULES_MAX];
	int module_count;
};

/* `btf` as libbpf returned it, with errno as it left it. */
static int open_types(struct btf *btf, struct kernel_types **out)
{
	int err = libbpf_get_error(btf);

	*out = err ? NULL : calloc(1, sizeof(**out));
	if (*out)
		(*out)->vmlinux = btf;
	else if (!err)
		btf__free(btf);
	return err ? err : *out ? 0 : -ENOMEM;
}

int kernel_types_open(struct kernel_types **out)
{
	return open_types(btf__load_vmlinux_btf(), out);
}

int kernel_types_open_file(const char *path, struct kernel_types **out)
{
	return open_types(btf__parse(path, NULL), out);
}

void kernel_types_close(struct kernel_types *types)
{
	if (!types)
		return;
	for (int i = 0; i < types->module_count; i++) {
		btf__free(types->modules[i].btf);
		if (types->modules[i].fd > 0)
			close(types->modules[i].fd);
	}
	btf__free(types->vmlinux);
	free(types);
}

static bool is_named(int fd, const char *name)
{
	char found[64] = "";
	struct bpf_btf_info info = { .name = (uintptr_t)found, .name_len = sizeof(found) };
	uint32_t size = sizeof(info);

	return !bpf_obj_get_info_by_fd(fd, &info, &size) && info.kernel_btf && !strcmp(found, name);
}

/* Attaching wants a descriptor of the module's BTF, which only a walk over all
 * BTF of the kernel gives.
 */
static int find_module_fd(const char *name)
{
	uint32_t id = 0;
	int fd;

	while (!bpf_btf_get_next_id(id, &id)) {
		fd = bpf_btf_get_fd_by_id(id);
		if (fd < 0 && errno != ENOENT)
			return -errno;
		if (fd >= 0 && is_named(fd, name))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -errno;
}

static struct module_types *load_module(struct kernel_types *types, const char *name)
{
	struct module_types *module;

	for (int i = 0; i < types->module_count; i++)
		if (!strcmp(types->modules[i].name, name))
			return &types->modules[i];
	if (types->module_count == MODULES_MAX)
		return NULL;
	module = &types->modules[types->module_count++];
	snprintf(module->name, sizeof(module->name), "%s", name);
	module->btf = btf__load_module_btf(name, types->vmlinux);
	module->err = libbpf_get_error(module->btf);
	if (module->err)
		module->btf = NULL;
	else
		module->fd = find_module_fd(name);
	return module;
}

static int find(struct kernel_types *types, const char *module_name, const char *name,
		uint32_t kind, struct kernel_type *out, const struct btf **in)
{
	struct module_types *module;
	int id = btf__find_by_name_kind(types->vmlinux, name, kind);

	*out = (struct kernel_type){ .args = -1 };
	*in = types->vmlinux;
	if (id < 0 && module_name) {
		module = load_module(types, module_name);
		if (!module || !module->btf)
			return -ENOENT;
		id = btf__find_by_name_kind(module->btf, name, kind);
		*in = module->btf;
		if (id > 0 && module->fd < 0)
			return module->fd;
		out->module_fd = module->fd;
	}
	if (id < 0)
		return -ENOENT;
	out->id = (uint32_t)id;
	return 0;
}

/* Arguments of the function type behind typedefs, pointers and functions. */
static int count_args(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	while (type && (btf_is_typedef(type) || btf_is_ptr(type) || btf_is_func(type)))
		type = btf__type_by_id(btf, type->type);
	return type && btf_is_func_proto(type) ? btf_vlen(type) : -1;
}

int kernel_types_tracepoint(struct kernel_types *types, const char *module, const char *name,
			    struct kernel_type *out)
{
	char typedef_name[NAME_SIZE];
	const struct btf *in;
	int err;

	snprintf(typedef_name, sizeof(typedef_name), "btf_trace_%s", name);
	err = find(types, module, typedef_name, BTF_KIND_TYPEDEF, out, &in);
	if (err)
		return err;
	/* The first is always the probe's own `void *__data`. */
	out->args = count_args(in, out->id) - 1;
	return 0;
}

int kernel_types_function(struct kernel_types *types, const char *module, const char *name,
			  struct kernel_type *out)
{
	const struct btf *in;
	int err = find(types, module, name, BTF_KIND_FUNC, out, &in);

	if (!err)
		out->args = count_args(in, out->id);
	return err;
}

/* C11 looks through anonymous structs and unions, and so does CO-RE. */
static bool has_field(const struct btf *btf, const struct btf_type *type, const char *field)
{
	const struct btf_member *member = btf_members(type);
	const struct btf_type *inner;
	const char *name;

	for (int i = 0; i < btf_vlen(type); i++, member++) {
		name = btf__name_by_offset(btf, member->name_off);
		if (!strcmp(name, field))
			return true;
		inner = btf__type_by_id(btf, member->type);
		if (!name[0] && inner && btf_is_composite(inner) && has_field(btf, inner, field))
			return true;
	}
	return false;
}

bool kernel_types_field(struct kernel_types *types, const char *name, const char *field)
{
	int id = btf__find_by_name_kind(types->vmlinux, name, BTF_KIND_STRUCT);
	const struct btf_type *type = id < 0 ? NULL : btf__type_by_id(types->vmlinux, (uint32_t)id);

	return type && (!field || has_field(types->vmlinux, type, field));
}
