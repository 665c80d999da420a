/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Programs of a few instructions, loaded to learn what the kernel takes.
 * Included by the files of user/probe that try things, and nothing else.
 */
#ifndef IOSTRATA_TINY_PROGRAM_H
#define IOSTRATA_TINY_PROGRAM_H

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <stddef.h>

#define TINY_MOV_IMM(dst, value)                                                                   \
	((struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (dst), .imm = (value) })
#define TINY_MOV(dst, src)                                                                         \
	((struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = (dst), .src_reg = (src) })
#define TINY_ADD_IMM(dst, value)                                                                   \
	((struct bpf_insn){ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = (dst), .imm = (value) })
#define TINY_STORE(dst, offset, src)                                                               \
	((struct bpf_insn){ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = (dst),                  \
			    .src_reg = (src), .off = (offset) })
/* *(u64 *)(dst + offset): r0 is compared, src stored when equal. */
#define TINY_CMPXCHG(dst, offset, src)                                                             \
	((struct bpf_insn){ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = (dst),               \
			    .src_reg = (src), .off = (offset), .imm = BPF_CMPXCHG })
#define TINY_CALL(helper)                                                                          \
	((struct bpf_insn){ .code = BPF_JMP | BPF_CALL, .imm = (helper) })
#define TINY_EXIT() ((struct bpf_insn){ .code = BPF_JMP | BPF_EXIT })
/* dst = address of the first value of array map `fd`: two instructions. */
#define TINY_MAP_VALUE(dst, fd)                                                                    \
	((struct bpf_insn){ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = (dst),                   \
			    .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = (fd) }),                       \
		((struct bpf_insn){ 0 })

#define TINY_COUNT(program) (sizeof(program) / sizeof((program)[0]))

/* A descriptor, or the negative errno. `options` may be NULL; `log` gets the
 * verifier's last line ("": it said nothing) and may be NULL.
 */
int tiny_load(enum bpf_prog_type type, const struct bpf_insn *program, size_t count,
	      const struct bpf_prog_load_opts *options, char *log, size_t log_size);

#endif
