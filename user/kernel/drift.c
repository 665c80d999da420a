// SPDX-License-Identifier: GPL-2.0-only
// In: a kernel's BTF. Out: the facts the programs' cfg_* constants need. The one
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
	type = btf_is_ptr(type) ? btf__type_by_id(btf, type->type) : NULL;
	return type && btf_is_func_proto(type) ? type : NULL;
}

static bool has(const struct btf *btf, const char *tracepoint)
{
	return prototype(btf, tracepoint) != NULL;
}

/* Argument `index` (0 is the first the tracepoint passes), behind typedefs and
 * qualifiers; NULL: no such argument, or void.
 */
static const struct btf_type *argument(const struct btf *btf, const char *tracepoint,
				       unsigned int index)
{
	const struct btf_type *proto = prototype(btf, tracepoint), *type;

	/* The first parameter is the probe's own context. */
	if (!proto || btf_vlen(proto) <= index + 1)
		return NULL;
	type = btf__type_by_id(btf, btf_params(proto)[index + 1].type);
	while (type && (btf_is_typedef(type) || btf_is_mod(type)))
		type = btf__type_by_id(btf, type->type);
	return type;
}

static bool is_pointer(const struct btf *btf, const char *tracepoint, unsigned int index)
{
	const struct btf_type *type = argument(btf, tracepoint, index);

	return type && btf_is_ptr(type);
}

static bool is_u64(const struct btf *btf, const char *tracepoint, unsigned int index)
{
	const struct btf_type *type = argument(btf, tracepoint, index);

	return type && btf_is_int(type) && type->size == sizeof(uint64_t);
}

/* A pointer to struct `name`. */
static bool points_to(const struct btf *btf, const char *tracepoint, unsigned int index,
		      const char *name)
{
	const struct btf_type *type = argument(btf, tracepoint, index);

	if (!type || !btf_is_ptr(type))
		return false;
	type = btf__type_by_id(btf, type->type);
	return type && !strcmp(btf__name_by_offset(btf, type->name_off), name);
}

uint32_t kernel_flag_mask(const struct btf *btf, const char *name, uint32_t before)
{
	for (uint32_t id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		for (int i = 0; btf_is_enum(type) && i < btf_vlen(type); i++)
			if (!strcmp(btf__name_by_offset(btf, btf_enum(type)[i].name_off), name))
				return 1u << btf_enum(type)[i].val;
	}
	return before;
}

static int read_block(const struct btf *btf, struct kernel_facts *facts, struct why *why)
{
	if (points_to(btf, "block_rq_issue", 0, "request"))
		facts->rq_arg = 0;
	else if (points_to(btf, "block_rq_issue", 1, "request"))
		facts->rq_arg = 1;
	else
		return why_set(why, -ENOSYS, EXIT_KERNEL_LACKS,
			       "the kernel's BTF has no tracepoint block_rq_issue; the kernel needs "
			       "CONFIG_BLOCK with tracepoints and CONFIG_DEBUG_INFO_BTF");
	facts->bio_arg = points_to(btf, "block_bio_queue", 1, "bio");
	facts->flush_seq_mask = kernel_flag_mask(btf, "__RQF_FLUSH_SEQ", 1u << 4);
	facts->io_stat_mask = kernel_flag_mask(btf, "__RQF_IO_STAT", 1u << 13);
	facts->bio_queued_mask = kernel_flag_mask(btf, "BIO_TRACE_COMPLETION", 0);
	facts->bio_throttled_mask = kernel_flag_mask(btf, "BIO_THROTTLED", 0);
	return 0;
}

/* The request is `void *` in some: then it is the pointer after the ring's. */
static uint32_t submit_request(const struct btf *btf, const char *tracepoint)
{
	if (points_to(btf, tracepoint, 0, "io_kiocb"))
		return 0;
	return is_pointer(btf, tracepoint, 1) ? 1 : KERNEL_NO_ARGUMENT;
}

static uint32_t punt_request(const struct btf *btf)
{
	static const char tracepoint[] = "io_uring_queue_async_work";

	if (points_to(btf, tracepoint, 0, "io_kiocb"))
		return 0;
	return is_pointer(btf, tracepoint, 1) ? 1 : 2;
}

static void read_io_uring(const struct btf *btf, struct kernel_facts *facts)
{
	facts->has_submit_req = has(btf, "io_uring_submit_req");
	facts->has_submit_sqe = has(btf, "io_uring_submit_sqe");
	facts->submit_req_arg = submit_request(btf, facts->has_submit_req ? "io_uring_submit_req"
									  : "io_uring_submit_sqe");
	facts->submit_user_data_arg = 2;
	facts->punt_req_arg = punt_request(btf);
	facts->complete_arg = is_u64(btf, "io_uring_complete", 1) ? 1 : 2;
	facts->complete_has_cqe = points_to(btf, "io_uring_complete", 2, "io_uring_cqe");
}

int kernel_facts_of(const struct btf *btf, struct kernel_facts *facts, struct why *why)
{
	*facts = (struct kernel_facts){ 0 };
	read_io_uring(btf, facts);
	return read_block(btf, facts, why);
}

static struct btf *open_file(const char *path, struct why *why)
{
	struct btf *btf = btf__parse(path, NULL);
	int err = -errno;

	if (btf)
		return btf;
	why_set(why, err, EXIT_USAGE,
		"%s: %s; it must be the BTF of the running kernel, raw or in an ELF file", path,
		err == -ENOENT || err == -EACCES || err == -EPERM ? why_text(-err) : "no BTF in it");
	return NULL;
}

struct btf *kernel_btf_open(const char *path, struct why *why)
{
	struct btf *btf;

	if (path)
		return open_file(path, why);
	btf = btf__load_vmlinux_btf();
	if (!btf)
		why_set(why, -errno, EXIT_KERNEL_LACKS,
			"no BTF in /sys/kernel/btf/vmlinux (%s); give this kernel's with --btf FILE "
			"(its CONFIG_DEBUG_INFO_BTF makes it)",
			why_text(errno));
	return btf;
}

int kernel_btf_check(const char *path, struct why *why)
{
	struct btf *btf = kernel_btf_open(path, why);

	if (!btf)
		return -EINVAL;
	btf__free(btf);
	return 0;
}

int kernel_facts_read(const char *btf_path, struct kernel_facts *facts, struct why *why)
{
	struct btf *btf = kernel_btf_open(btf_path, why);
	int err;

	if (!btf)
		return -ENOENT;
	err = kernel_facts_of(btf, facts, why);
	btf__free(btf);
	return err;
}
