/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The server's own account: one record for each request that arrived armed,
 * in the order served. Memory is bounded and shared: the server writes, the
 * caller reads, also after the server's death.
 */
#ifndef IOSTRATA_TARGET_ACCOUNT_H
#define IOSTRATA_TARGET_ACCOUNT_H

#include <stdint.h>
#include <stdio.h>

enum target_op { TARGET_READ, TARGET_WRITE, TARGET_FLUSH, TARGET_DISCARD };

struct target_record {
	uint64_t index;	       /* from 0 at each arming, all operations */
	uint64_t offset_bytes, length_bytes;
	uint64_t arrived_ns;   /* the server had it; CLOCK_MONOTONIC, as all here */
	uint64_t start_ns;     /* its turn: max(arrived, the one before due) */
	uint64_t completed_ns; /* the answer left, at or after due_ns */
	uint64_t due_ns;       /* start + service (+ pause) */
	uint32_t arming;       /* from 1 */
	uint32_t op;	       /* enum target_op */
};

struct target_account {
	uint64_t max, count; /* records below; count only grows, published last */
	uint64_t dropped;    /* found no room */
	struct target_record records[];
};

/* Shared memory for `max` records, touched as used. NULL: no memory. */
struct target_account *account_map(uint64_t max);
void account_unmap(struct target_account *account);
void account_add(struct target_account *account, const struct target_record *record);
uint64_t account_count(const struct target_account *account);

/* CSV: index,op,offset_bytes,length_bytes,arrived_ns,start_ns,completed_ns,
 * due_ns,arming. 0 or -errno of the stream.
 */
int account_write(const struct target_account *account, FILE *out);

#endif
