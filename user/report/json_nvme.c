// SPDX-License-Identifier: GPL-2.0-only
// In: a device's NVMe part. Out: "nvme" of the device.
#include "report/json_value.h"

static struct json_object *layer(const struct report_nvme_layer *layer)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "layer", layer->layer);
	json_add_text(object, "from", layer->from);
	json_add_text(object, "to", layer->to);
	json_object_object_add(object, "dist", json_hist(&layer->hist));
	return object;
}

static void layers(struct json_object *object, const struct report_nvme *nvme)
{
	struct json_object *array = json_add_array(object, "layers");

	for (unsigned int i = 0; i < nvme->layer_count; i++)
		json_object_array_add(array, layer(&nvme->layers[i]));
	if (nvme->total.bucket)
		json_object_object_add(object, "total", json_hist(&nvme->total));
	json_add_u64(object, "unattributed", nvme->unattributed);
	json_add_u64(object, "unattributed_ns", nvme->unattributed_ns);
}

/* Queue null: those that had no room for rows of their own. */
static void queues(struct json_object *object, const struct report_nvme *nvme)
{
	struct json_object *array = json_add_array(object, "queues");

	for (unsigned int i = 0; i < nvme->queue_count; i++) {
		const struct report_nvme_queue *queue = &nvme->queues[i];
		struct json_object *row = json_object_new_object();

		json_add_known(row, "queue",
			       queue->queue == UINT32_MAX ? UINT64_MAX : queue->queue);
		json_add_text(row, "class", queue->class);
		json_add_text(row, "opcode", queue->opcode);
		json_add_bool(row, "polled", queue->polled);
		json_add_u64(row, "completed", queue->completed);
		json_add_u64(row, "errors", queue->errors);
		json_object_object_add(row, "device", json_hist(&queue->device));
		json_object_array_add(array, row);
	}
}

/* null: not known on this kernel; [] is none. */
static void statuses(struct json_object *object, const struct report_nvme *nvme)
{
	struct json_object *array;

	if (!nvme->status_is_known) {
		json_object_object_add(object, "statuses", NULL);
		return;
	}
	array = json_add_array(object, "statuses");
	for (unsigned int i = 0; i < nvme->status_count; i++) {
		struct json_object *row = json_object_new_object();

		json_add_u64(row, "type", nvme->statuses[i].type);
		json_add_u64(row, "code", nvme->statuses[i].code);
		json_add_text(row, "name", nvme->statuses[i].name);
		json_add_u64(row, "count", nvme->statuses[i].count);
		json_object_array_add(array, row);
	}
}

static void events(struct json_object *object, const struct report_nvme *nvme)
{
	struct json_object *array = json_add_array(object, "events");

	for (unsigned int i = 0; i < nvme->event_count; i++) {
		struct json_object *row = json_object_new_object();

		json_add_text(row, "name", nvme->events[i].name);
		json_add_u64(row, "count", nvme->events[i].count);
		json_object_array_add(array, row);
	}
}

void json_nvme(struct json_object *device, const struct report_nvme *nvme)
{
	struct json_object *object, *counts;

	if (!nvme)
		return;
	object = json_add_object(device, "nvme");
	json_add_text(object, "controller", nvme->controller);
	json_add_text(object, "transport", nvme->transport);
	layers(object, nvme);
	queues(object, nvme);
	statuses(object, nvme);
	events(object, nvme);
	counts = json_add_object(object, "counts");
	for (unsigned int i = 0; i < nvme->count_count; i++)
		json_add_u64(counts, nvme->counts[i].name, nvme->counts[i].count);
}
