/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A fixed `trace` of two devices, and a `load` that was not sustained.
 */
#ifndef TEST_REPORT_TRACE_H
#define TEST_REPORT_TRACE_H

#include "test_report_fixture.h"

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
	report_default_verdict(r);
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
	report_default_verdict(r);
}

#endif
