/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The fixed trace of test_report_trace.h, its disk as an NVMe one: a path of a
 * multipath device, and its controller's admin queue.
 */
#ifndef TEST_REPORT_NVME_H
#define TEST_REPORT_NVME_H

#include "test_report_trace.h"

enum { FIX_NVME_QUEUES = 19 };

struct nvme_fixture {
	struct report_nvme path, admin;
	struct report_nvme_queue queues[FIX_NVME_QUEUES], admin_queue;
	struct report_nvme_status statuses[2];
};

static inline void fix_nvme_layer(struct report_nvme *nvme, const char *layer, const char *from,
				  const char *to, unsigned int count, uint64_t ns)
{
	struct report_nvme_layer *row = &nvme->layers[nvme->layer_count++];

	*row = (struct report_nvme_layer){ .layer = layer, .from = from, .to = to };
	hist_init(&row->hist, 3);
	fix_spread(&row->hist, count, ns);
	nvme->total.sum += row->hist.sum;
}

static inline void fix_nvme_queue(struct report_nvme_queue *queue, uint32_t number,
				  const char *class, const char *opcode, unsigned int count)
{
	*queue = (struct report_nvme_queue){ .queue = number, .class = class, .completed = count };
	snprintf(queue->opcode, sizeof(queue->opcode), "%s", opcode);
	hist_init(&queue->device, 3);
	fix_spread(&queue->device, count, 80000);
}

static inline void fix_nvme_path(struct nvme_fixture *n)
{
	static const struct report_nvme_count counts[] = {
		{ "retries", 2, "commands the driver sent again" },
		{ "timed_out", 0, "commands ended by the timeout handler" },
		{ "aborts", 0, "commands the driver asked the controller to abort" },
		{ "answered_before_issued", 1, "stamps out of order" },
	};
	struct report_nvme *nvme = &n->path;

	*nvme = (struct report_nvme){ .controller = "nvme1", .transport = "tcp",
				      .status_is_known = true, .queues = n->queues,
				      .queue_count = FIX_NVME_QUEUES, .statuses = n->statuses,
				      .status_count = 2 };
	hist_init(&nvme->total, 3);
	fix_spread(&nvme->total, 1901, 90000);
	nvme->total.sum = 0;
	fix_nvme_layer(nvme, "sched", "allocated", "prepared", 1900, 2000);
	fix_nvme_layer(nvme, "driver", "prepared", "first_issued", 1900, 900);
	fix_nvme_layer(nvme, "requeue", "first_issued", "issued", 2, 5000000);
	fix_nvme_layer(nvme, "device", "issued", "answered", 1890, 80000);
	fix_nvme_layer(nvme, "irq", "answered", "driver_done", 1890, 1500);
	fix_nvme_layer(nvme, "device+irq", "issued", "driver_done", 10, 90000);
	fix_nvme_layer(nvme, "complete", "driver_done", "completed", 1900, 400);
	nvme->unattributed = 1;
	nvme->unattributed_ns = 91000;
	nvme->total.sum += 91000;
	for (unsigned int i = 0; i + 1 < FIX_NVME_QUEUES; i++)
		fix_nvme_queue(&n->queues[i], i / 2 + 1, "io", i % 2 ? "write" : "read", 100);
	fix_nvme_queue(&n->queues[FIX_NVME_QUEUES - 1], UINT32_MAX, "passthrough", "opcode 0xc1", 101);
	n->queues[3].errors = 2;
	n->queues[2].polled = true;
	n->statuses[0] = (struct report_nvme_status){ 2, 0x81, "unrecovered read error", 2 };
	n->statuses[1] = (struct report_nvme_status){ 0, 0x22, "transient transport error", 1 };
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		nvme->counts[nvme->count_count++] = counts[i];
}

static inline void fix_nvme_admin(struct nvme_fixture *n)
{
	struct report_nvme *nvme = &n->admin;

	*nvme = (struct report_nvme){ .controller = "nvme1", .transport = "tcp",
				      .queues = &n->admin_queue, .queue_count = 1,
				      .events = { { "namespace changed", 1 }, { "ana change", 2 } },
				      .event_count = 2 };
	hist_init(&nvme->total, 3);
	fix_nvme_layer(nvme, "driver", "prepared", "issued", 3, 900);
	fix_nvme_layer(nvme, "device+irq", "issued", "driver_done", 3, 90000);
	fix_nvme_layer(nvme, "complete", "driver_done", "completed", 3, 400);
	nvme->total.sum = 0;
	fix_spread(&nvme->total, 3, 93000);
	nvme->total.sum = nvme->layers[0].hist.sum + nvme->layers[1].hist.sum + nvme->layers[2].hist.sum;
	fix_nvme_queue(&n->admin_queue, 0, "admin", "identify", 3);
}

static inline void fix_nvme(struct fixture *f, struct nvme_fixture *n)
{
	fix_trace(f);
	fix_nvme_path(n);
	fix_nvme_admin(n);
	snprintf(f->devices[0].state.name, sizeof(f->devices[0].state.name), "nvme0c1n1");
	f->devices[0].parent = "nvme0n1";
	f->devices[0].nvme = &n->path;
	f->devices[1].children = NULL;
	f->devices[1].child_count = 0;
	f->devices[1].state = (struct device_state){ .name = "nvme1" };
	snprintf(f->ops[1][0].op, sizeof(f->ops[1][0].op), "driver in");
	f->devices[1].nvme = &n->admin;
}

static inline void fix_nvme_free(struct nvme_fixture *n)
{
	struct report_nvme *both[] = { &n->path, &n->admin };

	for (int i = 0; i < 2; i++) {
		hist_free(&both[i]->total);
		for (unsigned int j = 0; j < both[i]->layer_count; j++)
			hist_free(&both[i]->layers[j].hist);
	}
	for (int i = 0; i < FIX_NVME_QUEUES; i++)
		hist_free(&n->queues[i].device);
	hist_free(&n->admin_queue.device);
}

#endif
