// SPDX-License-Identifier: GPL-2.0-only
// In: a FIFO of requests. Out: answers, each at its absolute deadline.
#include "target/serve.h"

#define FUSE_USE_VERSION 314
#include <errno.h>
#include <fuse_lowlevel.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "target/fifo.h"

/* A sleeping thread wakes tens of microseconds late in a virtual machine: the
 * last stretch before a deadline is spun.
 */
enum { SPIN_NS = 80000 };

struct request {
	struct request *next;
	fuse_req_t fuse;
	uint64_t service_ns;
	struct target_record record;
};

struct serve {
	const struct target_config *config;
	const struct store *store;
	struct target_account *account;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* work for an idle server, a stall, the end */
	struct request *head, **tail;
	struct fifo fifo;
	bool idle, draining, stopping;
	uint32_t arming;	/* 0: not armed yet */
	uint64_t unarmed;	/* requests before the first arming */
	uint64_t arrived, rw;	/* since the last arming: all; reads and writes */
	uint64_t queued, queued_max, served;
};

struct serve *serve_new(const struct target_config *config, const struct store *store,
			struct target_account *account)
{
	struct serve *serve = calloc(1, sizeof(*serve));

	if (!serve)
		return NULL;
	serve->config = config;
	serve->store = store;
	serve->account = account;
	serve->tail = &serve->head;
	pthread_mutex_init(&serve->lock, NULL);
	pthread_cond_init(&serve->changed, NULL);
	return serve;
}

static bool is_rw(enum target_op op)
{
	return op == TARGET_READ || op == TARGET_WRITE;
}

/* Numbers the request and sets its service time; both count from arming. */
static void admit(struct serve *serve, struct request *request)
{
	const struct target_config *config = serve->config;
	struct target_record *record = &request->record;

	request->service_ns = record->op == TARGET_FLUSH ? config->flush_ns : config->service_ns;
	if (!serve->arming) {
		serve->unarmed++;
		return;
	}
	record->arming = serve->arming;
	record->index = serve->arrived++;
	if (is_rw(record->op) && ++serve->rw == config->pause_at_request)
		request->service_ns += config->pause_ns;
}

void serve_submit(struct serve *serve, fuse_req_t fuse, enum target_op op, uint64_t offset,
		  uint64_t length, uint64_t arrived_ns)
{
	struct request *request = malloc(sizeof(*request));

	if (!request) {
		fuse_reply_err(fuse, ENOMEM);
		return;
	}
	*request = (struct request){ .fuse = fuse,
				     .record = { .op = op,
						 .offset_bytes = offset,
						 .length_bytes = length,
						 .arrived_ns = arrived_ns } };
	pthread_mutex_lock(&serve->lock);
	admit(serve, request);
	*serve->tail = request;
	serve->tail = &request->next;
	if (++serve->queued > serve->queued_max)
		serve->queued_max = serve->queued;
	if (serve->idle)
		pthread_cond_signal(&serve->changed);
	pthread_mutex_unlock(&serve->lock);
}

static int arm(struct serve *serve, uint64_t now)
{
	const struct target_config *config = serve->config;

	serve->arming++;
	serve->arrived = 0;
	serve->rw = 0;
	serve->queued_max = serve->queued;
	if (!config->pause_at_time)
		return 0;
	return fifo_add_stall(&serve->fifo, now + config->pause_at_ns, config->pause_ns);
}

static int pause_for(struct serve *serve, const struct order *order, uint64_t now)
{
	uint64_t length_ns = order->has_duration ? order->duration_ns : serve->config->pause_ns;

	return length_ns ? fifo_add_stall(&serve->fifo, now, length_ns) : -EINVAL;
}

int serve_order(struct serve *serve, const struct order *order)
{
	uint64_t now = clock_monotonic_ns();
	int err = 0;

	pthread_mutex_lock(&serve->lock);
	if (order->kind == ORDER_ARM)
		err = arm(serve, now);
	else if (order->kind == ORDER_PAUSE)
		err = pause_for(serve, order, now);
	else
		serve->draining = true;
	pthread_cond_signal(&serve->changed);
	pthread_mutex_unlock(&serve->lock);
	return err;
}

size_t serve_describe(struct serve *serve, char *text, size_t size)
{
	const struct target_config *config = serve->config;
	uint64_t records = serve->account ? account_count(serve->account) : 0;
	int length;

	pthread_mutex_lock(&serve->lock);
	length = snprintf(text, size,
			  "armed=%" PRIu32 "\nrequests_unarmed=%" PRIu64 "\nrequests=%" PRIu64
			  "\nreads_writes=%" PRIu64 "\nqueued=%" PRIu64 "\nqueued_max=%" PRIu64
			  "\nserved=%" PRIu64 "\nservice_ns=%" PRIu64 "\nflush_ns=%" PRIu64
			  "\npause_ns=%" PRIu64 "\nstalls=%u\ndraining=%d\naccount_records=%" PRIu64
			  "\naccount_dropped=%" PRIu64 "\n",
			  serve->arming, serve->unarmed, serve->arrived, serve->rw, serve->queued,
			  serve->queued_max, serve->served, config->service_ns, config->flush_ns,
			  config->pause_ns, serve->fifo.stall_count, serve->draining, records,
			  serve->account ? serve->account->dropped : 0);
	pthread_mutex_unlock(&serve->lock);
	return (size_t)length < size ? (size_t)length : size - 1;
}

/* The head of the queue, waiting for one; NULL at the end. Locked. */
static struct request *next_request(struct serve *serve)
{
	while (!serve->head && !serve->stopping) {
		serve->idle = true;
		pthread_cond_wait(&serve->changed, &serve->lock);
		serve->idle = false;
	}
	return serve->stopping ? NULL : serve->head;
}

static void spin_until(uint64_t due_ns)
{
	while (clock_monotonic_ns() < due_ns)
		__asm__ volatile("" ::: "memory");
}

/* Sleeps until just before the request's turn is over. A stall or an order
 * that comes meanwhile is taken into account. Locked, but for the sleep.
 */
static struct fifo_turn await_turn(struct serve *serve, const struct request *request)
{
	struct fifo_turn turn;
	struct timespec until;
	uint64_t wake_ns;

	for (;;) {
		turn = fifo_turn(&serve->fifo, request->record.arrived_ns, request->service_ns);
		wake_ns = turn.due_ns - SPIN_NS;
		if (serve->stopping || serve->draining || clock_monotonic_ns() >= wake_ns)
			return turn;
		until.tv_sec = (time_t)(wake_ns / NS_PER_S);
		until.tv_nsec = (long)(wake_ns % NS_PER_S);
		pthread_cond_clockwait(&serve->changed, &serve->lock, CLOCK_MONOTONIC, &until);
	}
}

static void answer(const struct serve *serve, const struct request *request)
{
	const struct target_record *record = &request->record;

	if (record->op == TARGET_READ)
		fuse_reply_buf(request->fuse,
			       store_at(serve->store, record->offset_bytes, record->length_bytes),
			       record->length_bytes);
	else if (record->op == TARGET_WRITE)
		fuse_reply_write(request->fuse, record->length_bytes);
	else
		fuse_reply_err(request->fuse, 0);
}

/* Serves the head. Locked, but while it waits and answers. */
static void serve_one(struct serve *serve, struct request *request)
{
	struct target_record *record = &request->record;
	struct fifo_turn turn = await_turn(serve, request);
	bool at_once = serve->draining || serve->stopping;

	serve->head = request->next;
	if (!serve->head)
		serve->tail = &serve->head;
	if (!at_once)
		fifo_take(&serve->fifo, &turn);
	pthread_mutex_unlock(&serve->lock);
	if (!at_once)
		spin_until(turn.due_ns);
	record->start_ns = turn.start_ns;
	record->due_ns = turn.due_ns;
	record->completed_ns = clock_monotonic_ns();
	answer(serve, request);
	/* What is served at once, while taking down, was not served by the rules. */
	if (serve->account && record->arming && !at_once)
		account_add(serve->account, record);
	free(request);
	pthread_mutex_lock(&serve->lock);
	serve->queued--;
	serve->served++;
}

void *serve_run(void *argument)
{
	struct serve *serve = argument;
	struct request *request;

	pthread_mutex_lock(&serve->lock);
	while ((request = next_request(serve)))
		serve_one(serve, request);
	pthread_mutex_unlock(&serve->lock);
	return NULL;
}

void serve_stop(struct serve *serve)
{
	pthread_mutex_lock(&serve->lock);
	serve->stopping = true;
	pthread_cond_signal(&serve->changed);
	pthread_mutex_unlock(&serve->lock);
}
