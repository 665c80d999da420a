// SPDX-License-Identifier: GPL-2.0-only
// In: a hook's kind and name. Out: whether a program can be attached there.
#include "probe/hook.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe/kernel_text.h"
#include "probe/tiny_program.h"

const char *hook_kind_name(enum hook_kind kind)
{
	static const char *const names[] = { "tp_btf", "raw_tp", "fentry", "kprobe" };

	return names[kind];
}

const char *hook_step_name(enum hook_step step)
{
	static const char *const names[] = { "untried", "find", "load", "attach", "attached" };

	return names[step];
}

static int load(enum bpf_prog_type type, const struct bpf_prog_load_opts *options,
		struct hook_outcome *out)
{
	const struct bpf_insn nothing[] = { TINY_MOV_IMM(BPF_REG_0, 0), TINY_EXIT() };
	int fd = tiny_load(type, nothing, TINY_COUNT(nothing), options, out->log, sizeof(out->log));

	out->step = fd < 0 ? HOOK_LOAD : HOOK_ATTACH;
	out->err = fd < 0 ? fd : 0;
	return fd;
}

/* Consumes the program; the link goes at once. `name` NULL: where it was
 * loaded for.
 */
static void attach_briefly(int program, const char *name, struct hook_outcome *out)
{
	int link = bpf_raw_tracepoint_open(name, program), err = -errno;

	if (link < 0) {
		out->err = err;
	} else {
		out->step = HOOK_ATTACHED;
		close(link);
	}
	close(program);
}

static void try_by_type(const struct kernel_type *type, enum bpf_attach_type attach,
			struct hook_outcome *out)
{
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = attach,
		    .attach_btf_id = type->id, .attach_btf_obj_fd = (uint32_t)type->module_fd);
	int program = load(BPF_PROG_TYPE_TRACING, &options, out);

	out->args = type->args;
	if (program >= 0)
		attach_briefly(program, NULL, out);
}

static void try_raw_tp(const char *name, struct hook_outcome *out)
{
	int program = load(BPF_PROG_TYPE_RAW_TRACEPOINT, NULL, out);

	if (program >= 0)
		attach_briefly(program, name, out);
}

static int open_kprobe(uint64_t pmu, const char *function)
{
	struct perf_event_attr attr = { .type = (uint32_t)pmu,
					.size = sizeof(attr),
					.kprobe_func = (uintptr_t)function };
	long fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static void attach_kprobe(int program, const char *function, uint64_t pmu, struct hook_outcome *out)
{
	int event = open_kprobe(pmu, function);

	if (event < 0)
		out->err = event;
	else if (ioctl(event, PERF_EVENT_IOC_SET_BPF, program))
		out->err = -errno;
	else
		out->step = HOOK_ATTACHED;
	if (event >= 0)
		close(event);
}

/* A kprobe is a perf event of its own PMU, which is there only when the kernel
 * has kprobes: looked for first, so that its lack isn't taken for a privilege.
 */
static void try_kprobe(const char *function, struct hook_outcome *out)
{
	uint64_t pmu;
	int program;

	out->err = kernel_u64("/sys/bus/event_source/devices/kprobe", "type", &pmu);
	if (out->err)
		return;
	program = load(BPF_PROG_TYPE_KPROBE, NULL, out);
	if (program < 0)
		return;
	attach_kprobe(program, function, pmu, out);
	close(program);
}

static int find(struct kernel_types *types, enum hook_kind kind, const char *module,
		const char *name, struct kernel_type *type)
{
	if (!types)
		return -ENOENT;
	return kind == HOOK_FENTRY ? kernel_types_function(types, module, name, type)
				   : kernel_types_tracepoint(types, module, name, type);
}

struct hook_outcome hook_try(struct kernel_types *types, enum hook_kind kind, const char *module,
			     const char *name)
{
	struct hook_outcome out = { .step = HOOK_FIND, .args = -1 };
	struct kernel_type type;

	if (kind == HOOK_KPROBE) {
		try_kprobe(name, &out);
	} else if (kind == HOOK_RAW_TP) {
		try_raw_tp(name, &out);
	} else {
		out.err = find(types, kind, module, name, &type);
		if (!out.err)
			try_by_type(&type, kind == HOOK_FENTRY ? BPF_TRACE_FENTRY : BPF_TRACE_RAW_TP,
				    &out);
	}
	return out;
}
