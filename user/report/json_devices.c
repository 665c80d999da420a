// SPDX-License-Identifier: GPL-2.0-only
// In: layers, and per-device, per-op kernel histograms. Out: "attribution",
// "layers" and "devices".
#include "report/json_value.h"

static void parts(struct json_object *layer_object, const struct report_layer *layer)
{
	struct json_object *array, *object;

	if (!layer->part_count)
		return;
	array = json_add_array(layer_object, "parts");
	for (unsigned int i = 0; i < layer->part_count; i++) {
		object = json_object_new_object();
		json_add_text(object, "part", layer->parts[i].name);
		json_object_object_add(object, "dist", json_dist(layer->parts[i].dist));
		json_add_number(object, "share", layer->parts[i].share);
		json_add_number(object, "tail_share", layer->parts[i].tail_share);
		json_object_array_add(array, object);
	}
}

static struct json_object *layer(const struct report_layer *layer)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "layer", layer->layer);
	if (layer->from[0])
		json_add_text(object, "from", layer->from);
	if (layer->to[0])
		json_add_text(object, "to", layer->to);
	json_object_object_add(object, "dist", json_dist(layer->dist));
	json_add_number(object, "share", layer->share);
	json_add_number(object, "tail_share", layer->tail_share);
	parts(object, layer);
	return object;
}

void json_layers(struct json_object *root, const struct report *report)
{
	struct json_object *attribution, *array;

	if (!report->layer_count)
		return;
	attribution = json_add_object(root, "attribution");
	json_add_u64(attribution, "attributed", report->attributed);
	json_add_u64(attribution, "tail_count", report->tail_count);
	json_add_u64(attribution, "tail_from_ns", report->tail_from_ns);
	array = json_add_array(root, "layers");
	for (unsigned int i = 0; i < report->layer_count; i++)
		json_object_array_add(array, layer(&report->layers[i]));
}

/* Unknown ones are null, never 0: an idle device has 0. */
static void mean_and_max(struct json_object *depth, const char *key, double mean, uint64_t max)
{
	struct json_object *object = json_add_object(depth, key);

	json_add_measured(object, "mean", mean);
	json_add_known(object, "max", max);
}

/* Three different quantities, never one word for them. */
static void depth(struct json_object *device, const struct report_depth *depth)
{
	struct json_object *object = json_add_object(device, "depth");

	json_add_known(object, "capacity", depth->capacity);
	mean_and_max(object, "in_flight", depth->in_flight_mean, depth->in_flight_max);
	mean_and_max(object, "waiting", depth->waiting_mean, depth->waiting_max);
}

static struct json_object *op(const struct report_op *op)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "op", op->op);
	json_add_u64(object, "started", op->started);
	json_add_u64(object, "completed", op->completed);
	json_add_u64(object, "bytes", op->bytes);
	json_add_u64(object, "errors", op->errors);
	json_add_u64(object, "queue_unknown", op->queue_unknown);
	if (op->queue)
		json_object_object_add(object, "queue", json_hist(op->queue));
	if (op->service)
		json_object_object_add(object, "service", json_hist(op->service));
	return object;
}

/* The lower devices of a stack; their I/O is never added to this one's. */
static void children(struct json_object *object, const struct report_device *device)
{
	struct json_object *array;

	if (!device->child_count)
		return;
	array = json_add_array(object, "children");
	for (unsigned int i = 0; i < device->child_count; i++)
		json_object_array_add(array, json_text(device->children[i]));
}

static struct json_object *device(const struct report_device *device)
{
	struct json_object *object = json_object_new_object(), *ops;
	char dev[24];

	snprintf(dev, sizeof(dev), "%u:%u", device->state.major, device->state.minor);
	json_add_text(object, "name", device->state.name);
	json_add_text(object, "dev", dev);
	children(object, device);
	if (device->parent)
		json_add_text(object, "parent", device->parent);
	depth(object, &device->depth);
	ops = json_add_array(object, "ops");
	for (unsigned int i = 0; i < device->op_count; i++)
		json_object_array_add(ops, op(&device->ops[i]));
	json_nvme(object, device->nvme);
	json_device_state(object, "state", &device->state);
	return object;
}

void json_devices(struct json_object *root, const struct report *report)
{
	struct json_object *array;

	if (!report->device_count)
		return;
	array = json_add_array(root, "devices");
	for (unsigned int i = 0; i < report->device_count; i++)
		json_object_array_add(array, device(&report->devices[i]));
}
