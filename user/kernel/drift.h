/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Kernel drift on the user side: what a kernel's BTF says about the events the
 * programs attach to. Decided from BTF, never from a version number.
 */
#ifndef IOSTRATA_KERNEL_DRIFT_H
#define IOSTRATA_KERNEL_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"

struct btf;

enum { KERNEL_NO_ARGUMENT = 255 };

/* The programs' cfg_* of the same names; bpf/drift.bpf.h says what each is and
 * when it changed. Positions count the tracepoint's own arguments from 0.
 */
struct kernel_facts {
	uint32_t rq_arg;	       /* block_rq_insert, _issue, _requeue */
	uint32_t bio_arg;	       /* block_bio_queue, block_split, block_getrq */
	uint32_t submit_req_arg;       /* or KERNEL_NO_ARGUMENT */
	uint32_t submit_user_data_arg; /* where there is no request */
	uint32_t punt_req_arg;	       /* io_uring_queue_async_work */
	uint32_t complete_arg;	       /* io_uring_complete: user_data, or the CQE */
	uint32_t complete_has_cqe;
	uint32_t flush_seq_mask, io_stat_mask;
	uint32_t bio_queued_mask, bio_throttled_mask; /* 0: no such flag */

	bool has_submit_req; /* tracepoint io_uring_submit_req */
	bool has_submit_sqe; /* io_uring_submit_sqe, before it */
};

/* Sets the constants of a skeleton's rodata. */
#define KERNEL_FACTS_SET(rodata, facts)                                                            \
	do {                                                                                       \
		(rodata)->cfg_rq_arg = (facts)->rq_arg;                                            \
		(rodata)->cfg_bio_arg = (facts)->bio_arg;                                          \
		(rodata)->cfg_submit_req_arg = (facts)->submit_req_arg;                            \
		(rodata)->cfg_submit_user_data_arg = (facts)->submit_user_data_arg;                \
		(rodata)->cfg_punt_req_arg = (facts)->punt_req_arg;                                \
		(rodata)->cfg_complete_arg = (facts)->complete_arg;                                \
		(rodata)->cfg_complete_has_cqe = (facts)->complete_has_cqe;                        \
		(rodata)->cfg_flush_seq_mask = (facts)->flush_seq_mask;                            \
		(rodata)->cfg_io_stat_mask = (facts)->io_stat_mask;                                \
		(rodata)->cfg_bio_queued_mask = (facts)->bio_queued_mask;                          \
		(rodata)->cfg_bio_throttled_mask = (facts)->bio_throttled_mask;                    \
	} while (0)

/* The running kernel's types: its own BTF, or `path` (NULL: none given), raw or
 * in an ELF file. NULL and *why: status 2 for a file that is not BTF, 4 for a
 * kernel without. To be freed with btf__free.
 */
struct btf *kernel_btf_open(const char *path, struct why *why);

/* The mask of a flag whose number is enumerator `name`, in an enum that may have
 * no name; `before` where there is none.
 */
uint32_t kernel_flag_mask(const struct btf *btf, const char *name, uint32_t before);

/* Whether a file is BTF at all: 0, or -errno and *why. */
int kernel_btf_check(const char *path, struct why *why);

/* 0, or -errno with *why (status 4) when there is no BTF, or it knows no block
 * tracepoints.
 */
int kernel_facts_read(const char *btf_path, struct kernel_facts *facts, struct why *why);
/* Of types already read. */
int kernel_facts_of(const struct btf *btf, struct kernel_facts *facts, struct why *why);

#endif
