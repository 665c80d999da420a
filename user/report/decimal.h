/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Integers shown as decimal fractions, exact: no float is on the way. Pure.
 */
#ifndef IOSTRATA_DECIMAL_H
#define IOSTRATA_DECIMAL_H

#include <stdint.h>

enum { DECIMAL_SIZE = 32 };

/* value / 10^digits (digits <= 18) without trailing zeros, into `out`, which
 * is returned: (1500000, 6) is "1.5".
 */
const char *decimal_text(char out[DECIMAL_SIZE], uint64_t value, unsigned int digits);
/* Milliseconds of `ns`, to the last ns. */
const char *decimal_ms(char out[DECIMAL_SIZE], uint64_t ns);
/* sum / count ns as ms, rounded half up to 4 decimals, from 1 ms on; below,
 * to the ns. count > 0.
 */
const char *decimal_mean_ms(char out[DECIMAL_SIZE], uint64_t sum_ns, uint64_t count);
/* count in `ns` as a rate per second, rounded half up to 3 decimals. ns > 0. */
const char *decimal_rate(char out[DECIMAL_SIZE], uint64_t count, uint64_t ns);

#endif
