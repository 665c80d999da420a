// SPDX-License-Identifier: GPL-2.0-only
// In: finished flight records. Out: CSV.
#include "load/io_log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/output.h"

/* An entry is a record, or only the generator's half of it. Its generation,
 * which nobody asks for any more, makes room for the outcome.
 */
struct io_log {
	unsigned char *entries;
	size_t stride, bytes;
	uint64_t count, room, lost;
	bool kernel_stamps;
};

static const char *const outcome_names[] = { "completed", "error", "timeout", "in_flight_at_cutoff" };

/* A tenth more than expected: Poisson arrivals vary. 0: can't be told. */
static uint64_t expected_count(const struct load_config *config)
{
	double by_rate;

	if (config->arrival == LOAD_CLOSED || !config->runtime_ns)
		return config->requests;
	by_rate = config->rate_per_s * (double)config->runtime_ns / 1e9 * 1.1 + 1000;
	if (config->requests && (double)config->requests < by_rate)
		return config->requests;
	return by_rate < 1e12 ? (uint64_t)by_rate : 0;
}

int io_log_open(const struct load_config *config, bool kernel_stamps, struct why *why,
		struct io_log **out)
{
	struct io_log *log = calloc(1, sizeof(*log));
	uint64_t wanted = expected_count(config);

	if (!log)
		return why_set(why, -ENOMEM, EXIT_FAILED, "no memory for --io-log");
	log->kernel_stamps = kernel_stamps;
	log->stride = kernel_stamps ? sizeof(struct iostrata_record)
				    : offsetof(struct iostrata_record, stamp);
	log->room = IO_LOG_MAX_BYTES / log->stride;
	if (wanted && wanted < log->room)
		log->room = wanted;
	log->bytes = log->room * log->stride;
	/* Populated: page faults belong here, not under the clock. */
	log->entries = mmap(NULL, log->bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (log->entries == MAP_FAILED) {
		free(log);
		return why_set(why, -ENOMEM, EXIT_FAILED,
			       "no memory for --io-log; shorten the run or leave it out");
	}
	*out = log;
	return 0;
}

void io_log_add(struct io_log *log, const struct iostrata_record *record,
		enum load_outcome outcome)
{
	unsigned char *entry = log->entries + log->count * log->stride;
	iostrata_u64 tag = outcome;

	if (log->count == log->room) {
		log->lost++;
		return;
	}
	memcpy(entry, record, log->stride);
	memcpy(entry + offsetof(struct iostrata_record, generation), &tag, sizeof(tag));
	log->count++;
}

uint64_t io_log_lost(const struct io_log *log)
{
	return log->lost;
}

struct stamp_column {
	const char *name, *by;
};

static const struct stamp_column columns[] = {
#define COLUMN(id, name, alias, by, starts, meaning) [IOSTRATA_##id] = { name, by },
	IOSTRATA_BOUNDARIES(COLUMN)
#undef COLUMN
};

static bool is_kernels(int boundary)
{
	return !strcmp(columns[boundary].by, "bpf");
}

static void print_head(const struct io_log *log, FILE *out)
{
	fputs("sequence,planned_ns,submitted_ns,reaped_ns,offset_bytes,length_bytes,op,result,"
	      "outcome,client", out);
	for (int i = 0; log->kernel_stamps && i < IOSTRATA_BOUNDARY_COUNT; i++)
		if (is_kernels(i))
			fprintf(out, ",%s_ns", columns[i].name);
	fputs(log->kernel_stamps ? ",first_bio_ns,flush_ns,bios,kernel_bytes,how\n" : "\n", out);
}

static void print_stamps(const struct iostrata_record *record, FILE *out)
{
	for (int i = 0; i < IOSTRATA_BOUNDARY_COUNT; i++) {
		if (!is_kernels(i))
			continue;
		fputc(',', out);
		if (record->stamp[i])
			fprintf(out, "%" PRIu64, record->stamp[i]);
	}
}

/* The kernel's flags as words, a + between two. */
static void print_how(uint32_t flags, FILE *out)
{
	static const char *const words[] = { "punted",	   "merged",	 "split",      "refused",
					     "requeued",   "contended",	 "bio_based",  "end_unseen",
					     "read_ahead", "flush_unseen" };
	const char *before = "";

	for (unsigned int i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!(flags >> i & 1))
			continue;
		fprintf(out, "%s%s", before, words[i]);
		before = "+";
	}
}

static void print_kernel_half(const struct iostrata_record *record, FILE *out)
{
	print_stamps(record, out);
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%u,%" PRIu64 ",", record->first_bio_ns,
		record->flush_ns, record->bios_started, record->kernel_bytes);
	print_how(record->kernel_flags, out);
}

static void print_entry(const struct io_log *log, uint64_t index, FILE *out)
{
	struct iostrata_record r = { 0 };

	memcpy(&r, log->entries + index * log->stride, log->stride);
	fprintf(out,
		"%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%s,%d,%s,%u",
		r.sequence, r.planned_ns, r.submitted_ns, r.reaped_ns, r.offset_bytes,
		r.length_bytes, r.flags & IOSTRATA_F_WRITE ? "write" : "read", r.result,
		outcome_names[r.generation], r.client);
	if (log->kernel_stamps)
		print_kernel_half(&r, out);
	fputc('\n', out);
}

void io_log_print(const struct io_log *log, FILE *out)
{
	print_head(log, out);
	for (uint64_t i = 0; i < log->count; i++)
		print_entry(log, i, out);
}

int io_log_write(const struct io_log *log, const char *path, struct why *why)
{
	struct output output;
	int err = output_open(&output, path, why);

	if (err)
		return err;
	io_log_print(log, output.stream);
	return output_finish(&output, why);
}

void io_log_close(struct io_log *log)
{
	if (!log)
		return;
	munmap(log->entries, log->bytes);
	free(log);
}
