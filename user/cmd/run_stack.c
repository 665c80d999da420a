// SPDX-License-Identifier: GPL-2.0-only
// In: rows of traced devices, a target and its stack. Out: those of the stack,
// in its order, with who lies on whom.
#include "cmd/run_stack.h"

#include <string.h>

#include "probe/devno.h"

unsigned int run_stack_devices(const struct device_state *target, const struct device_stack *stack,
			       uint32_t *devs)
{
	unsigned int count = 0;

	if (stack->has_paths)
		return 0;
	devs[count++] = devno_kernel(target->major, target->minor);
	for (unsigned int i = 0; i < stack->count; i++)
		devs[count++] = devno_kernel(stack->below[i].major, stack->below[i].minor);
	return count;
}

static const struct device_below *find(const struct device_stack *stack, const char *name)
{
	for (unsigned int i = 0; i < stack->count; i++)
		if (!strcmp(stack->below[i].name, name))
			return &stack->below[i];
	return NULL;
}

/* A path of a multipath device knows its parent by its name already. */
static const char *above(const struct report_device *row, const struct device_stack *stack)
{
	const struct device_below *below = find(stack, row->state.name);

	return below ? below->above : row->parent;
}

static bool is_in_stack(const struct report_device *row, const struct run_outcome *outcome)
{
	const char *parent = above(row, &outcome->stack);

	return parent && (!strcmp(parent, outcome->device.name) || find(&outcome->stack, parent));
}

/* A bio-based target has no requests, and so no row as yet. */
static struct report_device target_row(const struct run_rows *rows, const struct run_outcome *outcome)
{
	for (unsigned int i = 0; i < rows->trace.device_count; i++)
		if (rows->trace.devices[i].state.major == outcome->device.major &&
		    rows->trace.devices[i].state.minor == outcome->device.minor)
			return rows->trace.devices[i];
	return (struct report_device){
		.state = outcome->device,
		.depth = { .capacity = outcome->device.nr_requests, .in_flight_mean = -1,
			   .waiting_mean = -1, .in_flight_max = UINT64_MAX, .waiting_max = UINT64_MAX },
	};
}

static void name_children(struct run_rows *rows, unsigned int number)
{
	struct report_device *row = &rows->trace.devices[number];

	row->children = &rows->children[rows->child_count];
	row->child_count = 0;
	for (unsigned int i = 0; i < rows->trace.device_count; i++) {
		const struct report_device *other = &rows->trace.devices[i];

		if (!other->parent || strcmp(other->parent, row->state.name) ||
		    rows->child_count == RUN_CHILDREN)
			continue;
		rows->children[rows->child_count++] = other->state.name;
		row->child_count++;
	}
}

void run_stack_rows(struct run_rows *rows, struct report *report, const struct run_outcome *outcome)
{
	struct report_device target = target_row(rows, outcome);
	unsigned int count = 0;

	if (!outcome->stack.count && !outcome->stack.has_paths)
		return; /* nothing but the target was traced */
	for (unsigned int i = 0; i < rows->trace.device_count; i++) {
		struct report_device row = rows->trace.devices[i];

		if (!is_in_stack(&row, outcome) || count == RUN_CHILDREN)
			continue;
		row.parent = above(&row, &outcome->stack);
		rows->stacked[count++] = row;
	}
	rows->trace.devices[0] = target;
	memcpy(&rows->trace.devices[1], rows->stacked, count * sizeof(rows->stacked[0]));
	rows->trace.device_count = report->device_count = 1 + count;
	for (unsigned int i = 0; i <= count; i++)
		name_children(rows, i);
}
