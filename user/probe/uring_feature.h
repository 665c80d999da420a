/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What io_uring offers here. In: the running kernel and our limits. Out: each
 * feature as found by using it on a ring that is closed at once.
 */
#ifndef IOSTRATA_URING_FEATURE_H
#define IOSTRATA_URING_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

/* Negative errno, or 0: works. A ring that could not be made leaves those that
 * need one at -ENODATA: not tried.
 */
struct uring_features {
	int ring;	     /* any ring at all */
	int defer_taskrun;   /* SINGLE_ISSUER | DEFER_TASKRUN, since 6.1 */
	int coop_taskrun;    /* COOP_TASKRUN, since 5.19 */
	int ext_arg;	     /* waiting with a time-out in one call, since 5.11 */
	int abs_timer;	     /* …with an absolute one, since 6.12 */
	int buffers, files;  /* registering one page, one file */
	uint32_t max_entries; /* submission queue; 0 unknown */
	uint32_t features;   /* IORING_FEAT_* */
	char missing_ops[128]; /* of those the generator uses; "" none */
};

struct uring_features uring_features_try(void);

#endif
