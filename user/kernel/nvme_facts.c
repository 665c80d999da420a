// SPDX-License-Identifier: GPL-2.0-only
// In: BTF of the kernel and of nvme_core. Out: offsets in the driver's types.
#include "kernel/nvme_facts.h"

#include <bpf/btf.h>
#include <stdbool.h>
#include <string.h>

#include "kernel/drift.h"

/* A direct member's offset in bytes. */
static bool member_at(const struct btf *btf, const char *type_name, const char *name, uint32_t *out)
{
	int id = btf__find_by_name_kind(btf, type_name, BTF_KIND_STRUCT);
	const struct btf_type *type;

	if (id < 0)
		return false;
	type = btf__type_by_id(btf, (uint32_t)id);
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const struct btf_member *member = &btf_members(type)[i];

		if (strcmp(btf__name_by_offset(btf, member->name_off), name))
			continue;
		*out = btf_member_bit_offset(type, i) / 8;
		return true;
	}
	return false;
}

static bool read_from(const struct btf *btf, struct iostrata_nvme_facts *facts)
{
	int id = btf__find_by_name_kind(btf, "request", BTF_KIND_STRUCT);
	int64_t size = id < 0 ? id : btf__resolve_size(btf, (uint32_t)id);

	if (size <= 0)
		return false;
	facts->request_bytes = (uint32_t)size;
	return member_at(btf, "nvme_request", "status", &facts->status) &&
	       member_at(btf, "nvme_request", "flags", &facts->flags) &&
	       member_at(btf, "nvme_request", "ctrl", &facts->ctrl) &&
	       member_at(btf, "nvme_ctrl", "instance", &facts->instance);
}

void nvme_facts_read(const char *btf_path, struct iostrata_nvme_facts *facts)
{
	struct iostrata_nvme_facts found = { 0 };
	struct why why = { 0 };
	struct btf *kernel = kernel_btf_open(btf_path, &why), *module;

	if (!kernel)
		return;
	found.known = read_from(kernel, &found);
	module = found.known ? NULL : btf__load_module_btf("nvme_core", kernel);
	if (module)
		found.known = read_from(module, &found);
	btf__free(module);
	/* In an enum since 6.12 (5f89154e8e9e), the macro (1 << 21) before. */
	found.timed_out_mask = kernel_flag_mask(kernel, "__RQF_TIMED_OUT", 1u << 21);
	btf__free(kernel);
	*facts = found;
}
