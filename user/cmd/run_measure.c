// SPDX-License-Identifier: GPL-2.0-only
// In: a load. Out: the same load, traced: records attributed as they finish.
#include "cmd/run_measure.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/device_choice.h"
#include "cmd/one_clock.h"
#include "cmd/run_stack.h"
#include "load/config.h"
#include "probe/devno.h"

static void on_finished(void *context, const struct iostrata_record *record,
			enum load_outcome outcome)
{
	struct run_outcome *run = context;

	if (outcome == LOAD_COMPLETED && !(record->flags & IOSTRATA_F_WARMUP))
		attribution_add(&run->attribution, record);
	if (run->io_log)
		io_log_add(run->io_log, record, outcome);
}

static int find_device(const struct load_config *config, struct run_outcome *outcome,
		       struct why *why)
{
	int err = device_state_read(config->target, &outcome->device);
	struct stat st;

	outcome->on_file = !stat(config->target, &st) && S_ISREG(st.st_mode);
	if (err == -ENODEV)
		return why_set(why, err, EXIT_FAILED,
			       "%s lies on no block device, so there is no kernel path to trace; "
			       "use `iostrata load`",
			       config->target);
	if (err)
		return why_set(why, err, EXIT_FAILED, "%s: %s", config->target, why_text(err));
	device_stack_read("/sys", outcome->device.name, &outcome->stack);
	return 0;
}

/* Tracing is up before the ring is made: the kernel tells us of it then. The
 * trace session first, so that its depth includes a request when ours asks.
 */
static int attach(const struct run_wish *wish, struct run_outcome *outcome, struct why *why)
{
	uint32_t dev = devno_kernel(outcome->device.major, outcome->device.minor);
	uint32_t devs[1 + DEVICE_STACK_MAX];
	struct trace_config trace = { .devs = devs,
				      .dev_count = run_stack_devices(&outcome->device,
								     &outcome->stack, devs),
				      .flavour = (enum flavour)wish->flavour, .btf = wish->btf };
	struct run_config run = { .dev = dev, .slots = (uint32_t)wish->load->in_flight_cap,
				  .flavour = (enum flavour)wish->flavour,
				  .btf = wish->btf,
				  .bio_based = outcome->device.hw_queues == UINT64_MAX };
	int err;

	trace.insert_stamps = devices_lack_stamps(devs, trace.dev_count);
	err = trace_session_open(&trace, why, &outcome->trace);
	return err ? err : run_session_open(&run, why, &outcome->session);
}

static int open_load(const struct run_wish *wish, struct run_outcome *outcome, struct why *why,
		     struct load **load)
{
	struct load_hooks hooks = { .records = run_session_records(outcome->session),
				    .control = run_session_control(outcome->session),
				    .finished = on_finished,
				    .context = outcome };
	int err;

	run_session_expect_ring(outcome->session, true);
	err = load_open(wish->load, &hooks, &outcome->load, why, load);
	run_session_expect_ring(outcome->session, false);
	if (err || run_session_has_ring(outcome->session))
		return err;
	load_close(*load);
	return why_set(why, -ENODATA, EXIT_KERNEL_LACKS,
		       "the kernel gave our programs no io_uring_create event, so I/Os cannot be "
		       "followed; `iostrata load` and `iostrata trace` work");
}

static int collect(struct run_outcome *outcome, struct why *why)
{
	int err;

	run_session_counts(outcome->session, outcome->counts);
	outcome->run_contended = run_session_contended(outcome->session);
	outcome->run_flavour = run_session_flavour(outcome->session);
	outcome->trace_flavour = trace_session_flavour(outcome->trace);
	outcome->depths = run_session_depths(outcome->session);
	outcome->boundaries = run_session_boundaries(outcome->session);
	for (int i = 0; i < RUN_HOOK_COUNT; i++)
		outcome->ways[i] = run_session_way(outcome->session, (enum run_hook)i);
	outcome->program_count = run_session_programs(outcome->session, outcome->programs, 0);
	outcome->run_program_count = outcome->program_count;
	for (unsigned int i = 0; i < outcome->program_count; i++)
		outcome->run_misses += outcome->programs[i].misses;
	outcome->program_count = trace_session_programs(outcome->trace, outcome->programs,
							outcome->program_count);
	err = trace_session_read(outcome->trace, &outcome->requests);
	return err ? why_set(why, err, EXIT_FAILED, "out of memory while reading the counts") : 0;
}

static int drive(const struct run_wish *wish, struct run_outcome *outcome, struct why *why)
{
	struct load *load;
	uint64_t from_ns;
	int err = open_load(wish, outcome, why, &load);

	if (err)
		return err;
	outcome->attribution.has_tag_parts = run_session_has_waits(outcome->session);
	from_ns = trace_session_start(outcome->trace);
	err = load_start(load, why);
	outcome->traced_ns = trace_session_stop(outcome->trace) - from_ns;
	load_close(load);
	return err ? err : collect(outcome, why);
}

int run_measure(const struct run_wish *wish, struct run_outcome *outcome, struct why *why)
{
	int statistics = -1, err = load_config_check(wish->load, why);

	if (!err)
		err = one_clock_check(why);
	if (!err)
		err = find_device(wish->load, outcome, why);
	if (!err && attribution_init(&outcome->attribution))
		err = why_set(why, -ENOMEM, EXIT_FAILED, "out of memory");
	if (!err && wish->io_log)
		err = io_log_open(wish->load, true, why, &outcome->io_log);
	if (!err)
		err = attach(wish, outcome, why);
	if (!err && wish->overhead)
		statistics = session_statistics();
	outcome->overhead = statistics >= 0;
	if (!err)
		err = drive(wish, outcome, why);
	if (statistics >= 0)
		close(statistics);
	run_session_close(outcome->session);
	trace_session_close(outcome->trace);
	outcome->session = NULL;
	outcome->trace = NULL;
	return err;
}

int run_measure_untraced(const struct load_config *config, struct load_result *result,
			 struct why *why)
{
	const struct load_hooks none = { 0 };
	struct load *load;
	int err = load_open(config, &none, result, why, &load);

	if (err)
		return err;
	err = load_start(load, why);
	load_close(load);
	return err;
}

void run_outcome_free(struct run_outcome *outcome)
{
	attribution_free(&outcome->attribution);
	load_result_free(&outcome->load);
	nvme_rows_free(&outcome->nvme);
	trace_snapshot_free(&outcome->requests);
	io_log_close(outcome->io_log);
}
