/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Fixed reports, in memory of their own: the same bytes on any machine. In:
 * nothing. Out: a `run` with case A1's open numbers, a `trace` of two devices
 * (whole, and one window of it), a `load` that was not sustained.
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

static struct report_count fix_checks[] = {
	{ "order_violations", 0, "a boundary lies before the one it must follow", false },
	{ "kernel_events_missing", 0, "a boundary this kernel offers was not seen", false },
	{ "generator_only", 0, "the kernel never saw them", false },
	{ "kernel_only", 0, "the generator never saw them", false },
	{ "stage_sum_mismatch", 0, "layers that don't add up to the total", false },
	{ "clock_jitter", 3, "reversals under 1 us, set to 0 and taken from the next layer", true },
};

static struct report_count fix_losses[] = {
	{ "map_full", 0, "no room to keep a request", false },
	{ "unmatched_complete", 0, "completions of requests never seen to start", false },
	{ "recursion_misses", 0, "events the kernel did not deliver to a program", false },
	{ "orphans_at_attach", 0, "in flight when tracing began", true },
	{ "in_flight_at_detach", 0, "not complete when tracing ended", true },
};

static struct report_program fix_programs[] = {
	{ "on_io_uring_submit_req", 200, 31000 }, { "on_block_bio_queue", 204, 44472 },
	{ "on_block_rq_issue", 203, 50750 },	  { "on_block_rq_complete", 203, 58870 },
	{ "on_io_uring_complete", 200, 27800 },	  { "on_nvme_sq", 0, 0 },
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

/* A1, open: a pause of 100 ms on the first of 200 requests, one each 10 ms. */
static inline uint64_t fix_response_ns(unsigned int i)
{
	return i < 12 ? (101 - 9 * i) * 1000000ull : 1000000ull;
}

static const char *const fix_chain[FIX_LAYERS][3] = {
	{ "backlog", "planned", "submitted" },
	{ "submit", "submitted", "entered" },
	{ "fs", "entered", "punted" },
	{ "fs+throttle", "entered", "queued" },
	{ "punt+throttle", "punted", "queued" },
	{ "tag", "queued", "allocated" },
	{ "sched", "allocated", "issued" },
	{ "device", "issued", "completed" },
	{ "flush", "", "" },
	{ "return", "completed", "returned" },
	{ "reap", "returned", "reaped" },
	{ "unattributed", "", "" },
};

static inline void fix_add(struct fixture *f, unsigned int layer, unsigned int io, uint64_t ns)
{
	dist_add(&f->dists[layer], ns);
	if (io < 2)
		f->tail_ns[layer] += ns;
}

/* One I/O's layers; each 70th was punted. They sum to its response time. */
static inline void fix_io(struct fixture *f, unsigned int i)
{
	static const unsigned int direct[] = { 0, 1, 3, 5, 6, 9, 10 };
	static const unsigned int punted[] = { 0, 1, 2, 4, 5, 6, 9, 10 };
	bool punt = i % 70 == 69;
	const unsigned int *layers = punt ? punted : direct;
	unsigned int count = punt ? 8 : 7;
	uint64_t total = fix_response_ns(i), others = 0;

	for (unsigned int n = 0; n < count; n++) {
		uint64_t ns = layers[n] == 4 ? 41000 + i : 900 + 700 * n + i * 37 % 400;

		others += ns;
		fix_add(f, layers[n], i, ns);
	}
	fix_add(f, 7, i, total - others);
	dist_add(&f->result.planned_to_reaped, total);
	dist_add(&f->result.submitted_to_reaped, total - (900 + i * 37 % 400));
	dist_add(&f->result.schedule_error, 900 + i * 37 % 400);
	dist_add(&f->without.planned_to_reaped, total - 1200 + i % 5 * 900);
	dist_add(&f->without.submitted_to_reaped, total - 2200);
	dist_add(&f->without.schedule_error, 1000);
	hist_add(&f->hists[0], 7000 + i * 37 % 400);
	hist_add(&f->hists[1], total - others);
}

static inline void fix_layers(struct fixture *f)
{
	uint64_t all = f->result.planned_to_reaped.hist.sum, tail = 193000000;

	for (unsigned int i = 0; i < FIX_LAYERS; i++) {
		struct report_layer *layer = &f->layers[i];

		snprintf(layer->layer, sizeof(layer->layer), "%s", fix_chain[i][0]);
		snprintf(layer->from, sizeof(layer->from), "%s", fix_chain[i][1]);
		snprintf(layer->to, sizeof(layer->to), "%s", fix_chain[i][2]);
		layer->dist = &f->dists[i];
		layer->share = (double)f->dists[i].hist.sum / (double)all;
		layer->tail_share = (double)f->tail_ns[i] / (double)tail;
	}
	f->report.layers = f->layers;
	f->report.layer_count = FIX_LAYERS;
	f->report.attributed = 200;
	f->report.tail_count = 2;
	f->report.tail_from_ns = 92000000;
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
	result->cpu = (struct load_cpu){ .wall_ns = 2001000000, .user_ns = 8000000,
					 .system_ns = 14000000, .run_queue_wait_ns = 310000,
					 .spun_ns = 9900000, .enters = 612 };
	for (unsigned int i = 0; i < 2; i++)
		result->series[i] = (struct load_sample){ .at_ns = (i + 1) * 1000000000ull,
							  .backlog_max = 1 - i,
							  .in_flight_max = 11 - 10 * i };
	result->series_count = 2;
}

static inline void fix_run(struct fixture *f)
{
	struct report *r = &f->report;

	fix_base(f, "run");
	fix_result_init(&f->result);
	fix_result_init(&f->without);
	for (unsigned int i = 0; i < FIX_LAYERS; i++)
		dist_init(&f->dists[i], DIST_SUB_BITS, 256);
	for (unsigned int i = 0; i < 200; i++)
		fix_io(f, i);
	fix_layers(f);
	f->config = fix_config(100);
	fix_load_numbers(&f->result, 200, 99.95);
	fix_load_numbers(&f->without, 200, 99.95);
	f->state = fix_loop0();
	f->ops[0][0] = (struct report_op){ .op = "read", .started = 200, .completed = 200,
					   .bytes = 200 * 4096, .queue = &f->hists[0],
					   .service = &f->hists[1] };
	f->devices[0] = (struct report_device){ .state = f->state, .ops = f->ops[0], .op_count = 1,
						.depth = { 128, 0.4021, 0.0009, 11, 1 } };
	f->overhead = (struct report_overhead){ .programs = fix_programs, .program_count = 6,
						.ios = 200, .ns_per_io = 1064.46,
						.cpu_share = 0.000106 };
	f->law = (struct report_littles_law){ 0.4029, 99.95, 4029000 };
	snprintf(r->command_line, sizeof(r->command_line),
		 "iostrata run /dev/loop0 --rate 100 --runtime 2s --ab");
	snprintf(r->verdict_layer, sizeof(r->verdict_layer), "device");
	snprintf(r->verdict_text, sizeof(r->verdict_text),
		 "99.9 %% of the slowest 1 %%: device (issued->completed); p99 83.0 ms at depth 9");
	r->target = "/dev/loop0";
	r->duration_ns = 2010000000;
	r->load_config = &f->config;
	r->load_result = &f->result;
	r->without_tracer = &f->without;
	r->device_state = &f->state;
	r->devices = f->devices;
	r->device_count = 1;
	r->queue = (struct report_span){ "allocated", "issued" };
	r->service = (struct report_span){ "issued", "completed" };
	r->checks = fix_checks;
	r->check_count = sizeof(fix_checks) / sizeof(fix_checks[0]);
	r->losses = fix_losses;
	r->loss_count = sizeof(fix_losses) / sizeof(fix_losses[0]);
	r->littles_law = &f->law;
	r->overhead = &f->overhead;
	r->notes[0] = "This kernel offers no hook at bio, so fs and throttle are one row "
		      "(fs+throttle): io.max would be seen there.";
	r->note_count = 1;
}

/* A spread of times around `ns`, heavier on the left. */
static inline void fix_spread(struct hist *hist, unsigned int count, uint64_t ns)
{
	for (unsigned int i = 0; i < count; i++)
		hist_add(hist, ns / 2 + ns * (i * 7919 % 101) * (i * 7919 % 101) / 4000);
}

static inline void fix_op(struct fixture *f, unsigned int device, const char *name,
			  unsigned int count, uint64_t queue_ns, uint64_t service_ns)
{
	struct report_device *d = &f->devices[device];
	struct report_op *op = &f->ops[device][d->op_count++];

	snprintf(op->op, sizeof(op->op), "%s", name);
	op->started = op->completed = count;
	op->bytes = strcmp(name, "flush") ? count * 16384ull : 0;
	op->queue = &f->hists[f->hists_used++];
	op->service = &f->hists[f->hists_used++];
	fix_spread(op->queue, count, queue_ns);
	fix_spread(op->service, count, service_ns);
	d->ops = f->ops[device];
}

static inline void fix_trace(struct fixture *f)
{
	static const char *const disk[] = { "nvme0n1" };
	static struct report_count losses[] = {
		{ "map_full", 0, "no room to keep a request", false },
		{ "recursion_misses", 2, "events the kernel did not deliver to a program", false },
		{ "orphans_at_attach", 17, "in flight when tracing began", true },
		{ "in_flight_at_detach", 1, "not complete when tracing ended", true },
	};
	struct report *r = &f->report;

	fix_base(f, "trace");
	f->devices[0] = (struct report_device){ .depth = { 1023, 3.71, 0.2, 64, 12 } };
	f->devices[0].state = (struct device_state){
		.name = "nvme0n1", .major = 259, .minor = 300, .model = "ACME 9000 \033[31mPRO",
		.firmware = "1.0b", .scheduler = "none", .write_cache = "write back",
		.nr_requests = 1023, .hw_queues = 8, .size_bytes = 1920383410176,
		.logical_block = 512, .iostats = 1, .wbt_lat_usec = 0, .max_sectors_kb = 128 };
	f->devices[1] = (struct report_device){ .depth = { UINT64_MAX, -1, -1, 9, UINT64_MAX },
						.children = disk, .child_count = 1 };
	f->devices[1].state = (struct device_state){
		.name = "dm-0", .major = 253, .minor = 0, .backing = "nvme0n1",
		.nr_requests = UINT64_MAX, .hw_queues = UINT64_MAX, .size_bytes = 1ull << 40,
		.logical_block = 512, .iostats = 1, .wbt_lat_usec = UINT64_MAX,
		.max_sectors_kb = UINT64_MAX };
	fix_op(f, 0, "read", 12345, 2300, 81000);
	fix_op(f, 0, "write", 4021, 3100, 22000);
	fix_op(f, 0, "flush", 17, 900, 1900000);
	fix_op(f, 1, "read", 3000, 0, 95000);
	f->ops[0][0].started += 1;
	f->ops[0][1].errors = 3;
	f->ops[1][0].queue_unknown = 3000;
	hist_clear(f->ops[1][0].queue);
	snprintf(r->command_line, sizeof(r->command_line), "iostrata trace nvme0n1 dm-0");
	r->duration_ns = 10000000000;
	r->devices = f->devices;
	r->device_count = 2;
	r->queue = (struct report_span){ "allocated", "issued" };
	r->service = (struct report_span){ "issued", "completed" };
	r->losses = losses;
	r->loss_count = sizeof(losses) / sizeof(losses[0]);
}

/* Offered 2000/s to a target that serves 1000/s, with a cap of 64. */
static inline void fix_load(struct fixture *f)
{
	struct load_result *result = &f->result;
	struct report *r = &f->report;

	fix_base(f, "load");
	f->report.tool.libbpf = NULL;
	fix_result_init(result);
	f->config = fix_config(2000);
	f->config.in_flight_cap = 64;
	f->config.arrival = LOAD_POISSON;
	f->config.sync = LOAD_SYNC_DSYNC;
	f->config.rw = LOAD_RANDWRITE;
	f->config.warmup_ns = 100000000;
	fix_load_numbers(result, 4000, 0);
	result->counts = (struct load_counts){ .planned = 4000, .completed = 2000, .errors = 3,
					       .timeouts = 2, .in_flight_at_cutoff = 59,
					       .unsubmitted = 1936, .submitted = 2064, .late = 60,
					       .never = 1, .warmup = 100 };
	result->error_kinds[0] = (struct load_error_kind){ EIO, 2 };
	result->error_kinds[1] = (struct load_error_kind){ ENOSPC, 1 };
	for (uint64_t i = 1; i <= 1900; i++) {
		dist_add(&result->planned_to_reaped, 50000000 + i * 500000);
		dist_add(&result->submitted_to_reaped, 64000000 + i % 7 * 1000);
	}
	for (uint64_t i = 1; i <= 2064; i++)
		dist_add(&result->schedule_error, i * 480000);
	for (uint64_t i = 0; i < 60; i++)
		dist_add(&result->late_latency, 1000000000 + i * 1000000);
	result->rate_offered = 2000;
	result->rate_submitted = 1032;
	result->rate_completed = 1000;
	result->bytes_completed = 2000 * 4096;
	result->backlog_max = 1936;
	result->in_flight_max = 64;
	result->in_flight_mean = 63.2;
	result->sustained = false;
	result->limit = LOAD_LIMIT_CAP;
	result->cpu.run_queue_wait_ns = UINT64_MAX;
	result->interrupted = true;
	snprintf(result->limit_text, sizeof(result->limit_text),
		 "the in-flight cap of 64 was reached; behind it the target completed 1,000/s of 2,000/s offered");
	snprintf(r->command_line, sizeof(r->command_line),
		 "iostrata load /mnt/\303\244\377\n.img --rate 2000");
	r->target = "/mnt/\303\244\377\n.img";
	r->duration_ns = 2001000000;
	r->load_config = &f->config;
	r->load_result = result;
}

#endif
