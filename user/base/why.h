/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What went wrong, carried from the place that knows to the one place that
 * prints it and chooses the exit status (main).
 */
#ifndef IOSTRATA_WHY_H
#define IOSTRATA_WHY_H

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_PRIVILEGE = 3,
	EXIT_KERNEL_LACKS = 4,
	EXIT_NOT_SUSTAINED = 5, /* or data was lost: the report says which */
};

struct why {
	enum exit_status status;
	char text[448];
};

/* Records one line (no newline) that names the thing and the remedy, and
 * returns `err`, a negative errno, so that callers write
 *	return why_set(why, -ENODEV, EXIT_FAILED, "%s: no such device", name);
 * A text already set stays: the first cause is the one to tell.
 */
int why_set(struct why *why, int err, enum exit_status status, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* -errno `err` as text, thread-safe: "No such file or directory". */
const char *why_text(int err);

#endif
