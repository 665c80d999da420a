#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10-cloud,6.1-cloud,6.12-cloud,new-cloud clock=counted time=300
# C7: one tag, 2 ms, 16 writers: 15 services are waited for the tag; with a
# scheduler that takes 64 the same wait is in `scheduler`. C9: discards are rows
# of their own, and what reads take longer beside them is the wait for the tag.
. /case/lib.sh
. /case/lib-known.sh

disk=$(null_blk two irqmode=2 completion_nsec=2000000 submit_queues=1 hw_queue_depth=1 queue_mode=2 size=64) ||
	skip "this kernel has no null_blk"
# 15 wait all the time, but for the end, when nobody comes after: of n I/Os, each
# of duration/n, the mean wait is (15 n - 120) / n times that.
full() { json "$1" '(.load.duration_ns / 320 * (15 * 320 - 120) / 320) | floor'; }
writers() { # FILE
	ran 0 "$1" --arrival closed --clients 16 --requests 320 --rw randwrite --write --destroy-data "/dev/$disk" "/dev/$disk"
	equal "completed" "$(json "$1" .load.counts.completed)" 320
	within "device, p50" "$(layer "$1" device p50_ns)" 2000000 2030000
	within "device, max" "$(layer "$1" device max_ns)" 2000000 2030000
	within "a full queue's wait, mean" "$(full "$1")" 29000000 30500000
}
mean_of() { awk '{ s += $1 } END { printf "%d\n", s / NR }'; }

echo "== one tag"
tag=$results/tag
writers "$tag.json"
wait_ns=$(spans "$tag.csv" entered allocated | mean_of)
within "entered to allocated, mean / a full queue's" "$(awk "BEGIN { print $wait_ns / $(full "$tag.json") }")" 0.99 1.01
within "tag: max" "$(layer "$tag.json" tag max_ns)" 2000000 1000000000
within "sched: p50" "$(json "$tag.json" '[.layers[] | select(.from == "allocated") | .dist.p50_ns] | max')" 0 20000

echo "== mq-deadline, nr_requests 64"
need mq-deadline
echo mq-deadline >"/sys/block/$disk/queue/scheduler"
echo 64 >"/sys/block/$disk/queue/nr_requests"
# Some kernels keep the old depth for writes (5.10 has no such limit).
for limit in "/sys/block/$disk/queue/"{iosched/,}async_depth; do
	[ ! -w "$limit" ] || echo 64 >"$limit"
done
sched=$results/sched
writers "$sched.json"
wait_ns=$(spans "$sched.csv" allocated issued | mean_of)
within "allocated to issued, mean / a full queue's" "$(awk "BEGIN { print $wait_ns / $(full "$sched.json") }")" 0.99 1.01
within "scheduler: share" "$(layer "$sched.json" scheduler share)" 0.9 0.95
within "tag: max" "$(layer "$sched.json" tag max_ns)" 0 50000
equal "verdict" "$(json "$sched.json" .verdict.layer)" scheduler

echo "== discards beside reads"
trim=$(null_blk trim irqmode=2 completion_nsec=1000000 submit_queues=1 hw_queue_depth=1 queue_mode=2 size=64 memory_backed=1 discard=1)
discards() { # 4 at a time, 128 each
	local i
	for i in 0 1 2 3; do
		blkdiscard -f -o $((i * 16777216)) -l 16777216 -p 131072 "/dev/$trim" 2>/dev/null &
	done
	wait
}
alone=$results/alone beside=$results/beside
prefix="chrt -f 50" ran 0 "$alone.json" --rate 200 --requests 40 "/dev/$trim"
equal "alone: discards" "$(op "$alone.json" "$trim" discard .started)" 0
(after_reads "$trim" 20 && discards) &
prefix="chrt -f 50" ran 0 "$beside.json" --rate 200 --requests 400 "/dev/$trim"
status 0 wait $!
equal "discards seen" "$(op "$beside.json" "$trim" discard .completed)" 512
equal "bytes discarded" "$(op "$beside.json" "$trim" discard .bytes)" 67108864
equal "reads seen" "$(op "$beside.json" "$trim" read .completed)" "$(json "$beside.json" .load.counts.completed)"
for file in "$alone" "$beside"; do
	within "device, p50" "$(layer "$file.json" device p50_ns)" 1000000 1030000
	within "device, max" "$(layer "$file.json" device max_ns)" 1000000 1030000
done
# One CPU: the generator goes before blkdiscard.
slow() { # those that took longer than alone: what they waited for the tag, over the excess
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["reaped_ns"] - $at["planned_ns"] > 1500000 { n++; excess += $at["reaped_ns"] - $at["planned_ns"] - 1020000
			waits += $at["allocated_ns"] - $at["entered_ns"] }
		END { if (n < 50) print "only " n + 0; else print waits / excess }' "$1"
}
within "reads beside discards: wait for the tag / excess" "$(slow "$beside.csv")" 0.9 1.1
