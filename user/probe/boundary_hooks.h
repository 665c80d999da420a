/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which places of the kernel stamp which boundary, which other places the
 * tracer follows an I/O through, and what is lost without each. In: the
 * running kernel. Out: for each whether it can be attached to.
 */
#ifndef IOSTRATA_BOUNDARY_HOOKS_H
#define IOSTRATA_BOUNDARY_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

#include "boundary.h"
#include "probe/hook.h"
#include "probe/privilege.h"

/* X(id, name, module that may hold it, is a function, what it serves) */
#define WATCHED_PLACES(X)                                                                          \
	X(URING_CREATE, "io_uring_create", NULL, false, "whose ring it is (run)")                  \
	X(URING_SUBMIT_REQ, "io_uring_submit_req", NULL, false, "`entered`, newer kernels")        \
	X(URING_SUBMIT_SQE, "io_uring_submit_sqe", NULL, false, "`entered`, older kernels")        \
	X(URING_PUNT, "io_uring_queue_async_work", NULL, false, "`punted`")                        \
	X(URING_COMPLETE, "io_uring_complete", NULL, false, "`returned`")                          \
	X(SUBMIT_BIO, "submit_bio_noacct", NULL, true, "`bio`")                                    \
	X(MQ_SUBMIT, "blk_mq_submit_bio", NULL, true, "who waits for a tag (in `tag`)")            \
	X(BIO_ENTER, "__bio_queue_enter", NULL, true, "a frozen queue (in `tag`)")                 \
	X(RQ_QOS, "__rq_qos_throttle", NULL, true, "wbt, iocost, iolatency (in `tag`)")            \
	X(GET_TAG, "blk_mq_get_tag", NULL, true, "the wait for a tag (in `tag`)")                  \
	X(BIO_QUEUE, "block_bio_queue", NULL, false, "`queued`")                                   \
	X(BIO_SPLIT, "block_split", NULL, false, "the parts of a large I/O")                       \
	X(BIO_BACKMERGE, "block_bio_backmerge", NULL, false, "bios merged behind a request")       \
	X(BIO_FRONTMERGE, "block_bio_frontmerge", NULL, false, "bios merged in front of one")      \
	X(BIO_COMPLETE, "block_bio_complete", NULL, false,                                         \
	  "refused bios; `completed` of bio-based devices")                                        \
	X(GETRQ, "block_getrq", NULL, false, "`allocated`")                                        \
	X(RQ_INSERT, "block_rq_insert", NULL, false, "`inserted`")                                 \
	X(RQ_ISSUE, "block_rq_issue", NULL, false, "`first_issued`, `issued`")                     \
	X(RQ_REQUEUE, "block_rq_requeue", NULL, false, "requests the driver gave back")            \
	X(RQ_COMPLETE, "block_rq_complete", NULL, false, "`completed`")                            \
	X(NVME_SETUP, "nvme_setup_cmd", "nvme_core", false, "`prepared`")                          \
	X(NVME_SQ, "nvme_sq", "nvme_core", false, "`answered`")                                    \
	X(NVME_COMPLETE, "nvme_complete_rq", "nvme_core", false, "`driver_done`")

enum watched_place {
#define WATCHED_ENUM(id, name, module, function, serves) WATCHED_##id,
	WATCHED_PLACES(WATCHED_ENUM)
#undef WATCHED_ENUM
	WATCHED_COUNT,
};

/* The ways to attach to a place, the preferred one first: tp_btf and raw_tp,
 * or fentry and kprobe. A module's tracepoints are hooked by raw_tp in any case:
 * the module may come and go, and not every kernel has BTF of it.
 */
enum { WAYS = 2 };

struct watched {
	const char *name, *serves;
	bool function, in_module;
	enum hook_kind kind[WAYS];
	struct hook_outcome outcome[WAYS];
};

/* Tries them all: some 40 loads and attachments, 30 ms. */
void watched_try(struct kernel_types *types, struct watched places[WATCHED_COUNT]);
/* The index of the first way that works; -1: none. */
int watched_way(const struct watched *place);

struct boundary_state {
	const char *name, *alias, *stamped_by;
	bool available;
	char hook[64];	 /* "tp_btf block_rq_issue"; "" when there is none */
	char why[256];	 /* why not, with the errors as they were */
	const char *fold;   /* what becomes of its layer without it */
	const char *remedy; /* what to do about it; NULL when available */
};

/* Of the BPF boundaries by `places`, by raw_tp where the programs are `raw`; of
 * the generator's by `uring_err`.
 */
void boundaries_judge(const struct watched places[WATCHED_COUNT], const struct privilege *privilege,
		      bool have_types, bool raw, int uring_err,
		      struct boundary_state states[IOSTRATA_BOUNDARY_COUNT]);

/* "fentry refused at load: EPERM (1, Operation not permitted); kprobe …" */
void watched_why(const struct watched *place, char *out, size_t size);
/* What to do about a place that can't be attached to. */
const char *watched_remedy(const struct watched *place, const struct privilege *privilege,
			   bool have_types);

#endif
