// SPDX-License-Identifier: GPL-2.0-only
// In: words from the command line. Out: numbers, exact; or a refusal.
#include "base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct unit {
	const char *suffix;
	uint64_t factor;
};

static const struct unit byte_units[] = {
	{ "", 1 },	   { "k", 1ull << 10 }, { "m", 1ull << 20 },
	{ "g", 1ull << 30 }, { "t", 1ull << 40 }, { NULL, 0 },
};

static const struct unit duration_units[] = {
	{ "ns", 1 },	       { "us", 1000 },		{ "ms", 1000000 },
	{ "s", 1000000000ull }, { "m", 60000000000ull }, { NULL, 0 },
};

static const struct unit rate_units[] = { { "", 1 }, { "k", 1000 }, { "m", 1000000 }, { NULL, 0 } };

static const struct unit *find_unit(const struct unit *units, const char *suffix)
{
	for (; units->suffix; units++)
		if (!strcasecmp(units->suffix, suffix))
			return units;
	return NULL;
}

/* Digits only; *end is the first character after them. */
static int whole(const char *word, const char **end, uint64_t *out)
{
	uint64_t value = 0;
	const char *at = word;

	if (!isdigit((unsigned char)*at))
		return -EINVAL;
	for (; isdigit((unsigned char)*at); at++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
			return -ERANGE;
	}
	*end = at;
	*out = value;
	return 0;
}

static int whole_in_units(const char *word, const struct unit *units, uint64_t *out)
{
	const struct unit *unit;
	const char *end;
	uint64_t value;
	int err = whole(word, &end, &value);

	if (err)
		return err;
	unit = find_unit(units, end);
	if (!unit)
		return -EINVAL;
	if (__builtin_mul_overflow(value, unit->factor, &value))
		return -ERANGE;
	*out = value;
	return 0;
}

int parse_u64(const char *word, uint64_t *out)
{
	static const struct unit none[] = { { "", 1 }, { NULL, 0 } };

	return whole_in_units(word, none, out);
}

int parse_bytes(const char *word, uint64_t *out)
{
	return whole_in_units(word, byte_units, out);
}

/* The digits after a decimal point, as a share of `factor`; those finer than
 * one unit are refused rather than dropped.
 */
static int fraction(const char *word, const char **end, uint64_t factor, uint64_t *out)
{
	uint64_t value = 0;
	const char *at = word;

	for (; isdigit((unsigned char)*at); at++) {
		if (factor % 10 && *at != '0')
			return -EINVAL;
		factor /= 10;
		value += (uint64_t)(*at - '0') * factor;
	}
	*end = at;
	*out = value;
	return at == word ? -EINVAL : 0;
}

int parse_duration_ns(const char *word, uint64_t *out)
{
	const struct unit *unit;
	const char *point, *end;
	uint64_t value, part = 0;
	int err = whole(word, &end, &value);

	if (err)
		return err;
	if (!*end && !value) {
		*out = 0;
		return 0;
	}
	point = *end == '.' ? end + 1 : NULL;
	if (point)
		for (end = point; isdigit((unsigned char)*end); end++)
			;
	unit = find_unit(duration_units, end);
	if (!unit)
		return -EINVAL;
	if (point) {
		err = fraction(point, &end, unit->factor, &part);
		if (err)
			return err;
	}
	if (__builtin_mul_overflow(value, unit->factor, &value) ||
	    __builtin_add_overflow(value, part, &value))
		return -ERANGE;
	*out = value;
	return 0;
}

int parse_rate(const char *word, double *out)
{
	const struct unit *unit;
	char *end;
	double value;

	/* strtod also takes signs, spaces, hex, inf and nan: none is a rate. */
	if (!isdigit((unsigned char)*word) || (word[0] == '0' && tolower((unsigned char)word[1]) == 'x'))
		return -EINVAL;
	value = strtod(word, &end);
	unit = find_unit(rate_units, end);
	if (!unit)
		return -EINVAL;
	value *= (double)unit->factor;
	if (!isfinite(value))
		return -ERANGE;
	*out = value;
	return 0;
}
