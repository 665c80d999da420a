// SPDX-License-Identifier: GPL-2.0-only
// In: a configuration and hooks. Out: a load that is ready, then run, then
// gone without a trace.
#include "load/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "load/config.h"
#include "load/state.h"
#include "target/control.h"

enum { TIMER_SLACK_NS = 1 };

static int no_memory(struct why *why)
{
	return why_set(why, -ENOMEM, EXIT_FAILED, "not enough memory; lower --in-flight-cap or --bs");
}

static int make_result(struct load_result *result)
{
	struct dist *dists[] = { &result->planned_to_reaped, &result->submitted_to_reaped,
				 &result->schedule_error, &result->late_latency };
	int err = 0;

	*result = (struct load_result){ 0 };
	for (unsigned int i = 0; !err && i < sizeof(dists) / sizeof(dists[0]); i++) {
		err = dist_init(dists[i], DIST_SUB_BITS, DIST_EXACT_MAX);
		/* Page faults now, not under the clock. */
		if (!err)
			memset(dists[i]->exact, 0, DIST_EXACT_MAX * sizeof(*dists[i]->exact));
	}
	return err;
}

void load_result_free(struct load_result *result)
{
	dist_free(&result->planned_to_reaped);
	dist_free(&result->submitted_to_reaped);
	dist_free(&result->schedule_error);
	dist_free(&result->late_latency);
}

static int make_records(struct load *load)
{
	size_t bytes = load->config->in_flight_cap * sizeof(*load->own_records);

	load->records = load->hooks.records;
	load->control = load->hooks.control;
	if (!load->records) {
		load->own_records = aligned_alloc(sizeof(*load->own_records), bytes);
		if (!load->own_records)
			return -ENOMEM;
		memset(load->own_records, 0, bytes); /* touched now, not under the clock */
		load->records = load->own_records;
	}
	if (!load->control) {
		load->own_control = aligned_alloc(sizeof(*load->own_control),
						  sizeof(*load->own_control));
		if (!load->own_control)
			return -ENOMEM;
		memset(load->own_control, 0, sizeof(*load->own_control));
		load->control = load->own_control;
	}
	return 0;
}

static int make_memory(struct load *load)
{
	const struct load_config *config = load->config;
	int err = make_result(load->result);

	if (!err)
		err = make_records(load);
	if (!err)
		err = slots_init(&load->slots, (uint32_t)config->in_flight_cap);
	if (!err)
		err = load_arrivals_init(&load->arrivals, config);
	if (!err)
		err = buffers_init(&load->buffers, config->in_flight_cap, config->block_bytes,
				   load->writes, config->seed);
	return err;
}

static int make_ring(struct load *load, struct why *why)
{
	struct load_result *result = load->result;
	int err = ring_open(&load->ring, (uint32_t)load->config->in_flight_cap, load->control, why);

	if (err) {
		load->ring.uring.ring_fd = -1;
		return err;
	}
	ring_use(&load->ring, load->target.fd, load->buffers.base, load->buffers.bytes);
	result->ring_flags = load->ring.setup_flags;
	result->file_registered = load->ring.file_registered;
	result->buffers_registered = load->ring.buffers_registered;
	result->absolute_timer = load->ring.absolute_timer;
	return 0;
}

static int set_up(struct load *load, struct why *why)
{
	const struct load_config *config = load->config;
	int err = load_target_open(config, &load->target, why);

	if (err) {
		load->target.fd = -1;
		return err;
	}
	if (make_memory(load))
		return no_memory(why);
	load->result->target_bytes = load->target.bytes;
	load->offsets = offsets_over(load->target.bytes, config->block_bytes,
				     config->rw == LOAD_RANDREAD || config->rw == LOAD_RANDWRITE,
				     config->seed);
	return make_ring(load, why);
}

int load_open(const struct load_config *config, const struct load_hooks *hooks,
	      struct load_result *result, struct why *why, struct load **out)
{
	struct load *load;
	int err = load_config_check(config, why);

	if (err)
		return err;
	load = calloc(1, sizeof(*load));
	if (!load)
		return no_memory(why);
	load->config = config;
	load->hooks = hooks ? *hooks : (struct load_hooks){ 0 };
	load->result = result;
	load->writes = config->rw == LOAD_WRITE || config->rw == LOAD_RANDWRITE;
	load->target.fd = load->ring.uring.ring_fd = load->cpu.schedstat = -1;
	*result = (struct load_result){ 0 };
	err = set_up(load, why);
	if (err) {
		load_close(load);
		load_result_free(result);
		return err;
	}
	*out = load;
	return 0;
}

/* The target counts from here on, so nothing comes between but the clock. */
static int start_clock(struct load *load, struct why *why)
{
	const struct load_config *config = load->config;
	int err = target_control_arm(config->target, why);

	if (err < 0)
		return err;
	cpu_meter_start(&load->cpu);
	load->series = series_over(load->result->series, config->runtime_ns);
	load->result->started_realtime_ns = clock_ns(CLOCK_REALTIME);
	load->start_ns = load->result->started_monotonic_ns = clock_monotonic_ns();
	load->now_ns = load->last_decided_ns = load->start_ns;
	load->warmup_end_ns = load->start_ns + config->warmup_ns;
	load->cutoff_ns = config->runtime_ns ? load->start_ns + config->runtime_ns : UINT64_MAX;
	return 0;
}

int load_start(struct load *load, struct why *why)
{
	int slack_ns = prctl(PR_GET_TIMERSLACK), err = interrupt_open(&load->interrupt, why);

	if (err)
		return err;
	/* A refusal leaves the waits some 50 us late; schedule_error would show it. */
	(void)prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
	ring_watch(&load->ring, load->interrupt.fd);
	err = ring_enter(&load->ring, false, 0);
	if (err)
		why_set(why, err, EXIT_FAILED, "io_uring_enter: %s", why_text(err));
	else
		err = start_clock(load, why);
	if (!err)
		err = load_drive(load, why);
	if (!err)
		load_sum_up(load);
	if (slack_ns > 0)
		(void)prctl(PR_SET_TIMERSLACK, slack_ns);
	interrupt_close(&load->interrupt);
	return err;
}

void load_close(struct load *load)
{
	if (!load)
		return;
	if (load->ring.uring.ring_fd >= 0)
		ring_close(&load->ring, !slots_in_flight(&load->slots));
	if (load->target.fd >= 0)
		close(load->target.fd);
	buffers_free(&load->buffers);
	load_arrivals_free(&load->arrivals);
	slots_free(&load->slots);
	free(load->own_records);
	free(load->own_control);
	free(load);
}
