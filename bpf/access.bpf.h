/* SPDX-License-Identifier: GPL-2.0-only
 *
 * One source, two flavours of program. In: IOSTRATA_RAW or not. Out: how a
 * program hooks a tracepoint and reads what its arguments point to.
 *
 * typed (tp_btf): the verifier knows the arguments' types, a field is a load.
 * raw (raw_tp): arguments are numbers and a field is a probe read, which costs
 * more. For kernels that refuse tp_btf, lack BTF of their own (--btf) or lack
 * atomic operations (before 5.12); see atomic.bpf.h. Variables are written with
 * their value, or the compiler lays them out by use, in each flavour otherwise.
 */
#ifndef IOSTRATA_ACCESS_BPF_H
#define IOSTRATA_ACCESS_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "key.bpf.h"

/* GET(rq, q, disk, major) is rq->q->disk->major; through NULL it is 0. */
#ifdef IOSTRATA_RAW
#define HOOK(tracepoint) SEC("raw_tp/" tracepoint)
#define HOOK_IF_WANTED(tracepoint) SEC("?raw_tp/" tracepoint)
#define GET(from, ...) BPF_CORE_READ((from), __VA_ARGS__)
#else
#define HOOK(tracepoint) SEC("tp_btf/" tracepoint)
#define HOOK_IF_WANTED(tracepoint) SEC("?tp_btf/" tracepoint)
#define GET(from, ...) ___arrow((from), __VA_ARGS__)
#endif

/* A load the compiler can't merge with its neighbours. */
#define CTX_LOAD(value, ctx, index)                                            \
	asm volatile("%0 = *(u64 *)(%1 + 8 * " #index ")" : "=r"(value) : "r"(ctx))

/* A tracepoint's argument whose place only a cfg_* constant knows. `ctx[index]`
 * moves the context pointer before it reads, which older verifiers refuse; they
 * know the constants, so that of these only one is left.
 */
static __always_inline u64 argument(const void *ctx, u32 index)
{
	u64 value;

	if (index == 0)
		CTX_LOAD(value, ctx, 0);
	else if (index == 1)
		CTX_LOAD(value, ctx, 1);
	else if (index == 2)
		CTX_LOAD(value, ctx, 2);
	else
		CTX_LOAD(value, ctx, 3);
	return value;
}

#ifdef __TARGET_ARCH_arm64
#define PROBE_ARGUMENT(ctx, n) (((struct user_pt_regs *)(ctx))->regs[n])
#else
#define PROBE_ARGUMENT(ctx, n) ((n) ? (ctx)->si : (ctx)->di)
#endif

/* A function of the kernel, where it can be hooked: by fentry, else by kprobe.
 * `handler` gets argument n (0 or 1) as a number, in either way and flavour, and
 * reads what it points to with BPF_CORE_READ.
 */
#define HOOK_FUNCTION(function, n, handler)                                    \
	SEC("?fentry/" #function)                                              \
	int on_##function(u64 *ctx)                                            \
	{                                                                      \
		return handler(number_at(&ctx[n]));                            \
	}                                                                      \
	SEC("?kprobe/" #function)                                              \
	int on_##function##_kprobe(struct pt_regs *ctx)                        \
	{                                                                      \
		return handler(PROBE_ARGUMENT(ctx, n));                        \
	}

#endif
