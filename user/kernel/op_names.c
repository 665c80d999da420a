// SPDX-License-Identifier: GPL-2.0-only
// In: enum req_op of vmlinux BTF. Out: names of request operations.
#include "kernel/op_names.h"

#include <bpf/btf.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "kernel/session.h"

/* "REQ_OP_WRITE_ZEROES" becomes "write zeroes"; "DRV" is spelt out. */
static void spell(char *out, const char *enumerator)
{
	unsigned int length = 0;

	if (!strncmp(enumerator, "DRV_", 4))
		enumerator += 3, length = (unsigned int)snprintf(out, OP_NAME_SIZE, "driver");
	for (; *enumerator && length + 1 < OP_NAME_SIZE; enumerator++)
		out[length++] = *enumerator == '_' ? ' ' : (char)tolower((unsigned char)*enumerator);
	out[length] = '\0';
}

static void take(struct op_names *names, const struct btf *btf, const struct btf_type *type)
{
	const struct btf_enum *value = btf_enum(type);

	for (int i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, value[i].name_off);

		if (value[i].val < 0 || value[i].val >= OP_NAMES_MAX || strncmp(name, "REQ_OP_", 7) ||
		    !strcmp(name, "REQ_OP_LAST"))
			continue;
		spell(names->name[value[i].val], name + 7);
	}
}

void op_names_read(struct op_names *names, const char *btf_path)
{
	struct btf *btf;
	int id;

	session_quiet();
	btf = btf_path ? btf__parse(btf_path, NULL) : btf__load_vmlinux_btf();
	for (int i = 0; i < OP_NAMES_MAX; i++)
		snprintf(names->name[i], OP_NAME_SIZE, "op %d", i);
	if (!btf)
		return;
	/* enum req_opf until 6.0 (ff07a02e9e8e). */
	id = btf__find_by_name_kind(btf, "req_op", BTF_KIND_ENUM);
	if (id < 0)
		id = btf__find_by_name_kind(btf, "req_opf", BTF_KIND_ENUM);
	if (id >= 0)
		take(names, btf, btf__type_by_id(btf, (uint32_t)id));
	btf__free(btf);
}
