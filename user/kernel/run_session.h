/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The `run` programs: attached before the generator makes its ring, they write
 * the kernel's half of each flight record.
 */
#ifndef IOSTRATA_RUN_SESSION_H
#define IOSTRATA_RUN_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"
#include "kernel/flavour.h"
#include "kernel/run_hooks.h"
#include "kernel/session.h"
#include "run.h"

struct run_session;

struct run_config {
	uint32_t dev;	/* the target's whole disk, major << 20 | minor */
	uint32_t slots; /* the generator's in-flight cap */
	enum flavour flavour; /* of the programs */
	const char *btf;      /* a file with the kernel's types; NULL: its own */
	bool bio_based; /* the disk makes no requests: it has no hardware queue */
};

struct run_depths { /* of our bios on the target */
	uint64_t waiting_max, waiting_ns, in_flight_max; /* waiting: queued, not issued */
};

/* Loads and attaches. -errno and *why else. */
int run_session_open(const struct run_config *config, struct why *why, struct run_session **out);
enum flavour run_session_flavour(const struct run_session *session);
struct iostrata_record *run_session_records(struct run_session *session);
struct iostrata_control *run_session_control(struct run_session *session);
/* Around making the ring: the next ring of this process is ours. */
void run_session_expect_ring(struct run_session *session, bool expect);
/* Whether the kernel told us of our ring. */
bool run_session_has_ring(const struct run_session *session);
void run_session_counts(const struct run_session *session, uint64_t out[IOSTRATA_RUN_COUNT]);
struct run_depths run_session_depths(const struct run_session *session);
/* Changes of shared memory that found its lock taken (bpf/atomic.bpf.h). */
uint64_t run_session_contended(const struct run_session *session);
/* Boundaries that can be seen here: bit per enum iostrata_boundary. */
uint32_t run_session_boundaries(const struct run_session *session);
/* Whether the parts of queued to allocated can be told apart. */
bool run_session_has_waits(const struct run_session *session);
/* How it is hooked here. */
enum run_way run_session_way(const struct run_session *session, enum run_hook hook);
unsigned int run_session_programs(const struct run_session *session, struct session_program *out,
				  unsigned int count);
void run_session_close(struct run_session *session);

#endif
