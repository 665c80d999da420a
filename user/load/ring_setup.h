/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What Debian 12's liburing has no name for yet.
 */
#ifndef IOSTRATA_LOAD_RING_SETUP_H
#define IOSTRATA_LOAD_RING_SETUP_H

/* io_uring_enter: the wait's time-out is absolute. Linux 6.12; found out by
 * trying.
 */
#define RING_ENTER_ABS_TIMER (1u << 5)

#endif
