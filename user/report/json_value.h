/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Values of the JSON view. In: the model's numbers and words, with their ways
 * to say "unknown". Out: members of a JSON object; unknown is null.
 */
#ifndef IOSTRATA_REPORT_JSON_VALUE_H
#define IOSTRATA_REPORT_JSON_VALUE_H

#include <stdbool.h>

#include "report/json_dist.h"
#include "report/report.h"

/* The shortest decimal that reads back as the same double; null when not finite. */
void json_add_number(struct json_object *parent, const char *key, double value);
/* null for a negative value (the model's "not measured"). */
void json_add_measured(struct json_object *parent, const char *key, double value);
/* null for UINT64_MAX. */
void json_add_known(struct json_object *parent, const char *key, uint64_t value);
/* Bytes that are no UTF-8 (file names may hold any) become U+FFFD. NULL or "": null. */
void json_add_text(struct json_object *parent, const char *key, const char *text);
void json_add_bool(struct json_object *parent, const char *key, bool value);
/* A new, empty member object, or array. */
struct json_object *json_add_object(struct json_object *parent, const char *key);
struct json_object *json_add_array(struct json_object *parent, const char *key);
/* A new string for an array; as json_add_text. */
struct json_object *json_text(const char *text);

/* The parts of a report, each added to the document where it applies. */
void json_tool(struct json_object *root, const struct report_tool *tool);
void json_run(struct json_object *root, const struct report *report);
void json_load(struct json_object *root, const struct report *report);
void json_latency(struct json_object *parent, struct load_result *result);
void json_rates(struct json_object *parent, const struct load_result *result);
void json_layers(struct json_object *root, const struct report *report);
void json_devices(struct json_object *root, const struct report *report);
void json_nvme(struct json_object *device, const struct report_nvme *nvme);
void json_device_state(struct json_object *parent, const char *key,
		       const struct device_state *state);
void json_checks(struct json_object *root, const struct report *report);
void json_overhead(struct json_object *root, const struct report *report);

#endif
