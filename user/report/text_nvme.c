// SPDX-License-Identifier: GPL-2.0-only
// In: a device's NVMe part. Out: its layers, its queues and opcodes, and what
// happened: statuses, retries, events.
#include "report/text_out.h"

#include <string.h>

enum { QUEUES_SHOWN = 16, LAYER_NAME = 14, QUEUE_NAME = 22, COUNT = 7 };

static void place(struct text *text, const struct report_device *device)
{
	const struct report_nvme *nvme = device->nvme;
	bool fabric = nvme->transport[0] && strcmp(nvme->transport, "pcie");

	text_begin(text, "  NVMe", TEXT_LABEL);
	if (nvme->controller[0])
		text_phrase(text, "controller %s,", nvme->controller);
	text_phrase(text, "transport %s%s", nvme->transport[0] ? nvme->transport : "unknown",
		    device->parent || fabric ? "," : "");
	if (device->parent)
		text_phrase(text, "a path of %s%s", device->parent, fabric ? "," : "");
	if (fabric)
		text_phrase(text, "device includes the fabric (%s) and its target", nvme->transport);
	text_end(text);
}

static void layer_row(struct text *text, const struct text_table *table,
		      const struct report_nvme_layer *layer)
{
	char name[32];
	struct text_row row = { .name = name, .summary = hist_summarize(&layer->hist) };

	snprintf(name, sizeof(name), "    %s", layer->layer);
	text_table_row(text, table, &row);
}

/* "allocated -sched-> prepared -driver-> …": the main way only. */
static void life(struct text *text, const struct report_nvme *nvme)
{
	const char *at = NULL;

	text_tone(text, TONE_QUIET);
	text_begin(text, "", 4);
	for (unsigned int i = 0; i < nvme->layer_count; i++) {
		const struct report_nvme_layer *layer = &nvme->layers[i];

		if (!at || strcmp(at, layer->from))
			text_phrase(text, "%s%s", at ? "and " : "", layer->from);
		text_phrase(text, text->style->unicode ? "\342\224\200%s\342\206\222 %s" : "-%s-> %s",
			    layer->layer, layer->to);
		at = layer->to;
	}
	text_end(text);
	text_tone(text, TONE_PLAIN);
}

static void layers(struct text *text, const struct report_nvme *nvme)
{
	struct text_table table = { .name_width = LAYER_NAME, .count_width = COUNT };
	struct text_row total = { .name = "    total", .summary = hist_summarize(&nvme->total) };

	if (!nvme->total.count)
		return;
	text_table_head(text, &table, "    layer");
	for (unsigned int i = 0; i < nvme->layer_count; i++)
		layer_row(text, &table, &nvme->layers[i]);
	text_table_row(text, &table, &total);
	life(text, nvme);
	if (nvme->unattributed) {
		text_begin(text, "", 4);
		text_tone(text, TONE_BAD);
		text_phrase(text, "unattributed: %s of %s, their stamps are out of order",
			    text_duration(text, nvme->unattributed_ns).text,
			    text_plural(nvme->unattributed, "request", "requests").text);
		text_end(text);
	}
}

static void queue_row(struct text *text, const struct text_table *table,
		      const struct report_nvme_queue *queue)
{
	char name[128], number[16] = "other";
	struct text_row row = { .name = name, .summary = hist_summarize(&queue->device) };

	if (queue->queue != UINT32_MAX)
		snprintf(number, sizeof(number), "%u", queue->queue);
	snprintf(name, sizeof(name), "    %-4s %s%s%s%s", number, queue->opcode,
		 !strcmp(queue->class, "passthrough") ? " (passthrough)" : "",
		 queue->polled ? " (polled)" : "", queue->errors ? " (errors)" : "");
	text_table_row(text, table, &row);
}

/* The busiest; JSON has all. */
static void queues(struct text *text, const struct report_nvme *nvme)
{
	struct text_table table = { .name_width = QUEUE_NAME, .count_width = COUNT };
	unsigned int shown = nvme->queue_count < QUEUES_SHOWN ? nvme->queue_count : QUEUES_SHOWN;

	if (!shown)
		return;
	text_table_head(text, &table, "    queue, opcode");
	for (unsigned int i = 0; i < shown; i++)
		queue_row(text, &table, &nvme->queues[i]);
	if (shown == nvme->queue_count)
		return;
	text_begin(text, "", 4);
	text_phrase(text, "and %s, see -f json",
		    text_plural(nvme->queue_count - shown, "more row", "more rows").text);
	text_end(text);
}

static void statuses(struct text *text, const struct report_nvme *nvme)
{
	if (nvme->status_is_known && !nvme->status_count)
		return;
	text_begin(text, "  Status", TEXT_LABEL);
	if (!nvme->status_is_known)
		text_sentence(text, "not known: this kernel has no BTF of the NVMe driver "
				    "(errors are the block layer's)");
	for (unsigned int i = 0; i < nvme->status_count; i++) {
		const struct report_nvme_status *status = &nvme->statuses[i];

		text_phrase(text, "%s %s (%u:%02xh)%s", format_count(status->count).text,
			    status->name, status->type, status->code,
			    i + 1 < nvme->status_count ? "," : "");
	}
	text_end(text);
}

static void counts(struct text *text, const struct report_nvme *nvme)
{
	for (unsigned int i = 0; i < nvme->count_count; i++) {
		if (!nvme->counts[i].count)
			continue;
		text_begin(text, "", TEXT_LABEL);
		text_phrase(text, "%s %s:", format_count(nvme->counts[i].count).text,
			    nvme->counts[i].name);
		text_words(text, nvme->counts[i].meaning);
		text_end(text);
	}
}

static void events(struct text *text, const struct report_nvme *nvme)
{
	if (!nvme->event_count)
		return;
	text_begin(text, "  Events", TEXT_LABEL);
	for (unsigned int i = 0; i < nvme->event_count; i++)
		text_phrase(text, "%s %s%s", format_count(nvme->events[i].count).text,
			    nvme->events[i].name, i + 1 < nvme->event_count ? "," : "");
	text_end(text);
}

void text_nvme(struct text *text, const struct report_device *device)
{
	if (!device->nvme)
		return;
	place(text, device);
	layers(text, device->nvme);
	queues(text, device->nvme);
	statuses(text, device->nvme);
	counts(text, device->nvme);
	events(text, device->nvme);
}
