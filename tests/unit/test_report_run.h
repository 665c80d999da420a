/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A fixed `run`: case A1's open numbers, with folds, punts and --ab.
 */
#ifndef TEST_REPORT_RUN_H
#define TEST_REPORT_RUN_H

#include "test_report_fixture.h"

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

#endif
