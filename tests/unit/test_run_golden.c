// SPDX-License-Identifier: GPL-2.0-only
// From fixed flight records to a `run` report, byte for byte: correlation,
// attribution, checks and views in one piece.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cmd/run_report.h"
#include "golden.h"

enum { IOS = 200, US = 1000, MS = 1000000 };

struct fixed {
	struct load_config config;
	struct run_outcome outcome;
	struct run_rows rows;
	struct report report;
	struct op_names names;
};

/* A1, open: the first of 200 pauses for 100 ms. */
static uint64_t response_ns(unsigned int i)
{
	return i < 12 ? (101 - 9 * i) * (uint64_t)MS : MS;
}

/* The i-th I/O; every 50th was punted, the last one's completion withheld. */
static struct iostrata_record record_of(unsigned int i)
{
	uint64_t at = 1000000000ull + i * 10ull * MS;
	struct iostrata_record r = { .generation = i + 1, .kernel_generation = i + 1,
				     .planned_ns = at, .sequence = i, .length_bytes = 4096,
				     .result = 4096, .bios_started = 1, .bios_done = 1,
				     .issued_depth = i < 12 ? i + 1 : 1, .kernel_bytes = 4096 };

	r.submitted_ns = at += 200;
	r.stamp[IOSTRATA_ENTERED] = at += 2 * US;
	if (i % 50 == 25) {
		r.stamp[IOSTRATA_PUNTED] = at += 3 * US;
		r.kernel_flags |= IOSTRATA_K_PUNTED;
	}
	r.stamp[IOSTRATA_QUEUED] = at += 4 * US;
	r.stamp[IOSTRATA_ALLOCATED] = at += 500;
	r.qos_ns = i % 3 ? 0 : 40;
	r.tag_wait_ns = 260;
	r.stamp[IOSTRATA_FIRST_ISSUED] = r.stamp[IOSTRATA_ISSUED] = at += US;
	at += response_ns(i);
	if (i == IOS - 1)
		r.kernel_flags |= IOSTRATA_K_END_UNSEEN;
	else
		r.stamp[IOSTRATA_COMPLETED] = at;
	r.stamp[IOSTRATA_RETURNED] = at += 20 * US;
	r.reaped_ns = at + 3 * US;
	return r;
}

static void fill_load(struct fixed *f)
{
	struct load_result *load = &f->outcome.load;

	f->config = load_defaults();
	f->config.target = "/dev/loop9";
	f->config.rate_per_s = 100;
	f->config.runtime_ns = 2000ull * MS;
	load->started_monotonic_ns = 1000000000;
	load->started_realtime_ns = 1796074461250000000;
	load->duration_ns = 2000ull * MS;
	load->counts = (struct load_counts){ .planned = IOS, .submitted = IOS, .completed = IOS };
	load->rate_offered = load->rate_submitted = load->rate_completed = 100;
	load->bytes_completed = IOS * 4096;
	load->in_flight_max = 11;
	load->in_flight_mean = 0.405;
	load->cpu = (struct load_cpu){ 2000ull * MS, 20 * MS, 30 * MS, MS, 10 * MS, 612 };
	load->sustained = load->file_registered = load->buffers_registered = true;
	assert_int_equal(dist_init(&load->planned_to_reaped, DIST_SUB_BITS, IOS), 0);
	assert_int_equal(dist_init(&load->submitted_to_reaped, DIST_SUB_BITS, IOS), 0);
	assert_int_equal(dist_init(&load->schedule_error, DIST_SUB_BITS, IOS), 0);
	assert_int_equal(dist_init(&load->late_latency, DIST_SUB_BITS, 1), 0);
}

static void add_series(struct trace_snapshot *requests, const struct iostrata_record *record)
{
	struct trace_series *series = &requests->series[0];
	uint64_t end_ns = record->stamp[IOSTRATA_RETURNED] - 20 * US;

	series->started++;
	series->completed++;
	series->bytes += record->length_bytes;
	hist_add(&series->queue, US);
	hist_add(&series->service, end_ns - record->stamp[IOSTRATA_ISSUED]);
}

static void fill_records(struct fixed *f)
{
	struct run_outcome *out = &f->outcome;

	assert_int_equal(attribution_init(&out->attribution), 0);
	out->attribution.has_tag_parts = true;
	out->requests.series = calloc(1, sizeof(*out->requests.series));
	out->requests.devices = calloc(1, sizeof(*out->requests.devices));
	out->requests.series_count = out->requests.device_count = 1;
	/* Major 4095 is nobody's: sysfs of the machine must not speak here. */
	out->requests.series[0].dev = out->requests.devices[0].dev = 4095u << 20 | 9;
	out->requests.devices[0].used = true;
	out->requests.devices[0].started = IOS;
	out->requests.devices[0].in_flight_max = 11;
	assert_int_equal(hist_init(&out->requests.series[0].queue, IOSTRATA_KERNEL_SUB_BITS), 0);
	assert_int_equal(hist_init(&out->requests.series[0].service, IOSTRATA_KERNEL_SUB_BITS), 0);
	for (unsigned int i = 0; i < IOS; i++) {
		struct iostrata_record record = record_of(i);

		attribution_add(&out->attribution, &record);
		dist_add(&out->load.planned_to_reaped, record.reaped_ns - record.planned_ns);
		dist_add(&out->load.submitted_to_reaped, record.reaped_ns - record.submitted_ns);
		dist_add(&out->load.schedule_error, record.submitted_ns - record.planned_ns);
		add_series(&out->requests, &record);
	}
}

static void fill_kernel(struct fixed *f)
{
	struct run_outcome *out = &f->outcome;

	out->device = (struct device_state){ .name = "loop9", .major = 7, .minor = 9,
					     .scheduler = "none", .write_cache = "write back",
					     .nr_requests = 128, .hw_queues = 1,
					     .size_bytes = 1ull << 30, .logical_block = 512,
					     .iostats = 1, .rotational = 0,
					     .wbt_lat_usec = UINT64_MAX, .max_sectors_kb = 512 };
	out->traced_ns = 2001ull * MS;
	out->depths = (struct run_depths){ .waiting_max = 1, .waiting_ns = IOS * 1500, .in_flight_max = 11 };
	out->counts[IOSTRATA_RUN_ENTERED] = out->counts[IOSTRATA_RUN_RETURNED] = IOS;
	out->counts[IOSTRATA_RUN_BIOS_OURS] = IOS;
	out->counts[IOSTRATA_RUN_REQUESTS_OURS] = IOS;
	out->counts[IOSTRATA_RUN_PUNTED] = 4;
	out->ways[RUN_HOOK_SUBMIT] = out->ways[RUN_HOOK_QOS] = RUN_BY_FENTRY;
	out->ways[RUN_HOOK_TAG] = RUN_BY_KPROBE;
	out->counts[IOSTRATA_RUN_END_UNSEEN] = 1;
}

static int build(void **state)
{
	struct fixed *f = calloc(1, sizeof(*f));

	fill_load(f);
	fill_records(f);
	fill_kernel(f);
	snprintf(f->names.name[0], OP_NAME_SIZE, "read");
	run_report_fill(&f->report, &f->rows, &f->config, &f->outcome, &f->names);
	f->report.tool = (struct report_tool){ .version = "0.1.0", .libbpf = "1.1",
					       .kernel = "6.18.0-test", .arch = "x86_64" };
	*state = f;
	return 0;
}

static int drop(void **state)
{
	struct fixed *f = *state;

	run_outcome_free(&f->outcome);
	free(f);
	return 0;
}

static void text(void **state)
{
	static const struct text_style style = { .columns = 80 };
	struct fixed *f = *state;

	text_is("run-records.txt", &f->report, &style);
}

static void json(void **state)
{
	struct fixed *f = *state;

	json_is("run-records.json", &f->report);
}

static void layers_sum_to_the_latencies(void **state)
{
	struct fixed *f = *state;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < f->report.layer_count; i++)
		sum += f->report.layers[i].dist->hist.sum;
	assert_int_equal(sum, f->outcome.load.planned_to_reaped.hist.sum);
	assert_string_equal(f->report.verdict_layer, "device");
	assert_false(run_has_lost(&f->report));
}

/* A tail of whole buckets is called what it is. */
static void the_verdict_tells_how_many_are_slow(void **state)
{
	struct fixed *f = calloc(1, sizeof(*f));

	(void)state;
	fill_load(f);
	fill_records(f);
	fill_kernel(f);
	attribution_free(&f->outcome.attribution);
	assert_int_equal(attribution_init(&f->outcome.attribution), 0);
	for (unsigned int i = 0; i < 400; i++) {
		struct iostrata_record record = record_of(i < 100 ? 0 : IOS - 1);

		attribution_add(&f->outcome.attribution, &record);
	}
	run_report_fill(&f->report, &f->rows, &f->config, &f->outcome, &f->names);
	assert_int_equal(f->report.tail_count, 100);
	assert_non_null(strstr(f->report.verdict_text, " % of the slowest 25 %: device"));
	run_outcome_free(&f->outcome);
	free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text),
		cmocka_unit_test(json),
		cmocka_unit_test(layers_sum_to_the_latencies),
		cmocka_unit_test(the_verdict_tells_how_many_are_slow),
	};

	return cmocka_run_group_tests_name("run golden", tests, build, drop);
}
