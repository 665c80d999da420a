#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=x86 clock=counted time=200
# What `tag` consists of, one cause at a time: a device with one tag, io.cost, a
# frozen queue. The parts sum to the layer, and name the cause.
. /case/lib.sh

# sound FILE · part FILE NAME FIELD
sound() {
	equal "$1: lost or out of order" \
		"$(json "$1" '[.checks | to_entries[] | select(.key | test("violations|mismatch|missing|only")) | .value] | add')" 0
	equal "$1: parts sum to tag" "$(json "$1" '[.layers[] | select(.parts) | ([.parts[].dist.sum_ns] | add) - .dist.sum_ns] | add')" 0
}
part() {
	jq -r --arg name "$2" --arg field "$3" \
		'[.layers[] | .parts // [] | .[] | select(.part == $name) | if .dist | has($field) then .dist[$field] else .[$field] end][0] // 0' "$1"
}

disk=$(null_blk slow irqmode=2 completion_nsec=2000000 queue_mode=2 submit_queues=1 hw_queue_depth=1) ||
	skip "this kernel has no null_blk"

# 16 readers, one tag, 2 ms each: 15 wait for 30 ms. io_uring gives those that
# find no tag to its workers: some of these wait for the tag, the rest for them.
one=$results/one-tag.json
iostrata run --arrival closed --clients 16 --requests 320 -f json -o "$one" "/dev/$disk" || fail "run: status $?"
sound "$one"
equal "completed" "$(json "$one" .load.counts.completed)" 320
within "device: p50 ns" "$(layer "$one" device p50_ns)" 2000000 2100000
within "total: p50 ns" "$(json "$one" .latency.planned_to_reaped.p50_ns)" 31900000 50000000
within "tag wait: p50 ns" "$(part "$one" 'tag wait' p50_ns)" 4000000 31000000
within "tag wait: of tag" "$(jq "$(part "$one" 'tag wait' sum_ns) / $(layer "$one" tag sum_ns)" <<<0)" 0.99 1
within "rest: share" "$(part "$one" rest share)" 0 0.01

# io.cost: 100 reads a second.
dev=$(cat "/sys/block/$disk/dev")
if echo "$dev enable=1 ctrl=user min=100 max=100" >/sys/fs/cgroup/io.cost.qos 2>/dev/null; then
	echo "$dev ctrl=user model=linear rbps=100000000 rseqiops=100 rrandiops=100 wbps=100000000 wseqiops=100 wrandiops=100" \
		>/sys/fs/cgroup/io.cost.model
	cost=$results/io-cost.json
	echo +io >/sys/fs/cgroup/cgroup.subtree_control # nothing in the root group pays
	mkdir -p /sys/fs/cgroup/paid
	(
		echo "$BASHPID" >/sys/fs/cgroup/paid/cgroup.procs
		iostrata run --arrival closed --clients 1 --requests 100 -f json -o "$cost" "/dev/$disk" || fail "run: status $?"
	)
	sound "$cost"
	within "rq_qos: share" "$(part "$cost" rq_qos share)" 0.5 1
	echo "$dev enable=0" >/sys/fs/cgroup/io.cost.qos
fi

# A queue is frozen each time its depth changes, until what is in it is done.
disk=$(null_blk many irqmode=2 completion_nsec=20000000 queue_mode=2 submit_queues=1 hw_queue_depth=64)
cold=$results/frozen.json
iostrata run --arrival closed --clients 8 --requests 1600 -f json -o "$cold" "/dev/$disk" &
run=$!
depth=16
while kill -0 $run 2>/dev/null; do
	depth=$((48 - depth))
	echo $depth >"/sys/block/$disk/queue/nr_requests" || fail "the queue's depth is fixed"
	sleep 0.25
done
wait $run || fail "run: status $?"
sound "$cold"
[ "$(json "$cold" .run.hooks.__bio_queue_enter)" = none ] ||
	within "freeze: count" "$(part "$cold" freeze count)" 1 1600
