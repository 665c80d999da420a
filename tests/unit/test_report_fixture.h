/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What fixed reports are made of, in memory of their own: the same bytes on any
 * machine. The reports: test_report_run.h, test_report_trace.h.
 */
#ifndef TEST_REPORT_FIXTURE_H
#define TEST_REPORT_FIXTURE_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"

enum { FIX_LAYERS = 12, FIX_HISTS = 16, FIX_OPS = 4 };

struct fixture {
	struct report report;
	struct load_config config;
	struct load_result result, without;
	struct device_state state;
	struct report_layer layers[FIX_LAYERS];
	struct dist dists[FIX_LAYERS];
	uint64_t tail_ns[FIX_LAYERS];
	struct report_device devices[2];
	struct report_op ops[2][FIX_OPS];
	struct hist hists[FIX_HISTS];
	unsigned int hists_used;
	struct report_overhead overhead;
	struct report_littles_law law;
};

static inline void fix_base(struct fixture *f, const char *command)
{
	memset(f, 0, sizeof(*f));
	f->report.tool = (struct report_tool){ .version = "0.1.0", .libbpf = "1.1",
					       .kernel = "6.18.0-test", .arch = "x86_64" };
	f->report.command = command;
	f->report.started_realtime_ns = 1796074461250000000;
	for (unsigned int i = 0; i < FIX_HISTS; i++)
		hist_init(&f->hists[i], 3);
}

static inline void fix_result_init(struct load_result *result)
{
	dist_init(&result->planned_to_reaped, DIST_SUB_BITS, 4096);
	dist_init(&result->submitted_to_reaped, DIST_SUB_BITS, 4096);
	dist_init(&result->schedule_error, DIST_SUB_BITS, 4096);
	dist_init(&result->late_latency, DIST_SUB_BITS, 4096);
}

static inline void fix_result_free(struct load_result *result)
{
	dist_free(&result->planned_to_reaped);
	dist_free(&result->submitted_to_reaped);
	dist_free(&result->schedule_error);
	dist_free(&result->late_latency);
}

static inline void fix_free(struct fixture *f)
{
	for (unsigned int i = 0; i < FIX_HISTS; i++)
		hist_free(&f->hists[i]);
	for (unsigned int i = 0; i < FIX_LAYERS; i++)
		dist_free(&f->dists[i]);
	fix_result_free(&f->result);
	fix_result_free(&f->without);
}

static inline struct device_state fix_loop0(void)
{
	struct device_state state = { .name = "loop0", .major = 7, .minor = 0,
				      .scheduler = "none", .write_cache = "write through",
				      .backing = "/run/iostrata/target", .nr_requests = 128,
				      .hw_queues = 1, .size_bytes = 1ull << 30,
				      .logical_block = 4096, .iostats = 1, .rotational = 0,
				      .wbt_lat_usec = UINT64_MAX, .max_sectors_kb = 1280 };

	return state;
}

static inline struct load_config fix_config(double rate)
{
	struct load_config config = { .target = "/dev/loop0", .rw = LOAD_RANDREAD,
				      .arrival = LOAD_CONSTANT, .rate_per_s = rate,
				      .block_bytes = 4096, .runtime_ns = 2000000000, .seed = 1,
				      .in_flight_cap = 4096, .spin_ns = 50000,
				      .timeout_ns = 30000000000 };

	return config;
}

static inline void fix_load_numbers(struct load_result *result, uint64_t count, double per_s)
{
	result->duration_ns = 2001000000;
	result->counts.planned = result->counts.completed = result->counts.submitted = count;
	result->rate_offered = result->rate_submitted = result->rate_completed = per_s;
	result->bytes_completed = count * 4096;
	result->backlog_max = 1;
	result->in_flight_max = 11;
	result->in_flight_mean = 0.4029;
	result->sustained = true;
	result->target_bytes = 1ull << 30;
	result->ring_flags = 0x3000;
	result->file_registered = result->buffers_registered = true;
	result->cpu = (struct load_cpu){ .wall_ns = 2001000000, .user_ns = 8000000,
					 .system_ns = 14000000, .run_queue_wait_ns = 310000,
					 .spun_ns = 9900000, .enters = 612 };
	for (unsigned int i = 0; i < 2; i++)
		result->series[i] = (struct load_sample){ .at_ns = (i + 1) * 1000000000ull,
							  .backlog_max = 1 - i,
							  .in_flight_max = 11 - 10 * i,
							  .planned = count / 2 * (i + 1),
							  .outstanding = i };
	result->series_count = 2;
}

#endif
