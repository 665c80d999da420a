// SPDX-License-Identifier: GPL-2.0-only
// In: files of responses. Out: the responses of all together, and two views.
#include "report/pool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "report/decimal.h"
#include "report/json_dist.h"
#include "report/model_report.h"
#include "report/report.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_one(struct pool *pool, unsigned int i, struct why *why)
{
	if (i && !strcmp(pool->paths[i], pool->paths[i - 1]))
		return why_set(why, -EINVAL, EXIT_USAGE, "%s: named twice; its responses would count "
			       "double", pool->paths[i]);
	return responses_read(pool->paths[i], &pool->runs[i], why);
}

static int merge_one(struct pool *pool, unsigned int i, struct why *why)
{
	const struct responses *run = &pool->runs[i];
	uint64_t sum;

	if (strcmp(run->mode, pool->runs[0].mode))
		return why_set(why, -EINVAL, EXIT_USAGE,
			       "%s is %s, %s is %s: pooled they would answer for neither; pool them "
			       "apart", pool->paths[0], pool->runs[0].mode, pool->paths[i], run->mode);
	if (__builtin_add_overflow(pool->pooled.hist.sum, run->dist.hist.sum, &sum))
		return why_set(why, -ERANGE, EXIT_FAILED,
			       "%s: with it the responses do not add up in 64 bits; pool fewer",
			       pool->paths[i]);
	return dist_merge(&pool->pooled, &run->dist);
}

static int read_all(struct pool *pool, struct why *why)
{
	uint64_t total = 0;
	int err;

	for (unsigned int i = 0; i < pool->count; i++) {
		err = read_one(pool, i, why);
		if (err)
			return err;
		total += pool->runs[i].dist.hist.count;
	}
	err = dist_init(&pool->pooled, DIST_SUB_BITS, total + 1);
	for (unsigned int i = 0; !err && i < pool->count; i++)
		err = merge_one(pool, i, why);
	return err;
}

int pool_read(char **paths, unsigned int count, struct pool *out, struct why *why)
{
	int err;

	*out = (struct pool){ .paths = paths, .count = count };
	qsort(paths, count, sizeof(*paths), by_name);
	out->runs = calloc(count, sizeof(*out->runs));
	err = out->runs ? read_all(out, why) : -ENOMEM;
	if (!err)
		return 0;
	pool_free(out);
	return why_set(why, err, EXIT_FAILED, "pool: %s", why_text(err));
}

void pool_free(struct pool *pool)
{
	for (unsigned int i = 0; pool->runs && i < pool->count; i++)
		responses_free(&pool->runs[i]);
	free(pool->runs);
	pool->runs = NULL;
	dist_free(&pool->pooled);
}

static void print_line(const char *name, struct dist *dist, FILE *out)
{
	struct dist_summary s = dist_summarize(dist);
	const uint64_t times[] = { s.p50_ns, s.p90_ns, s.p95_ns, s.p99_ns, s.p999_ns, s.max_ns };
	char text[DECIMAL_SIZE];

	fprintf(out, "%10" PRIu64, s.count);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		fprintf(out, "%12s", s.count ? decimal_ms(text, times[i]) : "-");
	fprintf(out, "%12s  %s\n", s.count ? decimal_mean_ms(text, s.sum_ns, s.count) : "-", name);
}

static uint64_t unfinished(const struct pool *pool)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < pool->count; i++)
		sum += pool->runs[i].unfinished;
	return sum;
}

void pool_text(struct pool *pool, FILE *out)
{
	char p99[DECIMAL_SIZE];

	fprintf(out, "p99 of %u %s runs pooled: %s ms\n\n", pool->count, pool->runs[0].mode,
		pool->pooled.hist.count ? decimal_ms(p99, dist_quantile(&pool->pooled, 9900)) : "-");
	fprintf(out, "%10s%12s%12s%12s%12s%12s%12s%12s\n", "N", "p50 ms", "p90 ms", "p95 ms",
		"p99 ms", "p99.9 ms", "max ms", "mean ms");
	for (unsigned int i = 0; i < pool->count; i++)
		print_line(pool->paths[i], &pool->runs[i].dist, out);
	print_line("pooled", &pool->pooled, out);
	fprintf(out, "\nQuantiles: %s; pooled from the responses, never averaged.\n",
		QUANTILE_METHOD);
	if (unfinished(pool))
		fprintf(out, "Censored: %" PRIu64 " requests that had not completed are missing.\n",
			unfinished(pool));
}

static struct json_object *source(struct pool *pool, unsigned int i)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "file", json_object_new_string(pool->paths[i]));
	json_add_u64(object, "unfinished", pool->runs[i].unfinished);
	json_object_object_add(object, "planned_to_reaped", json_dist(&pool->runs[i].dist));
	return object;
}

static struct json_object *about(const struct pool *pool)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "command", json_object_new_string("model"));
	json_object_object_add(object, "clock", json_object_new_string("simulated"));
	json_object_object_add(object, "quantile_method", json_object_new_string(QUANTILE_METHOD));
	json_object_object_add(object, "arrival", json_object_new_string(pool->runs[0].mode));
	return object;
}

int pool_json(struct pool *pool, FILE *out)
{
	struct json_object *root = json_object_new_object(), *tool = json_object_new_object();
	struct json_object *sources = json_object_new_array(), *latency = json_object_new_object();
	const char *text;

	json_object_object_add(root, "schema", json_object_new_string(REPORT_SCHEMA));
	json_object_object_add(tool, "version", json_object_new_string(IOSTRATA_VERSION));
	json_object_object_add(root, "tool", tool);
	json_object_object_add(root, "run", about(pool));
	for (unsigned int i = 0; i < pool->count; i++)
		json_object_array_add(sources, source(pool, i));
	json_object_object_add(root, "sources", sources);
	json_object_object_add(latency, "censored", json_object_new_boolean(unfinished(pool) > 0));
	json_object_object_add(latency, "planned_to_reaped", json_dist(&pool->pooled));
	json_object_object_add(root, "latency", latency);
	text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
						    JSON_C_TO_STRING_SPACED |
						    JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text)
		fprintf(out, "%s\n", text);
	json_object_put(root);
	return text ? 0 : -ENOMEM;
}
