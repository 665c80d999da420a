/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Small files of sysfs and procfs. In: a directory and a name below it. Out:
 * the first line without its newline and trailing blanks, or a number. All
 * return 0, or the negative errno of what failed (-EINVAL: not a number;
 * *out is then untouched); a text that did not come is "".
 */
#ifndef IOSTRATA_KERNEL_TEXT_H
#define IOSTRATA_KERNEL_TEXT_H

#include <stddef.h>
#include <stdint.h>

int kernel_line(const char *dir, const char *name, char *out, size_t size);
int kernel_u64(const char *dir, const char *name, uint64_t *out);
int kernel_s64(const char *dir, const char *name, int64_t *out);
/* dir + "/" + name into out; -ENAMETOOLONG rather than a cut path. */
int kernel_path(const char *dir, const char *name, char *out, size_t size);

#endif
