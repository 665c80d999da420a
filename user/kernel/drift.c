// SPDX-License-Identifier: GPL-2.0-only
// In: vmlinux BTF. Out: the facts the programs' cfg_* constants need. The one
// place in user space that knows how kernels differ.
#include "kernel/drift.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A tracepoint's prototype, as the kernel declares it for BPF; NULL: none. */
static const struct btf_type *prototype(const struct btf *btf, const char *tracepoint)
{
	const struct btf_type *type;
	char name[96];
	int id;

	snprintf(name, sizeof(name), "btf_trace_%s", tracepoint);
	id = btf__find_by_name_kind(btf, name, BTF_KIND_TYPEDEF);
	if (id < 0)
		return NULL;
	type = btf__type_by_id(btf, btf__type_by_id(btf, (uint32_t)id)->type);
	return btf_is_ptr(type) ? btf__type_by_id(btf, type->type) : NULL;
}

/* Whether argument `index` (0 is the first the tracepoint passes) points to
 * struct `name`.
 */
static bool argument_is(const struct btf *btf, const char *tracepoint, unsigned int index,
			const char *name)
{
	const struct btf_type *proto = prototype(btf, tracepoint), *type;

	/* The first parameter is the probe's own context. */
	if (!proto || btf_vlen(proto) <= index + 1)
		return false;
	type = btf__type_by_id(btf, btf_params(proto)[index + 1].type);
	if (!type || !btf_is_ptr(type))
		return false;
	type = btf__type_by_id(btf, type->type);
	return type && !strcmp(btf__name_by_offset(btf, type->name_off), name);
}

static int read_block(const struct btf *btf, struct kernel_facts *facts, struct why *why)
{
	/* The queue argument went in 5.11 (a54895fa057c) and in 5.10.137. */
	if (argument_is(btf, "block_rq_issue", 0, "request"))
		facts->rq_arg = 0;
	else if (argument_is(btf, "block_rq_issue", 1, "request"))
		facts->rq_arg = 1;
	else
		return why_set(why, -ENOSYS, EXIT_KERNEL_LACKS,
			       "this kernel has no tracepoint block_rq_issue that BPF can use; "
			       "it needs CONFIG_BLK_DEV_IO_TRACE or CONFIG_BLOCK with tracepoints, "
			       "and CONFIG_DEBUG_INFO_BTF");
	return 0;
}

static void read_io_uring(const struct btf *btf, struct kernel_facts *facts)
{
	/* io_uring_submit_sqe until 6.3, with other arguments. */
	facts->has_submit_req = argument_is(btf, "io_uring_submit_req", 0, "io_kiocb");
	/* user_data until 6.9. */
	facts->complete_has_cqe = argument_is(btf, "io_uring_complete", 2, "io_uring_cqe");
}

/* The bit that an enumerator of a nameless enum numbers; 0: there is none. */
static uint32_t mask_of(const struct btf *btf, const char *enumerator)
{
	for (uint32_t id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const struct btf_enum *value = btf_enum(type);

		if (!btf_is_enum(type) || type->name_off)
			continue;
		for (int i = 0; i < btf_vlen(type); i++)
			if (!strcmp(btf__name_by_offset(btf, value[i].name_off), enumerator))
				return 1u << value[i].val;
	}
	return 0;
}

int kernel_facts_read(struct kernel_facts *facts, struct why *why)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int err;

	*facts = (struct kernel_facts){ 0 };
	if (!btf)
		return why_set(why, -errno, EXIT_KERNEL_LACKS,
			       "no BTF in /sys/kernel/btf/vmlinux (%s); the kernel needs "
			       "CONFIG_DEBUG_INFO_BTF",
			       why_text(errno));
	err = read_block(btf, facts, why);
	read_io_uring(btf, facts);
	facts->bio_queued_mask = mask_of(btf, "BIO_TRACE_COMPLETION");
	facts->bio_throttled_mask = mask_of(btf, "BIO_THROTTLED");
	btf__free(btf);
	return err;
}
