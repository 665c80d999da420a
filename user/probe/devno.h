/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Device numbers: the kernel's own dev_t (major << 20 | minor, what a BPF
 * program reads) and user space's (glibc's makedev) are encoded differently;
 * minors exceed 255. Keys of kernel maps are the kernel's.
 */
#ifndef IOSTRATA_DEVNO_H
#define IOSTRATA_DEVNO_H

#include <stdint.h>
#include <sys/sysmacros.h>
#include <sys/types.h>

enum { DEVNO_MINOR_BITS = 20, DEVNO_MAJOR_MAX = 4095, DEVNO_MINOR_MAX = (1 << 20) - 1 };

/* major 0 to DEVNO_MAJOR_MAX, minor 0 to DEVNO_MINOR_MAX. */
static inline uint32_t devno_kernel(uint32_t major, uint32_t minor)
{
	return major << DEVNO_MINOR_BITS | minor;
}

static inline uint32_t devno_major(uint32_t kernel_dev)
{
	return kernel_dev >> DEVNO_MINOR_BITS;
}

static inline uint32_t devno_minor(uint32_t kernel_dev)
{
	return kernel_dev & DEVNO_MINOR_MAX;
}

/* From stat's st_rdev or st_dev. */
static inline uint32_t devno_from_user(dev_t user_dev)
{
	return devno_kernel(major(user_dev), minor(user_dev));
}

static inline dev_t devno_to_user(uint32_t kernel_dev)
{
	return makedev(devno_major(kernel_dev), devno_minor(kernel_dev));
}

#endif
