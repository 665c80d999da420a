// SPDX-License-Identifier: GPL-2.0-only
// In: the two clocks. Out: how far apart they are (a time namespace shifts
// user space's).
#include <bpf/bpf.h>
#include <errno.h>
#include <unistd.h>

#include "base/clock.h"
#include "probe/bpf_feature.h"
#include "probe/tiny_program.h"

/* A program that stores bpf_ktime_get_ns into the map's only value. */
static int load_reader(int map)
{
	const struct bpf_insn program[] = {
		TINY_CALL(BPF_FUNC_ktime_get_ns),   TINY_MAP_VALUE(BPF_REG_1, map),
		TINY_STORE(BPF_REG_1, 0, BPF_REG_0), TINY_MOV_IMM(BPF_REG_0, 0), TINY_EXIT(),
	};

	return tiny_load(BPF_PROG_TYPE_RAW_TRACEPOINT, program, TINY_COUNT(program), NULL, NULL, 0);
}

static int read_both(int program, int map, int64_t *offset_ns, uint64_t *error_ns)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);
	uint64_t before_ns = clock_monotonic_ns(), after_ns, kernel_ns;
	uint32_t key = 0;

	if (bpf_prog_test_run_opts(program, &options))
		return -errno;
	after_ns = clock_monotonic_ns();
	if (bpf_map_lookup_elem(map, &key, &kernel_ns))
		return -errno;
	*error_ns = (after_ns - before_ns) / 2;
	*offset_ns = kernel_ns >= before_ns && kernel_ns <= after_ns
			     ? 0
			     : (int64_t)(before_ns + *error_ns - kernel_ns);
	return 0;
}

int bpf_clock_offset(int64_t *offset_ns, uint64_t *error_ns)
{
	int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "iostrata_probe", 4, 8, 1, NULL), program, err;

	if (map < 0)
		return -errno;
	program = load_reader(map);
	err = program < 0 ? program : read_both(program, map, offset_ns, error_ns);
	if (program >= 0)
		close(program);
	close(map);
	return err;
}
