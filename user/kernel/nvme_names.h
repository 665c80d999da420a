/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What the NVMe specification (base 2.0, NVM and zoned command sets) calls its
 * numbers. In: an opcode, a status, an async event. Out: a name, or the number
 * as one. Never fails.
 */
#ifndef IOSTRATA_KERNEL_NVME_NAMES_H
#define IOSTRATA_KERNEL_NVME_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { NVME_NAME_SIZE = 64 };

void nvme_opcode_name(bool admin, uint32_t opcode, char out[NVME_NAME_SIZE]);
/* type << 8 | code, as the kernel keeps it. */
void nvme_status_name(uint32_t status, char out[NVME_NAME_SIZE]);
/* As the tracepoint nvme_async_event passes it. */
void nvme_event_name(uint32_t value, char out[NVME_NAME_SIZE]);

#endif
