/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Every finished I/O as one line of CSV. In: flight records as they finish.
 * Out: the file, written after the run: while it lasts nothing is written, a
 * record is copied into memory that was made before. What does not fit is
 * counted, not dropped in silence.
 *
 * Columns: sequence, planned_ns, submitted_ns, reaped_ns (CLOCK_MONOTONIC),
 * offset_bytes, length_bytes, op, result (bytes or -errno), outcome, client;
 * with kernel stamps also one column for each boundary BPF stamps, named
 * <boundary>_ns, empty when it was not seen; first_bio_ns, when the
 * first of its bios was at `bio`, or queued where that is not seen (the stamps
 * are those of the one that ended last); flush_ns, the part of its layers that is a flush's; bios, how many it became; kernel_bytes, their bytes; how,
 * the words of iostrata_kernel_flag that apply (punted, merged, split…), joined
 * by +.
 */
#ifndef IOSTRATA_LOAD_IO_LOG_H
#define IOSTRATA_LOAD_IO_LOG_H

#include <stdio.h>

#include "load/load.h"

#define IO_LOG_MAX_BYTES (256ull << 20)

struct io_log;

/* How many I/Os to make room for: from the configuration where it tells, in
 * any case bounded by IO_LOG_MAX_BYTES. -ENOMEM and *why.
 */
int io_log_open(const struct load_config *config, bool kernel_stamps, struct why *why,
		struct io_log **out);
/* For load_hooks.finished. */
void io_log_add(struct io_log *log, const struct iostrata_record *record,
		enum load_outcome outcome);
/* I/Os there was no room for. */
uint64_t io_log_lost(const struct io_log *log);
/* All lines, in order of completion; write errors show in ferror(out). */
void io_log_print(const struct io_log *log, FILE *out);
/* Into a file at `path`, whole or not at all. */
int io_log_write(const struct io_log *log, const char *path, struct why *why);
void io_log_close(struct io_log *log);

#endif
