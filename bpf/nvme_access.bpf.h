/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What the NVMe programs read of a request. They are raw_tp in both flavours:
 * the driver may be a module, whose types the verifier would need at load, and
 * which may come later. So their arguments are numbers, read by probe reads.
 */
#ifndef IOSTRATA_NVME_ACCESS_BPF_H
#define IOSTRATA_NVME_ACCESS_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "drift.bpf.h"
#include "key.bpf.h"

/* Its disk's number, major << 20 | minor; 0: it has none (an admin queue). */
static __always_inline u32 nvme_request_dev(struct request *rq)
{
	struct gendisk *disk = request_disk_by(BPF_CORE_READ, rq);

	return disk_dev_by(BPF_CORE_READ, disk);
}

#endif
