#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10-cloud,6.1-cloud,6.12-cloud,new-cloud clock=counted time=240
# C6 and the known delays: a device whose service takes 1 ms (5 ms) by a timer:
# that is what stands in `device`, to some microseconds, and nothing elsewhere;
# with one tag, of eight that come at once the last one waits seven services.
. /case/lib.sh
. /case/lib-known.sh

one=$(null_blk one irqmode=2 completion_nsec=1000000 submit_queues=1 hw_queue_depth=64 queue_mode=2) ||
	skip "this kernel has no null_blk"
tag=$(null_blk tag irqmode=2 completion_nsec=1000000 submit_queues=1 hw_queue_depth=1 queue_mode=2)
five=$(null_blk five irqmode=2 completion_nsec=5000000 submit_queues=1 hw_queue_depth=64 queue_mode=2)

# known FILE DISK NS: FILE's run on DISK, whose service takes NS.
known() {
	local other
	equal "completed" "$(json "$1" .load.counts.completed)" 100
	within "device, p50" "$(layer "$1" device p50_ns)" "$3" $(($3 + 30000))
	within "device, max" "$(layer "$1" device max_ns)" "$3" $(($3 + 30000))
	within "share of device" "$(layer "$1" device share)" 0.95 1
	equal "verdict" "$(json "$1" .verdict.layer)" device
	read -r longest other < <(longest_but "$1" device)
	within "longest in any other layer ($other)" "$longest" 0 50000
	# The same requests, by programs of their own.
	within "device, sum of layer - of requests" \
		$(($(layer "$1" device sum_ns) / 100 - $(mean "$1" "$2" read service))) -2000 2000
	equal "requests seen" "$(op "$1" "$2" read .completed)" 100
	equal "requests without a queue time" "$(op "$1" "$2" read .queue_unknown)" 0
	within "queue time, mean" "$(mean "$1" "$2" read queue)" 1 20000
}

echo "null_blk, 1 ms"
ran 0 "$results/one.json" --arrival closed --requests 100 "/dev/$one"
known "$results/one.json" "$one" 1000000

echo "null_blk, 5 ms"
ran 0 "$results/five.json" --arrival closed --requests 100 "/dev/$five"
known "$results/five.json" "$five" 5000000

echo "null_blk, 1 ms, one tag, 8 at once"
ran 0 "$results/tag.json" --rate 1m --requests 8 "/dev/$tag"
within "device, max" "$(layer "$results/tag.json" device max_ns)" 1000000 1030000
# Planned 1 us apart. io_uring's first try is refused, a worker waits. Each
# service is followed by a hand-over of some microseconds: 20 at most.
waited=($(spans "$results/tag.csv" planned allocated))
equal "I/Os" ${#waited[@]} 8
for i in 0 1 2 3 4 5 6 7; do
	within "the one behind $i others, planned to allocated" "${waited[$i]}" $((i * 999000)) $((i * 1020000 + 50000))
done

echo "scsi_debug, 1 ms"
disk=$(scsi_debug ndelay=1000000 max_queue=1 dev_size_mb=32) || fail "no scsi_debug"
ran 0 "$results/scsi.json" --arrival closed --requests 100 "/dev/$disk"
known "$results/scsi.json" "$disk" 1000000
