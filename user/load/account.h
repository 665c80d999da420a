/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What became of every I/O, each counted once, by what happened first. In:
 * stamps and results. Out: load_counts that add up, error kinds, and whether
 * everything fails of late. Pure.
 */
#ifndef IOSTRATA_LOAD_ACCOUNT_H
#define IOSTRATA_LOAD_ACCOUNT_H

#include <errno.h>

#include "load/load.h"

/* A target that only gives errors ends the run: so many in a row, over so long. */
enum { ACCOUNT_FAILING_COUNT = 16 };
#define ACCOUNT_FAILING_NS 1000000000ull

struct account {
	struct load_counts counts;
	struct load_error_kind kinds[LOAD_ERROR_KINDS]; /* in order of appearance */
	uint64_t other_errors;		/* of kinds beyond these */
	uint64_t failed_in_row, failing_since_ns;
	int last_err;			/* positive errno of the last error */
};

/* What an I/O is counted as whose CQE was reaped at reaped_ns with `result`.
 * The time-out and the cutoff count from the stamps, whenever they are looked
 * at: what comes at the very limit is in time.
 */
static inline enum load_outcome account_outcome(const struct iostrata_record *record,
						uint64_t timeout_ns, uint64_t cutoff_ns)
{
	uint64_t expires_ns = record->submitted_ns + timeout_ns;

	if (record->reaped_ns > expires_ns && expires_ns <= cutoff_ns)
		return LOAD_TIMEOUT;
	if (record->reaped_ns > cutoff_ns)
		return LOAD_IN_FLIGHT;
	return record->result == (iostrata_s32)record->length_bytes ? LOAD_COMPLETED : LOAD_ERROR;
}

/* A short transfer is an error of its own kind, ENODATA. */
static inline int account_errno(const struct iostrata_record *record)
{
	return record->result < 0 ? -record->result : ENODATA;
}

/* Counts an I/O as decided; `err` of an error (positive), else 0. */
void account_decided(struct account *account, enum load_outcome outcome, int err, uint64_t now_ns);
bool account_all_fail(const struct account *account, uint64_t now_ns);
/* The cutoff: arrivals planned by then, and how many of them were submitted. */
void account_close(struct account *account, uint64_t planned, uint64_t submitted);
/* planned = completed + errors + timeouts + in_flight_at_cutoff + unsubmitted. */
bool account_adds_up(const struct load_counts *counts);
/* Kinds, most frequent first, into `out`. */
void account_kinds(const struct account *account, struct load_error_kind out[LOAD_ERROR_KINDS]);

#endif
