/* SPDX-License-Identifier: GPL-2.0-only
 *
 * In: a model's parameters. Out: accepted, or why not. Pure.
 */
#ifndef IOSTRATA_MODEL_CHECK_H
#define IOSTRATA_MODEL_CHECK_H

#include "model/simulate.h"

/* 0, or -EINVAL with *why naming the parameter and its bounds. */
int model_check(const struct model_config *config, struct why *why);

#endif
