/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Where the NVMe driver keeps what its events do not tell.
 */
#ifndef IOSTRATA_KERNEL_NVME_FACTS_H
#define IOSTRATA_KERNEL_NVME_FACTS_H

#include "nvme.h"

/* From vmlinux BTF (`btf_path`, or the kernel's own if NULL), or from the module's (/sys/kernel/btf/nvme_core, anybody
 * may read it): so again once the module is loaded. facts->known is 0 if
 * neither has the driver's types: kernels before 5.11 have no BTF of modules
 * (36e68442d1af). Then a status is not known, and nothing is guessed.
 */
void nvme_facts_read(const char *btf_path, struct iostrata_nvme_facts *facts);

#endif
