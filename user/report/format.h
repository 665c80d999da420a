/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Numbers as words. In: a value. Out: a short string by value, ASCII unless
 * the caller asks for the micro sign. Pure: no locale, no I/O.
 *
 * One scheme everywhere: what is counted is exact, with commas; what is
 * measured has three significant digits and a unit that fits.
 */
#ifndef IOSTRATA_REPORT_FORMAT_H
#define IOSTRATA_REPORT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

struct word {
	char text[48];
};

/* "0 ns", "999 ns", "1.00 us", "83.4 ms", "101 ms", "59.9 s", "1,234 s";
 * rounded half up. All of u64.
 */
struct word format_duration(uint64_t ns, bool unicode);
/* The same for a column: the decimal points stand below each other and so do
 * the units; 9 characters up to 999 s, more beyond.
 */
struct word format_duration_cell(uint64_t ns, bool unicode);
/* "12,345,678" */
struct word format_count(uint64_t count);
/* "0 B", "512 B", "4 KiB", "1.50 MiB": whole when it is whole, else 3 digits. */
struct word format_bytes(uint64_t bytes);
/* Per second: "100/s", "99.5/s", "0.250/s", "12,346/s"; negative or no number: "unknown". */
struct word format_rate(double per_s);
/* Of 1, in percent without the sign: "100", "98.1", "0.3", "<0.1", "0";
 * "100" only when nothing is missing (else ">99.9").
 */
struct word format_percent(double share);
/* A mean of counts, 3 digits: "0.40", "12.3", "1,234"; negative or no number: "unknown". */
struct word format_mean(double mean);
/* "2026-11-30 21:34:21 UTC" */
struct word format_time(uint64_t realtime_ns);

#endif
