// SPDX-License-Identifier: GPL-2.0-only
// In: decided I/Os. Out: exclusive counts.
#include "load/account.h"

#include <stdlib.h>
#include <string.h>

static void count_kind(struct account *account, int err)
{
	for (int i = 0; i < LOAD_ERROR_KINDS; i++) {
		struct load_error_kind *kind = &account->kinds[i];

		if (!kind->err)
			kind->err = err;
		if (kind->err == err) {
			kind->count++;
			return;
		}
	}
	account->other_errors++;
}

void account_decided(struct account *account, enum load_outcome outcome, int err, uint64_t now_ns)
{
	switch (outcome) {
	case LOAD_COMPLETED:
		account->counts.completed++;
		account->failed_in_row = 0;
		break;
	case LOAD_ERROR:
		account->counts.errors++;
		count_kind(account, err);
		if (!account->failed_in_row++)
			account->failing_since_ns = now_ns;
		account->last_err = err;
		break;
	case LOAD_TIMEOUT:
		/* A stall may end: what comes after it is worth the wait. */
		account->counts.timeouts++;
		break;
	case LOAD_IN_FLIGHT:
		account->counts.in_flight_at_cutoff++;
		break;
	}
}

bool account_all_fail(const struct account *account, uint64_t now_ns)
{
	return account->failed_in_row >= ACCOUNT_FAILING_COUNT &&
	       now_ns > account->failing_since_ns &&
	       now_ns - account->failing_since_ns >= ACCOUNT_FAILING_NS;
}

void account_close(struct account *account, uint64_t planned, uint64_t submitted)
{
	account->counts.planned = planned > submitted ? planned : submitted;
	account->counts.submitted = submitted;
	account->counts.unsubmitted = account->counts.planned - submitted;
}

bool account_adds_up(const struct load_counts *counts)
{
	return counts->planned == counts->completed + counts->errors + counts->timeouts +
					  counts->in_flight_at_cutoff + counts->unsubmitted &&
	       counts->submitted == counts->planned - counts->unsubmitted;
}

static int more_first(const void *a, const void *b)
{
	const struct load_error_kind *x = a, *y = b;

	return (x->count < y->count) - (x->count > y->count);
}

void account_kinds(const struct account *account, struct load_error_kind out[LOAD_ERROR_KINDS])
{
	memcpy(out, account->kinds, sizeof(account->kinds));
	qsort(out, LOAD_ERROR_KINDS, sizeof(*out), more_first);
}
