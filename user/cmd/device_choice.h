/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which devices to trace. In: words such as "vda", "/dev/loop8". Out: the
 * kernel's numbers of those disks. No block device is opened.
 */
#ifndef IOSTRATA_DEVICE_CHOICE_H
#define IOSTRATA_DEVICE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "base/why.h"

/* One word. 0, or -errno and *why: no such device, no block device, or a
 * partition (its disk is named).
 */
int device_choose(const char *word, uint32_t *dev, struct why *why);
/* Whether a chosen device (any device, when none is) keeps no stamps of its
 * own: queue/iostats is 0.
 */
bool devices_lack_stamps(const uint32_t *devs, unsigned int count);
/* Whether the disk is one of requests (blk-mq), not of bios alone as zram, md
 * and most of dm are: those have no request to trace.
 */
bool device_makes_requests(uint32_t dev);

#endif
