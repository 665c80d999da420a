// SPDX-License-Identifier: GPL-2.0-only
// In: a distribution. Out: its JSON, with all buckets that hold something, so
// that it can be pooled with others.
#include "report/json_dist.h"

#include <json-c/printbuf.h>

#include "buckets.h"
#include "report/json_value.h"

void json_add_u64(struct json_object *parent, const char *key, uint64_t value)
{
	json_object_object_add(parent, key, json_object_new_uint64(value));
}

/* On one line also in a document made to be read. */
static int triple_text(struct json_object *triple, struct printbuf *out, int level, int flags)
{
	(void)level, (void)flags;
	return sprintbuf(out, "[%llu,%llu,%llu]",
			 (unsigned long long)json_object_get_uint64(json_object_array_get_idx(triple, 0)),
			 (unsigned long long)json_object_get_uint64(json_object_array_get_idx(triple, 1)),
			 (unsigned long long)json_object_get_uint64(json_object_array_get_idx(triple, 2)));
}

static struct json_object *bucket(uint64_t low, uint64_t high, uint64_t count)
{
	struct json_object *triple = json_object_new_array_ext(3);

	json_object_set_serializer(triple, triple_text, NULL, NULL);
	json_object_array_add(triple, json_object_new_uint64(low));
	json_object_array_add(triple, json_object_new_uint64(high));
	json_object_array_add(triple, json_object_new_uint64(count));
	return triple;
}

static struct json_object *buckets(const struct hist *hist)
{
	struct json_object *array = json_object_new_array();

	for (unsigned int i = 0; i < hist->size; i++)
		if (hist->bucket[i])
			json_object_array_add(array, bucket(iostrata_hist_low(i, hist->sub_bits),
							    iostrata_hist_high(i, hist->sub_bits),
							    hist->bucket[i]));
	return array;
}

static struct json_object *summary(const struct dist_summary *s, const struct hist *hist)
{
	struct json_object *object = json_object_new_object();

	json_add_u64(object, "count", s->count);
	json_add_u64(object, "sum_ns", s->sum_ns);
	json_add_u64(object, "min_ns", s->min_ns);
	json_add_u64(object, "mean_ns", s->mean_ns);
	json_add_u64(object, "p50_ns", s->p50_ns);
	json_add_u64(object, "p90_ns", s->p90_ns);
	json_add_u64(object, "p95_ns", s->p95_ns);
	json_add_u64(object, "p99_ns", s->p99_ns);
	json_add_u64(object, "p999_ns", s->p999_ns);
	json_add_u64(object, "max_ns", s->max_ns);
	json_add_number(object, "rel_error", s->rel_error);
	json_object_object_add(object, "exact", json_object_new_boolean(s->exact));
	json_object_object_add(object, "buckets", buckets(hist));
	return object;
}

struct json_object *json_dist(struct dist *dist)
{
	struct dist_summary s = dist_summarize(dist);

	return summary(&s, &dist->hist);
}

struct json_object *json_hist(const struct hist *hist)
{
	struct dist_summary s = hist_summarize(hist);

	return summary(&s, hist);
}
