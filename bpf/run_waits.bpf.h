/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What a bio of ours waits for between queued and allocated, where functions can
 * be hooked. In: the entries of functions that its submitter passes in a fixed
 * order: [__bio_queue_enter if the queue is frozen,] [__rq_qos_throttle if it
 * has an rq_qos,] [blk_mq_get_tag if no request is at hand,] block_getrq. Out:
 * when each was entered. A wait lasts until the next one is: no exit is hooked,
 * as a task may sleep inside for long.
 *
 * Who waits for a tag is known by its task only: it is inside blk_mq_submit_bio
 * with one bio at a time, a submitter as well as an io-wq worker.
 */
#ifndef IOSTRATA_RUN_WAITS_BPF_H
#define IOSTRATA_RUN_WAITS_BPF_H

#include "access.bpf.h"
#include "bio.bpf.h"

enum { SUBMITTERS = 4096 };

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, SUBMITTERS);
	__type(key, u64);   /* bpf_get_current_pid_tgid() */
	__type(value, u64); /* key of the bio it submits */
} submitters SEC(".maps");

/* A bio of ours queued and without a request; most of them are strangers'. */
static __always_inline struct bio_flight *waiting_bio(u64 key)
{
	struct bio_flight *flight = *(volatile u64 *)&waiting.now ? bio_find(key) : 0;

	return flight && is_queued(flight) && !flight->stamp[IOSTRATA_ALLOCATED] ? flight : 0;
}

static __always_inline void wait_begins(struct bio_flight *flight, enum bio_wait wait)
{
	if (!flight->wait_from[wait])
		flight->wait_from[wait] = bpf_ktime_get_ns();
}

static __always_inline int submit_entered(u64 number)
{
	u64 task = bpf_get_current_pid_tgid(), key = number_key((void *)number);
	struct bio_flight *flight = waiting_bio(key);

	if (!flight)
		return 0;
	/* Without room its wait for a tag stays in the rest of `tag`. */
	if (!bpf_map_update_elem(&submitters, &task, &key, BPF_ANY))
		flight->submitter = task;
	return 0;
}

static __always_inline int freeze_entered(u64 number)
{
	struct bio_flight *flight = waiting_bio(number_key((void *)number));

	if (flight)
		wait_begins(flight, WAIT_FROZEN);
	return 0;
}

static __always_inline int qos_entered(u64 number)
{
	struct bio_flight *flight = waiting_bio(number_key((void *)number));

	if (flight)
		wait_begins(flight, WAIT_QOS);
	return 0;
}

/* The task may take tags for other requests too: its last bio must be its own
 * still, and without one.
 */
static __always_inline int tag_entered(u64 number)
{
	u64 task = bpf_get_current_pid_tgid(), *key;
	struct bio_flight *flight;

	(void)number;
	if (!*(volatile u64 *)&waiting.now)
		return 0;
	key = bpf_map_lookup_elem(&submitters, &task);
	flight = key ? waiting_bio(*key) : 0;
	if (flight && flight->submitter == task)
		wait_begins(flight, WAIT_TAG);
	return 0;
}

HOOK_FUNCTION(blk_mq_submit_bio, 0, submit_entered)
HOOK_FUNCTION(__bio_queue_enter, 1, freeze_entered)
HOOK_FUNCTION(__rq_qos_throttle, 1, qos_entered)
HOOK_FUNCTION(blk_mq_get_tag, 0, tag_entered)

#endif
