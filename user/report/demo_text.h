/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The demo's one screen: model and measurement side by side, open and closed,
 * and where the time of each went.
 */
#ifndef IOSTRATA_DEMO_TEXT_H
#define IOSTRATA_DEMO_TEXT_H

#include "report/report.h"

struct demo_side {
	const char *title;	 /* "open" */
	const char *asks;	 /* "one arrival each 10 ms, whatever happens" */
	struct dist *model;	 /* planned to completed */
	const struct report *run; /* measured: planned to reaped, and the layers */
};

/* `bound_ns`: what counts as slow. */
void demo_text(const struct demo_side *open, const struct demo_side *closed, uint64_t bound_ns,
	       const struct text_style *style, FILE *out);

#endif
