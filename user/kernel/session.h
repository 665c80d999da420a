/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What the trace and run sessions share: opening skeletons so that libbpf's
 * own words end up in *why, mapping arrays, asking what programs lost.
 */
#ifndef IOSTRATA_KERNEL_SESSION_H
#define IOSTRATA_KERNEL_SESSION_H

#include <bpf/libbpf.h>
#include <stdint.h>

#include "base/why.h"

enum { SESSION_PROGRAMS_MAX = 48 };

struct session_program {
	char name[32];
	uint64_t runs, ns, misses; /* runs and ns: while statistics were on */
};

/* "1.1" */
const char *session_libbpf_version(void);
/* One more than the highest CPU number there can be: gaps and those offline
 * included, so a count of CPUs would not do.
 */
unsigned int session_cpus(void);
/* libbpf prints nothing; the kernel's errno tells. */
void session_quiet(void);
/* Sets *why for a failed load or attach of `what`, with the right status. */
int session_refused(struct why *why, int err, const char *what);
/* An array map's memory; NULL and errno. writable: for records. */
void *session_map(const struct bpf_map *map, int writable, struct why *why);
/* Appends each loaded program; returns the new count. */
unsigned int session_programs(const struct bpf_object *object, struct session_program *out,
			      unsigned int count);
/* Turns run-time statistics on until the fd is closed; -errno. */
int session_statistics(void);

#endif
