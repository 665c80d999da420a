/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What must not be overwritten. In: a target about to be written to. Out: 0,
 * or a line that says what was found on it. Nothing is written, and the target
 * is only read.
 *
 * Never, whatever the options: what is mounted, swapped on, held by another
 * driver (dm, md, …) or the backing of a loop device; also when that holds for
 * one of its partitions, or for the whole disk it is a partition of.
 *
 * With consent (--destroy-data naming the target): what merely carries
 * something: a signature, data without one, a regular file that exists.
 */
#ifndef IOSTRATA_LOAD_REFUSE_H
#define IOSTRATA_LOAD_REFUSE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "load/load.h"

enum { REFUSE_RELATED_MAX = 256 };

/* The target and, of a block device, what shares its blocks. */
struct refuse_scope {
	const char *path;
	bool block;
	dev_t file_dev; /* a regular file: its file system… */
	ino_t file_ino; /* …and inode */
	unsigned int count; /* block device numbers; [0] is the target itself */
	dev_t related[REFUSE_RELATED_MAX];
};

/* What a table says about one object, for the message. */
struct refuse_finding {
	dev_t device;	  /* which of the related devices; 0: the target itself */
	char what[256];	  /* "mounted at /srv" */
};

/* What is in use is refused without opening it. -errno and *why. */
int refuse_in_use(const char *path, const struct stat *st, struct why *why);
/* fd: the target, open for reading. -errno and *why. */
int refuse_carried(const struct load_config *config, int fd, const struct stat *st,
		   struct why *why);

int refuse_scope_of(const char *path, const struct stat *st, struct refuse_scope *scope);
bool refuse_scope_has(const struct refuse_scope *scope, dev_t device);
/* True when `path`, as a table names it, is the target or shares its blocks. */
bool refuse_scope_names(const struct refuse_scope *scope, const char *path, dev_t *device);

/* Each looks into one table; 1 and *found, 0, or -errno when it can't be read.
 * The tables are streams so that tests can give their own.
 */
int refuse_mounts(FILE *mountinfo, const struct refuse_scope *scope, struct refuse_finding *found);
int refuse_swaps(FILE *swaps, const struct refuse_scope *scope, struct refuse_finding *found);
/* `sysfs`: where sysfs is mounted, "/sys". */
int refuse_holders(const char *sysfs, const struct refuse_scope *scope,
		   struct refuse_finding *found);
int refuse_loops(const char *sysfs, const struct refuse_scope *scope, struct refuse_finding *found);
/* What libblkid recognises: file system, RAID member, volume, partition table. */
int refuse_signature(int fd, struct refuse_finding *found);
/* Non-zero bytes at the start, the end or in samples between. */
int refuse_content(int fd, uint64_t bytes, struct refuse_finding *found);

/* "\040" and the like, as the kernel's tables escape names; in place. */
void refuse_unescape(char *name);

#endif
