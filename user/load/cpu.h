/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What the generator's thread cost. In: this thread, at two moments. Out: wall,
 * user, system and run-queue time between them.
 */
#ifndef IOSTRATA_LOAD_CPU_H
#define IOSTRATA_LOAD_CPU_H

#include "load/load.h"

struct cpu_meter {
	int schedstat; /* descriptor; negative: the kernel does not tell */
	uint64_t wall_ns, user_ns, system_ns, waited_ns;
};

void cpu_meter_start(struct cpu_meter *meter);
/* Fills all of *out but spun_ns and enters. */
void cpu_meter_stop(struct cpu_meter *meter, struct load_cpu *out);

#endif
