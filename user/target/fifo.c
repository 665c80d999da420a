// SPDX-License-Identifier: GPL-2.0-only
// In: arrivals and stalls. Out: turns. See fifo.h.
#include "target/fifo.h"

#include <errno.h>
#include <string.h>

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

struct fifo_turn fifo_turn(const struct fifo *fifo, uint64_t arrived_ns, uint64_t service_ns)
{
	struct fifo_turn turn = { .start_ns = later(arrived_ns, fifo->free_ns) };

	turn.due_ns = turn.start_ns + service_ns;
	for (unsigned int i = 0; i < fifo->stall_count; i++) {
		const struct fifo_stall *stall = &fifo->stalls[i];

		if (stall->until_ns <= turn.start_ns)
			continue;
		if (stall->from_ns <= turn.start_ns) {
			turn.start_ns = stall->until_ns;
			turn.due_ns = turn.start_ns + service_ns;
		} else if (stall->from_ns < turn.due_ns) {
			turn.due_ns += stall->until_ns - stall->from_ns;
		}
	}
	return turn;
}

static void forget(struct fifo *fifo, unsigned int at)
{
	fifo->stall_count--;
	memmove(&fifo->stalls[at], &fifo->stalls[at + 1],
		(fifo->stall_count - at) * sizeof(fifo->stalls[0]));
}

void fifo_take(struct fifo *fifo, const struct fifo_turn *turn)
{
	fifo->free_ns = later(fifo->free_ns, turn->due_ns);
	while (fifo->stall_count && fifo->stalls[0].until_ns <= fifo->free_ns)
		forget(fifo, 0);
}

int fifo_add_stall(struct fifo *fifo, uint64_t from_ns, uint64_t length_ns)
{
	struct fifo_stall stall = { .from_ns = from_ns };
	unsigned int at = 0;

	if (__builtin_add_overflow(from_ns, length_ns, &stall.until_ns))
		return -ERANGE;
	while (at < fifo->stall_count && fifo->stalls[at].until_ns < stall.from_ns)
		at++;
	while (at < fifo->stall_count && fifo->stalls[at].from_ns <= stall.until_ns) {
		if (fifo->stalls[at].from_ns < stall.from_ns)
			stall.from_ns = fifo->stalls[at].from_ns;
		stall.until_ns = later(stall.until_ns, fifo->stalls[at].until_ns);
		forget(fifo, at);
	}
	if (fifo->stall_count == FIFO_STALLS_MAX)
		return -ENOSPC;
	memmove(&fifo->stalls[at + 1], &fifo->stalls[at],
		(fifo->stall_count - at) * sizeof(stall));
	fifo->stalls[at] = stall;
	fifo->stall_count++;
	return 0;
}

void fifo_cancel_stalls(struct fifo *fifo, uint64_t now_ns)
{
	while (fifo->stall_count && fifo->stalls[fifo->stall_count - 1].from_ns > now_ns)
		fifo->stall_count--;
}
