/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Numbers from people: parsed whole or refused. In: a word. Out: a value and
 * 0, or -EINVAL (not such a number) or -ERANGE (does not fit); *out is then
 * untouched. No sign, no space, no locale.
 */
#ifndef IOSTRATA_PARSE_H
#define IOSTRATA_PARSE_H

#include <stdint.h>

/* "4096" */
int parse_u64(const char *word, uint64_t *out);
/* Bytes: a whole number with k, m, g or t (powers of 1024): "4k" */
int parse_bytes(const char *word, uint64_t *out);
/* Nanoseconds: a decimal number with ns, us, ms, s or m; "1.5ms". A bare
 * number is refused (seconds or milliseconds? nobody can tell), but for 0.
 */
int parse_duration_ns(const char *word, uint64_t *out);
/* A positive decimal number with k or m (powers of 1000): "2k", "0.5" */
int parse_rate(const char *word, double *out);

#endif
