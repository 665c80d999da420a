/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Attaching to the NVMe driver's tracepoints. The driver may be absent, or a
 * module that comes while we trace: its programs are always loaded, and are
 * attached when the tracepoints are there.
 */
#ifndef IOSTRATA_KERNEL_NVME_HOOKS_H
#define IOSTRATA_KERNEL_NVME_HOOKS_H

#include <bpf/libbpf.h>
#include <stdbool.h>

#include "base/why.h"

enum { NVME_HOOKS_MAX = 4 };

struct nvme_hooks {
	struct bpf_link *link[NVME_HOOKS_MAX];
	bool attached;
};

/* Between open and load: a skeleton's attach leaves them alone. */
void nvme_hooks_hold_back(struct bpf_object *object);
/* 0, with `attached` set if the driver is there (false: not yet); -errno and
 * *why when the kernel refused. Once attached it does nothing.
 */
int nvme_hooks_attach(struct nvme_hooks *hooks, struct bpf_object *object, struct why *why);
/* Whether that will take a capability: CAP_BPF before 5.19 (c8644cd0efe7, "bpf:
 * refine kernel.unprivileged_bpf_disabled behaviour") if unprivileged BPF is off.
 * It is tried.
 */
bool nvme_hooks_need_privilege(struct bpf_object *object);
void nvme_hooks_detach(struct nvme_hooks *hooks);
/* Whether the driver has been loaded, or is built in: cheap, needs nothing. */
bool nvme_driver_is_there(void);

#endif
