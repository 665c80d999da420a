// SPDX-License-Identifier: GPL-2.0-only
// In: the trace programs' shared memory. Out: snapshots and windows of it.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "kernel/trace_memory.h"
#include "trace.skel.h"

static unsigned int used(uint32_t count, unsigned int max)
{
	return count < max ? count : max;
}

static void add_latency(struct hist *into, const struct iostrata_latency *from)
{
	uint64_t min = ~from->min_inverted_ns;

	for (unsigned int i = 0; i < into->size; i++) {
		into->bucket[i] += from->bucket[i];
		into->count += from->bucket[i];
	}
	into->sum += from->sum_ns;
	if (from->max_ns > into->max)
		into->max = from->max_ns;
	if (min < into->min)
		into->min = min;
}

static void add_cpu(struct trace_series *into, const struct iostrata_series *from)
{
	into->started += from->started;
	into->completed += from->completed;
	into->bytes += from->bytes;
	into->errors += from->errors;
	into->queue_unknown += from->queue_unknown;
	into->queue_inserted += from->queue_inserted;
	into->requeues += from->requeues;
	add_latency(&into->queue, &from->queue);
	add_latency(&into->service, &from->service);
}

static int series_init(struct trace_series *series, uint32_t dev, uint32_t op)
{
	*series = (struct trace_series){ .dev = dev, .op = op };
	if (hist_init(&series->queue, IOSTRATA_KERNEL_SUB_BITS) ||
	    hist_init(&series->service, IOSTRATA_KERNEL_SUB_BITS))
		return -ENOMEM;
	return 0;
}

static int read_series(const struct trace_session *session, struct trace_snapshot *snapshot)
{
	unsigned int count = used(session->skel->bss->series_used, session->series_max);

	snapshot->series = calloc(count + 1, sizeof(*snapshot->series));
	if (!snapshot->series)
		return -ENOMEM;
	for (unsigned int i = 0; i < count; i++) {
		const struct iostrata_series *cpus = &session->series[i * session->cpus];
		struct trace_series *series = &snapshot->series[i];

		snapshot->series_count = i + 1;
		if (series_init(series, session->names[i].dev, session->names[i].op))
			return -ENOMEM;
		for (unsigned int cpu = 0; cpu < session->cpus; cpu++)
			add_cpu(series, &cpus[cpu]);
	}
	return 0;
}

static int read_devices(const struct trace_session *session, struct trace_snapshot *snapshot)
{
	unsigned int count = used(session->skel->bss->devices_used, IOSTRATA_DEVICES_MAX);

	snapshot->devices = calloc(count + 1, sizeof(*snapshot->devices));
	if (!snapshot->devices)
		return -ENOMEM;
	snapshot->device_count = count;
	for (unsigned int i = 0; i < count; i++) {
		const struct iostrata_device *device = &session->devices[i];
		/* In this order the difference is never negative. */
		uint64_t left = __atomic_load_n(&device->left, __ATOMIC_ACQUIRE);
		uint64_t started = __atomic_load_n(&device->started, __ATOMIC_ACQUIRE);

		snapshot->devices[i] = (struct trace_device){
			.dev = device->dev,
			.used = device->used != 0,
			.started = started,
			.in_flight = started - left,
			.in_flight_max = device->in_flight_max,
		};
	}
	return 0;
}

static void add_age(struct trace_snapshot *snapshot, const struct iostrata_flight *flight)
{
	uint64_t key = __atomic_load_n(&flight->key, __ATOMIC_ACQUIRE);
	uint64_t issued_ns = __atomic_load_n(&flight->issued_ns, __ATOMIC_RELAXED);
	uint32_t device = flight->device;

	if (!key || !issued_ns || device >= snapshot->device_count)
		return;
	snapshot->devices[device].tabled++;
	if (issued_ns < snapshot->taken_ns)
		snapshot->devices[device].age_ns += snapshot->taken_ns - issued_ns;
}

static void read_table(const struct trace_session *session, struct trace_snapshot *snapshot)
{
	for (uint32_t set = 0; set < session->table_sets; set++)
		for (int way = 0; way < IOSTRATA_TABLE_WAYS; way++)
			add_age(snapshot, &session->table[set].way[way]);
}

static void read_losses(const struct trace_session *session, struct trace_snapshot *snapshot)
{
	struct session_program programs[SESSION_PROGRAMS_MAX];
	unsigned int count = trace_session_programs(session, programs, 0);

	memcpy(snapshot->losses, session->skel->bss->losses, sizeof(snapshot->losses));
	snapshot->losses[IOSTRATA_LOSS_CONTENDED] = session->skel->bss->atomics_contended;
	snapshot->misses = 0;
	for (unsigned int i = 0; i < count; i++)
		snapshot->misses += programs[i].misses;
}

int trace_session_read(struct trace_session *session, struct trace_snapshot *snapshot)
{
	int err;

	trace_snapshot_free(snapshot);
	snapshot->taken_ns = session->stopped_ns ? session->stopped_ns : clock_monotonic_ns();
	err = read_devices(session, snapshot);
	if (!err)
		err = read_series(session, snapshot);
	if (!err)
		err = nvme_trace_read(&session->nvme, session->skel, &snapshot->nvme);
	if (err) {
		trace_snapshot_free(snapshot);
		return err;
	}
	read_table(session, snapshot);
	read_losses(session, snapshot);
	return 0;
}

void trace_snapshot_free(struct trace_snapshot *snapshot)
{
	for (unsigned int i = 0; i < snapshot->series_count; i++) {
		hist_free(&snapshot->series[i].queue);
		hist_free(&snapshot->series[i].service);
	}
	free(snapshot->series);
	free(snapshot->devices);
	nvme_snapshot_free(&snapshot->nvme);
	*snapshot = (struct trace_snapshot){ 0 };
}

static int window_series(struct trace_series *window, const struct trace_series *later,
			 const struct trace_series *earlier)
{
	int err = series_init(window, later->dev, later->op);

	if (err)
		return err;
	window->started = later->started - earlier->started;
	window->completed = later->completed - earlier->completed;
	window->bytes = later->bytes - earlier->bytes;
	window->errors = later->errors - earlier->errors;
	window->queue_unknown = later->queue_unknown - earlier->queue_unknown;
	window->queue_inserted = later->queue_inserted - earlier->queue_inserted;
	window->requeues = later->requeues - earlier->requeues;
	hist_window(&window->queue, &later->queue, &earlier->queue);
	hist_window(&window->service, &later->service, &earlier->service);
	return 0;
}

/* Series keep their numbers, so `earlier` is a prefix of `later`. */
static int window_all_series(struct trace_snapshot *window, const struct trace_snapshot *later,
			     const struct trace_snapshot *earlier)
{
	struct trace_series nothing = { 0 };
	int err = series_init(&nothing, 0, 0);

	for (unsigned int i = 0; !err && i < later->series_count; i++) {
		window->series_count = i + 1;
		err = window_series(&window->series[i], &later->series[i],
				    i < earlier->series_count ? &earlier->series[i] : &nothing);
	}
	hist_free(&nothing.queue);
	hist_free(&nothing.service);
	return err;
}

/* A maximum that did not move since the earlier snapshot may be older than the
 * window, whose own is then unknown.
 */
static void window_devices(struct trace_snapshot *window, const struct trace_snapshot *later,
			   const struct trace_snapshot *earlier)
{
	for (unsigned int i = 0; i < later->device_count; i++) {
		struct trace_device *device = &window->devices[i];

		*device = later->devices[i];
		if (i >= earlier->device_count)
			continue;
		device->started -= earlier->devices[i].started;
		if (device->in_flight_max == earlier->devices[i].in_flight_max)
			device->in_flight_max = UINT64_MAX;
	}
}

int trace_snapshot_window(struct trace_snapshot *window, const struct trace_snapshot *later,
			  const struct trace_snapshot *earlier)
{
	trace_snapshot_free(window);
	window->series = calloc(later->series_count + 1, sizeof(*window->series));
	window->devices = calloc(later->device_count + 1, sizeof(*window->devices));
	if (!window->series || !window->devices || window_all_series(window, later, earlier) ||
	    nvme_snapshot_window(&window->nvme, &later->nvme, &earlier->nvme)) {
		trace_snapshot_free(window);
		return -ENOMEM;
	}
	window->taken_ns = later->taken_ns;
	window->device_count = later->device_count;
	window_devices(window, later, earlier);
	for (int i = 0; i < IOSTRATA_TRACE_LOSS_COUNT; i++)
		window->losses[i] = later->losses[i] - earlier->losses[i];
	window->misses = later->misses - earlier->misses;
	return 0;
}
