/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The open-loop generator. In: what to ask of which target, and when. Out: for
 * each I/O its flight record, and the result below. Commands `load` and `run`
 * both drive it: load_open, load_start, load_close.
 */
#ifndef IOSTRATA_LOAD_H
#define IOSTRATA_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"
#include "record.h"
#include "stat/dist.h"

enum load_rw { LOAD_READ, LOAD_RANDREAD, LOAD_WRITE, LOAD_RANDWRITE };
enum load_arrival { LOAD_CONSTANT, LOAD_POISSON, LOAD_CLOSED };
enum load_sync { LOAD_SYNC_NONE, LOAD_SYNC_DSYNC };
enum load_limit { LOAD_LIMIT_NONE, LOAD_LIMIT_TARGET, LOAD_LIMIT_CAP, LOAD_LIMIT_GENERATOR };
/* Decided at the first event; exclusive. */
enum load_outcome { LOAD_COMPLETED, LOAD_ERROR, LOAD_TIMEOUT, LOAD_IN_FLIGHT };

/* Defaults: load_defaults(). OPTION_CHOICE fields are int. */
struct load_config {
	const char *target;
	int rw;			/* enum load_rw */
	int arrival;		/* enum load_arrival */
	int sync;		/* enum load_sync */
	double rate_per_s;	/* open arrivals */
	uint64_t clients;	/* closed */
	uint64_t think_ns;	/* closed: from a completion to that client's next */
	uint64_t block_bytes;
	uint64_t runtime_ns;	/* arrivals in [0, runtime); 0: by requests alone */
	uint64_t requests;	/* at most so many; 0: by runtime alone */
	uint64_t seed;
	uint64_t in_flight_cap; /* 1 to LOAD_IN_FLIGHT_MAX */
	uint64_t warmup_ns;	/* a tag on I/Os planned before it */
	uint64_t spin_ns;	/* busy-wait at most so long before a deadline */
	uint64_t timeout_ns;	/* of one I/O; also bounds the drain */
	bool write;		/* allow writes… */
	const char *destroy_data; /* …and to a target that carries something: must name it; NULL: no consent */
	bool buffered;		/* through the page cache; default O_DIRECT */
};

struct load_config load_defaults(void);

/* For `run`: where records live and who looks at each finished one. */
struct load_hooks {
	struct iostrata_record *records; /* >= in_flight_cap slots, zeroed; NULL: the generator's own */
	struct iostrata_control *control; /* NULL: the generator's own */
	/* Called once for each I/O whose CQE was reaped, before the slot is
	 * free; `outcome` is what it was counted as. An I/O counted as
	 * LOAD_TIMEOUT or LOAD_IN_FLIGHT is shown when its CQE comes late, if it
	 * comes. Must be short: it runs on the generator's thread.
	 */
	void (*finished)(void *context, const struct iostrata_record *record,
			 enum load_outcome outcome);
	void *context;
};

struct load_counts { /* planned = the sum of the others down to unsubmitted */
	uint64_t planned;
	uint64_t completed, errors, timeouts, in_flight_at_cutoff, unsubmitted;
	uint64_t submitted; /* = planned - unsubmitted */
	uint64_t late;	    /* beside: CQEs that came after a timeout or the cutoff */
	uint64_t never;	    /* beside: still without a CQE when the drain gave up */
	uint64_t warmup;    /* beside: of the completed ones, those tagged as warm-up */
};

struct load_error_kind {
	int err; /* positive errno */
	uint64_t count;
};

enum { LOAD_SERIES_MAX = 256, LOAD_ERROR_KINDS = 8 };

/* The completion ring then has an entry for every I/O and one for the signal:
 * it can't overflow.
 */
enum { LOAD_IN_FLIGHT_MAX = 65535, LOAD_CLIENTS_MAX = LOAD_IN_FLIGHT_MAX };

struct load_sample { /* one interval of the run: what was seen at its worst and in the mean */
	uint64_t at_ns;		 /* end of the interval, from the start */
	uint64_t backlog_max;	 /* I/Os planned but not submitted */
	uint64_t in_flight_max;
	uint64_t planned;	 /* by the interval's end, from the start */
	uint64_t outstanding;	 /* of these, not yet finished at its end */
};

struct load_cpu {
	uint64_t wall_ns, user_ns, system_ns;
	uint64_t run_queue_wait_ns; /* /proc/thread-self/schedstat; UINT64_MAX: unknown */
	uint64_t spun_ns;	    /* of it, busy-waiting */
	uint64_t enters;	    /* io_uring_enter calls */
};

struct load_result {
	uint64_t started_monotonic_ns, started_realtime_ns;
	uint64_t duration_ns;	    /* to the cutoff, or to the last completion when by requests */
	struct load_counts counts;
	struct load_error_kind error_kinds[LOAD_ERROR_KINDS]; /* most frequent first; err 0 ends */
	double rate_offered, rate_submitted, rate_completed; /* per second, as seen */
	uint64_t bytes_completed;
	/* Of completed I/Os, without the warm-up. */
	struct dist planned_to_reaped, submitted_to_reaped;
	struct dist schedule_error; /* planned to submitted, of all submitted ones */
	struct dist late_latency;   /* planned to reaped, of the late ones */
	uint64_t backlog_max, in_flight_max;
	double in_flight_mean;	    /* time-weighted, submitted to reaped */
	struct load_sample series[LOAD_SERIES_MAX];
	unsigned int series_count;
	struct load_cpu cpu;
	bool sustained, interrupted;
	enum load_limit limit;
	char limit_text[160];	    /* one sentence that names the limit and its numbers */
	uint32_t ring_flags;	    /* IORING_SETUP_* as set up */
	bool file_registered, buffers_registered; /* with the ring; else each I/O pays for them */
	bool absolute_timer;	    /* waits end at an absolute time (Linux 6.12) */
	uint64_t target_bytes;	    /* size of the target */
};

struct load;

/* Checks the options and the target, opens it (read-only unless writing),
 * makes the ring and the buffers. Nothing is submitted. On success *out is
 * to be closed; `config` and `result` must stay until load_close. -errno and
 * *why else. load_open, load_start and load_close belong to one thread: the
 * ring knows only it.
 */
int load_open(const struct load_config *config, const struct load_hooks *hooks,
	      struct load_result *result, struct why *why, struct load **out);
/* Arms the target if it is ours, runs the load and the drain, fills *result.
 * SIGINT or SIGTERM end it early (result->interrupted). I/O errors are counted,
 * not returned; -errno and *why when the run itself failed.
 */
int load_start(struct load *load, struct why *why);
void load_close(struct load *load);
void load_result_free(struct load_result *result);

/* Words of the enums, also the OPTION_CHOICE tables; NULL-terminated. */
extern const char *const load_rw_names[], *const load_arrival_names[], *const load_sync_names[],
	*const load_limit_names[];

#endif
