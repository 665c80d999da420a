/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Where a report goes: stdout, or a file that appears whole or not at all (it
 * is written under a temporary name beside it and renamed). In: `-o FILE`.
 * Out: a stream to print to, and whether all of it arrived.
 */
#ifndef IOSTRATA_OUTPUT_H
#define IOSTRATA_OUTPUT_H

#include <stdio.h>

#include "base/why.h"

struct output {
	FILE *stream; /* readable too when a file, so that it can be hashed */
	char *path, *temporary; /* NULL: stdout; NULL: written in place */
};

/* path NULL or "-" is stdout. Something there that is no regular file (a
 * device, a pipe) is written to in place. -errno and *why, nothing then to
 * close, or 0 and one of the two below must follow.
 */
int output_open(struct output *output, const char *path, struct why *why);
/* Flushes and checks every write so far: for several files that must all be
 * whole before the first is finished. -errno and *why; still to be discarded.
 */
int output_sync(struct output *output, struct why *why);
/* Flushes, checks every write, puts the file in place. -errno and *why, and
 * no file left, when something did not arrive.
 */
int output_finish(struct output *output, struct why *why);
void output_discard(struct output *output);

#endif
