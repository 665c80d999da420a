// SPDX-License-Identifier: GPL-2.0-only
// In: a feature's name. Out: whether using it once worked, and the error if not.
#include "probe/bpf_feature.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probe/tiny_program.h"

const char *bpf_feature_name(enum bpf_feature feature)
{
	static const char *const names[] = {
#define FEATURE_NAME(id, name, purpose) name,
		BPF_FEATURES(FEATURE_NAME)
	};

	return names[feature];
}

const char *bpf_feature_purpose(enum bpf_feature feature)
{
	static const char *const purposes[] = {
#define FEATURE_PURPOSE(id, name, purpose) purpose,
		BPF_FEATURES(FEATURE_PURPOSE)
	};

	return purposes[feature];
}

/* Descriptors are only proof; -errno or 0. */
static int dropped(int fd)
{
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int create(enum bpf_map_type type, uint32_t key, uint32_t value, uint32_t entries,
		  uint32_t flags)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = flags);
	int fd = bpf_map_create(type, "iostrata_probe", key, value, entries, &options);

	return fd < 0 ? -errno : fd;
}

static int run(const struct bpf_insn *program, size_t count)
{
	return dropped(tiny_load(BPF_PROG_TYPE_RAW_TRACEPOINT, program, count, NULL, NULL, 0));
}

static int try_array_mmap(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = create(BPF_MAP_TYPE_ARRAY, 4, (uint32_t)page, 1, BPF_F_MMAPABLE), err = 0;
	void *at;

	if (fd < 0)
		return fd;
	at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		err = -errno;
	else
		munmap(at, page);
	close(fd);
	return err;
}

static int try_global_data(void)
{
	int fd = create(BPF_MAP_TYPE_ARRAY, 4, 8, 1, 0), err;

	if (fd < 0)
		return fd;
	err = run((const struct bpf_insn[]){ TINY_MAP_VALUE(BPF_REG_1, fd), TINY_MOV_IMM(BPF_REG_2, 1),
					     TINY_STORE(BPF_REG_1, 0, BPF_REG_2),
					     TINY_MOV_IMM(BPF_REG_0, 0), TINY_EXIT() },
		  6);
	close(fd);
	return err;
}

static int try_ktime(void)
{
	const struct bpf_insn program[] = { TINY_CALL(BPF_FUNC_ktime_get_ns), TINY_EXIT() };

	return run(program, TINY_COUNT(program));
}

static int try_read_kernel(void)
{
	/* Eight bytes from address 0 to the stack: -EFAULT, but allowed. */
	const struct bpf_insn program[] = {
		TINY_MOV(BPF_REG_1, BPF_REG_10), TINY_ADD_IMM(BPF_REG_1, -8),
		TINY_MOV_IMM(BPF_REG_2, 8),	 TINY_MOV_IMM(BPF_REG_3, 0),
		TINY_CALL(BPF_FUNC_probe_read_kernel), TINY_MOV_IMM(BPF_REG_0, 0), TINY_EXIT(),
	};

	return run(program, TINY_COUNT(program));
}

static int try_cas(void)
{
	const struct bpf_insn program[] = {
		TINY_MOV_IMM(BPF_REG_0, 0),	    TINY_MOV_IMM(BPF_REG_1, 1),
		TINY_STORE(BPF_REG_10, -8, BPF_REG_0), TINY_CMPXCHG(BPF_REG_10, -8, BPF_REG_1),
		TINY_MOV_IMM(BPF_REG_0, 0),	    TINY_EXIT(),
	};

	return run(program, TINY_COUNT(program));
}

/* Storage maps want the BTF of their key and value: an int is enough. */
static int create_task_storage(const struct btf *btf, int type_id)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_NO_PREALLOC,
		    .btf_fd = (uint32_t)btf__fd(btf), .btf_key_type_id = (uint32_t)type_id,
		    .btf_value_type_id = (uint32_t)type_id);
	int fd = bpf_map_create(BPF_MAP_TYPE_TASK_STORAGE, "iostrata_probe", 4, 4, 0, &options);

	return fd < 0 ? -errno : fd;
}

static int try_task_storage(void)
{
	struct btf *btf = btf__new_empty();
	int err = libbpf_get_error(btf), id = 0;

	if (err)
		return err;
	id = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	err = id < 0 ? id : btf__load_into_kernel(btf);
	if (!err)
		err = dropped(create_task_storage(btf, id));
	btf__free(btf);
	return err;
}

static int try_iterator(struct kernel_types *types)
{
	const struct bpf_insn program[] = { TINY_MOV_IMM(BPF_REG_0, 0), TINY_EXIT() };
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_ITER);
	struct kernel_type type;
	int fd, link, err;

	err = types ? kernel_types_function(types, NULL, "bpf_iter_task", &type) : -ENOENT;
	if (err)
		return err;
	options.attach_btf_id = type.id;
	fd = tiny_load(BPF_PROG_TYPE_TRACING, program, TINY_COUNT(program), &options, NULL, 0);
	if (fd < 0)
		return fd;
	link = bpf_link_create(fd, 0, BPF_TRACE_ITER, NULL);
	err = dropped(link < 0 ? -errno : link);
	close(fd);
	return err;
}

static int try_run_stats(void)
{
	int fd = bpf_enable_stats(BPF_STATS_RUN_TIME);

	return dropped(fd < 0 ? -errno : fd);
}

int bpf_feature_try(struct kernel_types *types, enum bpf_feature feature)
{
	switch (feature) {
	case BPF_FEATURE_ARRAY_MMAP:
		return try_array_mmap();
	case BPF_FEATURE_PERCPU_ARRAY:
		return dropped(create(BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8, 1, 0));
	case BPF_FEATURE_HASH:
		return dropped(create(BPF_MAP_TYPE_HASH, 8, 8, 1, 0));
	case BPF_FEATURE_GLOBAL_DATA:
		return try_global_data();
	case BPF_FEATURE_KTIME:
		return try_ktime();
	case BPF_FEATURE_READ_KERNEL:
		return try_read_kernel();
	case BPF_FEATURE_CAS:
		return try_cas();
	case BPF_FEATURE_RINGBUF:
		return dropped(create(BPF_MAP_TYPE_RINGBUF, 0, 0,
				      (uint32_t)sysconf(_SC_PAGESIZE), 0));
	case BPF_FEATURE_TASK_STORAGE:
		return try_task_storage();
	case BPF_FEATURE_ITERATOR:
		return try_iterator(types);
	case BPF_FEATURE_RUN_STATS:
		return try_run_stats();
	default:
		return -EINVAL;
	}
}

int bpf_memory_in_cgroup(void)
{
	/* The helper came with the same release as the accounting; libbpf
	 * decides by it, too. Tracing programs may not call it.
	 */
	const struct bpf_insn program[] = { TINY_CALL(BPF_FUNC_ktime_get_coarse_ns), TINY_EXIT() };
	int err = dropped(tiny_load(BPF_PROG_TYPE_SOCKET_FILTER, program, TINY_COUNT(program), NULL,
				    NULL, 0));

	return err == -EPERM ? err : !err;
}
