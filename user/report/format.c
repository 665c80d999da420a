// SPDX-License-Identifier: GPL-2.0-only
// In: a number. Out: the word for it. See format.h for the scheme.
#include "report/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

enum { MICRO = 1 }; /* index into units[] of the one that isn't ASCII */

static const struct {
	uint64_t ns;
	const char *name;
} units[] = { { 1, "ns" }, { NS_PER_US, "us" }, { NS_PER_MS, "ms" }, { NS_PER_S, "s" } };

struct scaled {
	uint64_t value;	     /* times 10^decimals */
	unsigned int decimals; /* 0 to 2 */
	unsigned int unit;     /* of units[] */
};

static const char *unit_name(unsigned int unit, bool unicode)
{
	return unicode && unit == MICRO ? "\302\265s" : units[unit].name;
}

/* Half up, without overflow near the top of u64. */
static uint64_t divide_rounded(uint64_t value, uint64_t by)
{
	return value / by + (value % by >= by - value % by);
}

/* Three digits of `ns` in this unit; false when they round up to four. */
static bool fits(uint64_t ns, unsigned int unit, struct scaled *out)
{
	uint64_t step = units[unit].ns / 100, value;

	out->unit = unit;
	for (out->decimals = 2; out->decimals; out->decimals--, step *= 10) {
		out->value = divide_rounded(ns, step);
		if (out->value < 1000)
			return true;
	}
	value = divide_rounded(ns, units[unit].ns);
	out->value = value;
	return value < 1000;
}

static struct scaled scale(uint64_t ns)
{
	struct scaled scaled = { .value = ns };

	if (ns < 1000)
		return scaled;
	for (unsigned int unit = MICRO; unit < sizeof(units) / sizeof(units[0]); unit++)
		if (fits(ns, unit, &scaled))
			break;
	return scaled; /* beyond 999 s: whole seconds, all digits */
}

static struct word digits(const struct scaled *scaled)
{
	static const unsigned int tens[] = { 1, 10, 100 };
	unsigned int ten = tens[scaled->decimals];
	struct word word = format_count(scaled->value / ten);
	size_t used = strlen(word.text);

	if (scaled->decimals)
		snprintf(word.text + used, sizeof(word.text) - used, ".%0*u",
			 (int)scaled->decimals, (unsigned int)(scaled->value % ten));
	return word;
}

struct word format_duration(uint64_t ns, bool unicode)
{
	struct scaled scaled = scale(ns);
	struct word word = digits(&scaled), out;

	snprintf(out.text, sizeof(out.text), "%.40s %s", word.text, unit_name(scaled.unit, unicode));
	return out;
}

struct word format_duration_cell(uint64_t ns, bool unicode)
{
	struct scaled scaled = scale(ns);
	struct word word = digits(&scaled), out;
	int fraction = scaled.decimals ? (int)scaled.decimals + 1 : 0;
	const char *unit = unit_name(scaled.unit, unicode);

	snprintf(out.text, sizeof(out.text), "%*.36s%*s %s%s", 3 + fraction, word.text,
		 3 - fraction, "", unit, unit[1] ? "" : " ");
	return out;
}

struct word format_count(uint64_t count)
{
	char plain[24];
	int length = snprintf(plain, sizeof(plain), "%llu", (unsigned long long)count);
	struct word out;
	char *at = out.text;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*at++ = ',';
		*at++ = plain[i];
	}
	*at = '\0';
	return out;
}

/* Three digits; from 1000 on all whole ones, with commas. */
static struct word three_digits(double value)
{
	struct word out;

	if (value >= 999.5)
		return format_count(value < 0x1p63 ? (uint64_t)llround(value) : UINT64_MAX);
	snprintf(out.text, sizeof(out.text), "%.*f",
		 value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value);
	return out;
}

static bool is_whole(uint64_t bytes, unsigned int unit)
{
	return !(bytes & ((1ull << (10 * unit)) - 1));
}

struct word format_bytes(uint64_t bytes)
{
	static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	unsigned int unit = 0;
	struct word number, out;

	/* Whole numbers up to 1023; else three digits, so the next unit from 1000 on. */
	while (unit < 6 && bytes >> (10 * unit) >= (is_whole(bytes, unit) ? 1024 : 1000))
		unit++;
	if (is_whole(bytes, unit))
		number = format_count(bytes >> (10 * unit));
	else
		number = three_digits((double)bytes / (double)(1ull << (10 * unit)));
	snprintf(out.text, sizeof(out.text), "%.40s %s", number.text, names[unit]);
	return out;
}

static struct word unknown(void)
{
	return (struct word){ "unknown" };
}

struct word format_rate(double per_s)
{
	struct word number, out;

	if (!isfinite(per_s) || per_s < 0)
		return unknown();
	number = three_digits(per_s);
	snprintf(out.text, sizeof(out.text), "%.44s/s", number.text);
	return out;
}

struct word format_percent(double share)
{
	struct word out;
	double percent = share * 100;

	if (!isfinite(share) || share < 0)
		return unknown();
	/* Sums of shares are off by rounding only: that is still all of it. */
	if (percent >= 100 - 1e-9)
		snprintf(out.text, sizeof(out.text), "%.0f", percent);
	else if (percent >= 99.95)
		snprintf(out.text, sizeof(out.text), ">99.9");
	else if (percent >= 0.05)
		snprintf(out.text, sizeof(out.text), "%.1f", percent);
	else
		snprintf(out.text, sizeof(out.text), percent > 0 ? "<0.1" : "0");
	return out;
}

struct word format_mean(double mean)
{
	return !isfinite(mean) || mean < 0 ? unknown() : three_digits(mean);
}

struct word format_time(uint64_t realtime_ns)
{
	time_t seconds = (time_t)(realtime_ns / NS_PER_S);
	struct word out;
	struct tm tm;

	gmtime_r(&seconds, &tm); /* cannot fail: u64 ns end in the year 2554 */
	strftime(out.text, sizeof(out.text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	return out;
}
