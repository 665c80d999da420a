// SPDX-License-Identifier: GPL-2.0-only
// In: finished requests, from the server. Out: records and CSV, to the caller.
#include "target/account.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>

static const char *const op_names[] = { "read", "write", "flush", "discard" };

static size_t bytes(uint64_t max)
{
	return sizeof(struct target_account) + max * sizeof(struct target_record);
}

struct target_account *account_map(uint64_t max)
{
	struct target_account *account = mmap(NULL, bytes(max), PROT_READ | PROT_WRITE,
					      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (account == MAP_FAILED)
		return NULL;
	account->max = max;
	return account;
}

void account_unmap(struct target_account *account)
{
	if (account)
		munmap(account, bytes(account->max));
}

void account_add(struct target_account *account, const struct target_record *record)
{
	uint64_t count = account->count; /* one writer */

	if (count == account->max) {
		__atomic_store_n(&account->dropped, account->dropped + 1, __ATOMIC_RELAXED);
		return;
	}
	account->records[count] = *record;
	/* A reader that sees the count sees the record. */
	__atomic_store_n(&account->count, count + 1, __ATOMIC_RELEASE);
}

uint64_t account_count(const struct target_account *account)
{
	return __atomic_load_n(&account->count, __ATOMIC_ACQUIRE);
}

int account_write(const struct target_account *account, FILE *out)
{
	uint64_t count = account_count(account);

	fputs("index,op,offset_bytes,length_bytes,arrived_ns,start_ns,completed_ns,due_ns,arming\n",
	      out);
	for (uint64_t i = 0; i < count && !ferror(out); i++) {
		const struct target_record *r = &account->records[i];

		fprintf(out,
			"%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
			",%" PRIu64 ",%" PRIu32 "\n",
			r->index, op_names[r->op], r->offset_bytes, r->length_bytes, r->arrived_ns,
			r->start_ns, r->completed_ns, r->due_ns, r->arming);
	}
	errno = 0;
	if (!fflush(out) && !ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}
