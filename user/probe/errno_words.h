/* SPDX-License-Identifier: GPL-2.0-only
 *
 * An error as the kernel gave it: "EPERM (1, Operation not permitted)".
 */
#ifndef IOSTRATA_ERRNO_WORDS_H
#define IOSTRATA_ERRNO_WORDS_H

#include <stdio.h>
#include <string.h>

#include "base/why.h"

/* Kernel-internal, but BPF lets it through to user space. */
#define KERNEL_ENOTSUPP 524

struct errno_words {
	char text[96];
};

/* The name alone; `err` of either sign. */
static inline const char *errno_name(int err)
{
	const char *name = strerrorname_np(err < 0 ? -err : err);

	if (err == KERNEL_ENOTSUPP || err == -KERNEL_ENOTSUPP)
		return "ENOTSUPP";
	return name ? name : "unknown";
}

static inline struct errno_words errno_words(int err)
{
	struct errno_words words;
	int number = err < 0 ? -err : err;

	snprintf(words.text, sizeof(words.text), "%s (%d, %s)", errno_name(err), number,
		 number == KERNEL_ENOTSUPP ? "Operation is not supported" : why_text(number));
	return words;
}

#endif
