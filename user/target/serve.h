/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The one server. In: requests in the order they arrive, and orders. Out:
 * each one's answer when it is due, and its record in the account. Only the
 * thread that reads /dev/fuse calls these functions, but for serve_run.
 */
#ifndef IOSTRATA_TARGET_SERVE_H
#define IOSTRATA_TARGET_SERVE_H

#include <stddef.h>
#include <stdint.h>

#include "target/account.h"
#include "target/order.h"
#include "target/store.h"
#include "target/target.h"

struct serve;
struct fuse_req;

/* NULL: no memory. Keeps the pointers, all of which must outlive it; `account`
 * may be NULL.
 */
struct serve *serve_new(const struct target_config *config, const struct store *store,
			struct target_account *account);

/* Queues one request; what it changes in the store is already done. `fuse` is
 * answered when its turn is over, or at once with ENOMEM.
 */
void serve_submit(struct serve *serve, struct fuse_req *fuse, enum target_op op, uint64_t offset,
		  uint64_t length, uint64_t arrived_ns);

/* 0; -EINVAL for a pause with no length; -ENOSPC or -ERANGE as fifo_add_stall. */
int serve_order(struct serve *serve, const struct order *order);

/* What the control file shows: key=value lines. Returns their length. */
size_t serve_describe(struct serve *serve, char *text, size_t size);

/* The serving thread's life: until serve_stop, then what is queued is dropped. */
void *serve_run(void *serve);
void serve_stop(struct serve *serve);

#endif
