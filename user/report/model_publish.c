// SPDX-License-Identifier: GPL-2.0-only
// In: the runs, a directory. Out: the data set there: responses.csv (the same
// bytes for the same parameters), metadata.json (which alone holds the time and
// the version) and SHA256SUMS, as `sha256sum -c` reads it.
#include <errno.h>
#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/output.h"
#include "base/version.h"
#include "report/json_dist.h"
#include "report/model_report.h"

enum { HEX_SIZE = 2 * SHA256_DIGEST_SIZE + 1, FILES = 3 };

static const char *const names[FILES] = { "responses.csv", "metadata.json", "SHA256SUMS" };

struct dataset {
	struct output files[FILES];
	char sums[FILES][HEX_SIZE];
	unsigned int opened;
};

static int hash(FILE *stream, char hex[HEX_SIZE])
{
	uint8_t block[4096], digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx context;
	size_t got;

	if (fflush(stream) || fseek(stream, 0, SEEK_SET))
		return -errno;
	sha256_init(&context);
	while ((got = fread(block, 1, sizeof(block), stream)))
		sha256_update(&context, got, block);
	if (ferror(stream))
		return -EIO;
	sha256_digest(&context, sizeof(digest), digest);
	for (int i = 0; i < SHA256_DIGEST_SIZE; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
	return 0;
}

static struct json_object *columns(void)
{
	static const char *const text[][2] = {
		{ "mode", "open or closed arrivals" },
		{ "index", "0, 1, ... in planned order; unique within a mode" },
		{ "arrivalMs", "when the request was planned to arrive" },
		{ "startMs", "when the server began with it" },
		{ "completedMs", "when the server ended it" },
		{ "queueMs", "startMs - arrivalMs" },
		{ "responseMs", "completedMs - arrivalMs" },
	};
	struct json_object *object = json_object_new_object();

	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		json_object_object_add(object, text[i][0], json_object_new_string(text[i][1]));
	return object;
}

static struct json_object *responses(const struct model_report *report, const char *sum)
{
	struct json_object *object = json_object_new_object(), *rows = json_object_new_object();

	json_object_object_add(object, "file", json_object_new_string(names[0]));
	json_object_object_add(object, "sha256", json_object_new_string(sum));
	json_add_u64(object, "rows", model_csv_rows(report));
	for (unsigned int i = 0; i < report->run_count; i++)
		json_add_u64(rows, report->runs[i].name, report->runs[i].result->counts.planned);
	json_object_object_add(object, "rows_by_mode", rows);
	json_object_object_add(object, "columns", columns());
	return object;
}

static struct json_object *utc(uint64_t realtime_ns)
{
	time_t at = (time_t)(realtime_ns / NS_PER_S);
	char text[sizeof("YYYY-MM-DDThh:mm:ssZ") + 8];
	struct tm tm;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&at, &tm));
	return json_object_new_string(text);
}

static int write_metadata(const struct model_report *report, const char *csv_sum, FILE *out)
{
	struct json_object *root = json_object_new_object();
	const char *text;

	json_object_object_add(root, "schema", json_object_new_string("iostrata.model-data/1"));
	json_object_object_add(root, "version", json_object_new_string(IOSTRATA_VERSION));
	json_object_object_add(root, "created", utc(report->started_realtime_ns));
	json_object_object_add(root, "quantile_method", json_object_new_string(QUANTILE_METHOD));
	json_object_object_add(root, "responses", responses(report, csv_sum));
	json_object_object_add(root, "models", model_json_runs(report));
	text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
						    JSON_C_TO_STRING_SPACED |
						    JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text)
		fprintf(out, "%s\n", text);
	json_object_put(root);
	return text ? 0 : -ENOMEM;
}

static int write_all(const struct model_report *report, struct dataset *set)
{
	FILE *sums = set->files[2].stream;
	int err;

	model_csv(report, false, set->files[0].stream);
	err = hash(set->files[0].stream, set->sums[0]);
	if (!err)
		err = write_metadata(report, set->sums[0], set->files[1].stream);
	if (!err)
		err = hash(set->files[1].stream, set->sums[1]);
	for (int i = 0; !err && i < 2; i++)
		fprintf(sums, "%s  %s\n", set->sums[i], names[i]);
	return err;
}

static int open_all(struct dataset *set, const char *directory, struct why *why)
{
	for (; set->opened < FILES; set->opened++) {
		char *path = NULL;
		int err;

		if (asprintf(&path, "%s/%s", directory, names[set->opened]) < 0)
			return why_set(why, -ENOMEM, EXIT_FAILED, "%s: out of memory", directory);
		err = output_open(&set->files[set->opened], path, why);
		free(path);
		if (err)
			return err;
	}
	return 0;
}

/* All three are whole under their temporary names before the first is renamed. */
static int finish_all(struct dataset *set, struct why *why)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < FILES; i++)
		err = output_sync(&set->files[i], why);
	for (unsigned int i = 0; !err && i < FILES; i++)
		err = output_finish(&set->files[i], why);
	return err;
}

static int make_directory(const char *directory, bool *made, struct why *why)
{
	*made = !mkdir(directory, 0777);
	if (*made || errno == EEXIST)
		return 0;
	return why_set(why, -errno, EXIT_FAILED,
		       "%s: cannot make the directory: %s; name one whose parent can be written to",
		       directory, why_text(errno));
}

int model_publish(const struct model_report *report, const char *directory, struct why *why)
{
	struct dataset set = { 0 };
	bool made;
	int err = make_directory(directory, &made, why);

	if (err)
		return err;
	err = open_all(&set, directory, why);
	if (!err) {
		err = write_all(report, &set);
		if (err)
			why_set(why, err, EXIT_FAILED, "%s: %s; make room or write elsewhere",
				directory, why_text(err));
	}
	if (!err)
		err = finish_all(&set, why);
	for (unsigned int i = 0; err && i < set.opened; i++)
		output_discard(&set.files[i]);
	if (err && made)
		rmdir(directory);
	return err;
}
