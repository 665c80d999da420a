// SPDX-License-Identifier: GPL-2.0-only
// In: integers. Out: them as decimal fractions, trailing zeros trimmed.
#include "report/decimal.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"

const char *decimal_text(char out[DECIMAL_SIZE], uint64_t value, unsigned int digits)
{
	uint64_t unit = 1, part;
	unsigned int i;

	for (i = 0; i < digits; i++)
		unit *= 10;
	part = value % unit;
	for (; digits && part % 10 == 0; digits--)
		part /= 10;
	if (digits)
		snprintf(out, DECIMAL_SIZE, "%" PRIu64 ".%0*" PRIu64, value / unit, (int)digits, part);
	else
		snprintf(out, DECIMAL_SIZE, "%" PRIu64, value / unit);
	return out;
}

const char *decimal_ms(char out[DECIMAL_SIZE], uint64_t ns)
{
	return decimal_text(out, ns, 6);
}

/* amount * scale / by, rounded half up. */
static uint64_t scaled(uint64_t amount, uint64_t scale, uint64_t by)
{
	return (uint64_t)(((unsigned __int128)amount * scale + by / 2) / by);
}

const char *decimal_mean_ms(char out[DECIMAL_SIZE], uint64_t sum_ns, uint64_t count)
{
	if (sum_ns / count < NS_PER_MS)
		return decimal_text(out, scaled(sum_ns, 1, count), 6);
	return decimal_text(out, (uint64_t)(((unsigned __int128)sum_ns + 50 * (unsigned __int128)count) /
					    (100 * (unsigned __int128)count)), 4);
}

const char *decimal_rate(char out[DECIMAL_SIZE], uint64_t count, uint64_t ns)
{
	return decimal_text(out, scaled(count, 1000 * NS_PER_S, ns), 3);
}
