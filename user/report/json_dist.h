/* SPDX-License-Identifier: GPL-2.0-only
 *
 * DIST of the JSON contract, shared by every JSON view.
 */
#ifndef IOSTRATA_JSON_DIST_H
#define IOSTRATA_JSON_DIST_H

#include <json-c/json.h>

#include "stat/dist.h"

/* A new object; put it into a parent or json_object_put() it. */
struct json_object *json_dist(struct dist *dist);
struct json_object *json_hist(const struct hist *hist);
/* Exact for all of u64, which json-c keeps apart from int64. */
void json_add_u64(struct json_object *parent, const char *key, uint64_t value);

#endif
