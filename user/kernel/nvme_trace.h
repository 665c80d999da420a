/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The NVMe part of a trace session: its maps sized, its programs attached now or
 * when the driver comes, its counts read.
 */
#ifndef IOSTRATA_KERNEL_NVME_TRACE_H
#define IOSTRATA_KERNEL_NVME_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"
#include "kernel/nvme_hooks.h"
#include "nvme.h"

struct trace_bpf;

struct nvme_trace {
	struct nvme_hooks hooks;
	unsigned int rows_max;
	const char *btf; /* a file with the kernel's types, or NULL */
	/* The programs' memory. */
	struct iostrata_nvme_row *rows;
	struct iostrata_nvme_device *devices;
};

struct nvme_snapshot {
	bool attached;	     /* the driver is there: its events are seen */
	bool status_is_known; /* else the kernel does not tell where it is */
	struct iostrata_nvme_row *rows;
	unsigned int row_count;
	struct iostrata_nvme_device *devices;
	unsigned int device_count;
};

/* Between open and load; `btf` is not copied. 0 or -errno. */
int nvme_trace_configure(struct nvme_trace *nvme, struct trace_bpf *skel, unsigned int cpus,
			 uint32_t table_sets, const char *btf);
/* Whether one of the chosen devices is an NVMe multipath device, whose requests
 * are its paths'.
 */
bool nvme_trace_has_paths(const uint32_t *devs, unsigned int count);
/* After load: the paths of those are chosen too, by name. */
int nvme_trace_choose(struct trace_bpf *skel, const uint32_t *devs, unsigned int count,
		      struct why *why);
/* Maps the memory and attaches, if the driver is there. */
int nvme_trace_open(struct nvme_trace *nvme, struct trace_bpf *skel, struct why *why);
/* If the driver came meanwhile; may need CAP_BPF. */
int nvme_trace_attach(struct nvme_trace *nvme, struct trace_bpf *skel, struct why *why);
void nvme_trace_close(struct nvme_trace *nvme);

/* 0 or -ENOMEM; a snapshot that is zeroed, or freed. */
int nvme_trace_read(const struct nvme_trace *nvme, const struct trace_bpf *skel,
		    struct nvme_snapshot *out);
void nvme_snapshot_free(struct nvme_snapshot *snapshot);
/* later - earlier. 0 or -ENOMEM. */
int nvme_snapshot_window(struct nvme_snapshot *window, const struct nvme_snapshot *later,
			 const struct nvme_snapshot *earlier);

#endif
