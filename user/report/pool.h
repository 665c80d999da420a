/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Runs pooled. In: files of responses. Out: each one's figures, and those of
 * all responses together; percentiles are never averaged. The order of the
 * files shows in no byte.
 */
#ifndef IOSTRATA_POOL_H
#define IOSTRATA_POOL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/why.h"
#include "report/responses_csv.h"

struct pool {
	char **paths; /* sorted, borrowed */
	struct responses *runs;
	unsigned int count;
	struct dist pooled;
};

/* Sorts `paths` in place. 0 (then pool_free() it), or -errno and *why. */
int pool_read(char **paths, unsigned int count, struct pool *out, struct why *why);
void pool_free(struct pool *pool);

void pool_text(struct pool *pool, FILE *out);
/* One JSON document and a newline. 0 or -ENOMEM. */
int pool_json(struct pool *pool, FILE *out);

#endif
