/* SPDX-License-Identifier: GPL-2.0-only
 *
 * In: every request's times. Out: counts, latencies, depths and the verdict.
 * Pure.
 */
#ifndef IOSTRATA_MODEL_SUMMARIZE_H
#define IOSTRATA_MODEL_SUMMARIZE_H

#include "model/simulate.h"

/* Fills all of *result from its requests, counts.planned and window_ns. 0,
 * -ENOMEM, or -ERANGE when a sum of latencies does not fit.
 */
int model_summarize(const struct model_config *config, struct model_result *result);

#endif
