/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Responses read back from a CSV that has the columns mode and responseMs (and
 * outcome, if it tells). In: a file. Out: the responses of what completed, as
 * one exact distribution.
 */
#ifndef IOSTRATA_RESPONSES_CSV_H
#define IOSTRATA_RESPONSES_CSV_H

#include <stdint.h>

#include "base/why.h"
#include "stat/dist.h"

struct responses {
	char mode[16];	    /* one mode only: no pool answers for two */
	uint64_t unfinished; /* rows without a completion */
	struct dist dist;   /* of the others, ns; room for MODEL_REQUESTS_MAX */
};

/* 0 (then responses_free() it), or -errno and *why naming file and line. */
int responses_read(const char *path, struct responses *out, struct why *why);
void responses_free(struct responses *responses);

#endif
