/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The NVMe driver's three stamps in the flight records. In: nvme_setup_cmd,
 * nvme_sq, nvme_complete_rq. Out: prepared, answered, driver_done of every bio
 * of ours in the request. Included after what run.bpf.c stamps bios with.
 */
#ifndef IOSTRATA_RUN_NVME_BPF_H
#define IOSTRATA_RUN_NVME_BPF_H

#include "nvme_access.bpf.h"

/* As is_target(), of a request that is a number. */
static __always_inline bool nvme_is_target(struct request *rq, struct bio *first)
{
	if (!ring_context || !first)
		return false;
	if (cfg_bio_based)
		return bio_find(number_key(first));
	return nvme_request_dev(rq) == cfg_dev;
}

/* What is beyond the walk is counted when the request is issued. */
static __always_inline void nvme_stamp(struct request *rq, enum iostrata_boundary boundary)
{
	u64 now = bpf_ktime_get_ns();
	struct bio *bio = BPF_CORE_READ(rq, bio);

	if (!nvme_is_target(rq, bio))
		return;
	for (int i = 0; i < IOSTRATA_WALK_MAX && bio; i++) {
		stamp_bio(number_key(bio), boundary, now);
		bio = BPF_CORE_READ(bio, bi_next);
	}
}

SEC("raw_tp/nvme_setup_cmd")
int on_nvme_setup_cmd(u64 *ctx)
{
	nvme_stamp((void *)ctx[0], IOSTRATA_PREPARED);
	return 0;
}

SEC("raw_tp/nvme_sq")
int on_nvme_sq(u64 *ctx)
{
	nvme_stamp((void *)ctx[0], IOSTRATA_ANSWERED);
	return 0;
}

SEC("raw_tp/nvme_complete_rq")
int on_nvme_complete_rq(u64 *ctx)
{
	nvme_stamp((void *)ctx[0], IOSTRATA_DRIVER_DONE);
	return 0;
}

#endif
