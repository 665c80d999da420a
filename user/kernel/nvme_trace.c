// SPDX-License-Identifier: GPL-2.0-only
// In: the trace programs, opened or loaded. Out: their NVMe part sized, mapped
// and attached.
#include "kernel/nvme_trace.h"

#include <errno.h>
#include <sys/mman.h>

#include "kernel/nvme_facts.h"
#include "kernel/session.h"
#include "trace.skel.h"

/* No controller has more hardware queues than there are CPUs. */
static unsigned int rows_for(unsigned int cpus)
{
	unsigned int rows = IOSTRATA_NVME_ROWS_MIN + IOSTRATA_NVME_ROWS_PER_CPU * cpus;

	return rows < IOSTRATA_NVME_ROWS_MAX ? rows : IOSTRATA_NVME_ROWS_MAX;
}

int nvme_trace_configure(struct nvme_trace *nvme, struct trace_bpf *skel, unsigned int cpus,
			 uint32_t table_sets, const char *btf)
{
	int err;

	nvme_hooks_hold_back(skel->obj);
	nvme->btf = btf;
	nvme->rows_max = rows_for(cpus);
	skel->rodata->cfg_nvme_rows = nvme->rows_max;
	err = bpf_map__set_max_entries(skel->maps.nvme_rows, nvme->rows_max);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.nvme_row_index, nvme->rows_max);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.nvme_flights,
					       table_sets * IOSTRATA_TABLE_WAYS);
	return err;
}

/* What only the driver's types tell is read before its first event. */
int nvme_trace_attach(struct nvme_trace *nvme, struct trace_bpf *skel, struct why *why)
{
	if (nvme->hooks.attached || !nvme_driver_is_there())
		return 0;
	nvme_facts_read(nvme->btf, &skel->bss->nvme_facts);
	return nvme_hooks_attach(&nvme->hooks, skel->obj, why);
}

int nvme_trace_open(struct nvme_trace *nvme, struct trace_bpf *skel, struct why *why)
{
	nvme->rows = session_map(skel->maps.nvme_rows, 0, why);
	nvme->devices = session_map(skel->maps.nvme_devices, 0, why);
	if (!nvme->rows || !nvme->devices)
		return -ENOMEM;
	return nvme_trace_attach(nvme, skel, why);
}

void nvme_trace_close(struct nvme_trace *nvme)
{
	nvme_hooks_detach(&nvme->hooks);
	if (nvme->rows)
		munmap(nvme->rows, sizeof(*nvme->rows) * nvme->rows_max);
	if (nvme->devices)
		munmap(nvme->devices, sizeof(*nvme->devices) * IOSTRATA_NVME_DEVICES);
	nvme->rows = NULL;
	nvme->devices = NULL;
}
