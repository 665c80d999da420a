/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Kernel drift on the user side: what this kernel's BTF says about the events
 * the programs attach to. Decided from BTF, never from a version number.
 */
#ifndef IOSTRATA_KERNEL_DRIFT_H
#define IOSTRATA_KERNEL_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"

struct kernel_facts {
	uint32_t rq_arg;	  /* of block_rq_insert/issue/requeue: where the request lies */
	uint32_t bio_queued_mask; /* of bi_flags, see bpf/drift.bpf.h; 0: not in this kernel */
	uint32_t bio_throttled_mask;
	bool complete_has_cqe;	  /* io_uring_complete passes the CQE */
	bool has_submit_req;	  /* io_uring_submit_req with the request pointer */
};

/* 0, or -errno with *why (status 4) when the kernel has no BTF or lacks the
 * block tracepoints.
 */
int kernel_facts_read(struct kernel_facts *facts, struct why *why);

#endif
