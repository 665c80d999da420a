// SPDX-License-Identifier: GPL-2.0-only
// Numbers as people type them. In: any text. Out: what is accepted has the value
// that a second, slower reading of the same text gives; what is refused leaves
// the result alone.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "fuzz.h"

#define UNTOUCHED 0x5a5a5a5a5a5a5a5aull

/* digits[.digits] times factor, exactly, or -1: no such number. *rest: what follows. */
static __int128 slowly(const char *word, const char **rest, __int128 factor)
{
	__int128 value = 0;

	if (!isdigit((unsigned char)*word))
		return -1;
	for (; isdigit((unsigned char)*word); word++) {
		value = value * 10 + (*word - '0');
		if (value > (__int128)1 << 70)
			return -1;
	}
	value *= factor;
	if (*word == '.') {
		for (word++; isdigit((unsigned char)*word); word++) {
			value += (*word - '0') * factor / 10;
			factor /= 10;
		}
	}
	*rest = word;
	return value;
}

static uint64_t factor_of(const char *suffix, const char *const *names, const uint64_t *factors)
{
	for (int i = 0; names[i]; i++)
		if (!strcasecmp(suffix, names[i]))
			return factors[i];
	return 0;
}

static const char *suffix_of(const char *word)
{
	return word + strspn(word, "0123456789.");
}

static void check(const char *word, int err, uint64_t got, uint64_t factor)
{
	const char *rest = word;

	if (err) {
		FUZZ_HOLDS(err == -EINVAL || err == -ERANGE);
		FUZZ_HOLDS(got == UNTOUCHED);
		return;
	}
	FUZZ_HOLDS(factor);
	FUZZ_HOLDS(slowly(word, &rest, factor) == got);
	FUZZ_HOLDS(rest == suffix_of(word));
}

static void check_u64(const char *word)
{
	uint64_t got = UNTOUCHED;
	int err = parse_u64(word, &got);

	check(word, err, got, !*suffix_of(word));
}

static void check_bytes(const char *word)
{
	static const char *const names[] = { "", "k", "m", "g", "t", NULL };
	static const uint64_t factors[] = { 1, 1ull << 10, 1ull << 20, 1ull << 30, 1ull << 40 };
	uint64_t got = UNTOUCHED;
	int err = parse_bytes(word, &got);

	check(word, err, got, factor_of(suffix_of(word), names, factors));
}

static void check_duration(const char *word)
{
	static const char *const names[] = { "ns", "us", "ms", "s", "m", NULL };
	static const uint64_t factors[] = { 1, 1000, 1000000, 1000000000, 60000000000 };
	uint64_t got = UNTOUCHED, factor = factor_of(suffix_of(word), names, factors);
	int err = parse_duration_ns(word, &got);

	/* A bare 0 needs no unit. */
	check(word, err, got, !err && !got && !*suffix_of(word) ? 1 : factor);
}

static void check_rate(const char *word)
{
	double got = -1;
	int err = parse_rate(word, &got);

	FUZZ_HOLDS(err ? (err == -EINVAL || err == -ERANGE) && got == -1 : isfinite(got) && got >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *word = fuzz_text(data, size);

	check_u64(word);
	check_bytes(word);
	check_duration(word);
	check_rate(word);
	free(word);
	return 0;
}
