#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10-cloud,6.1-cloud,6.12-cloud,new-cloud clock=counted time=240
# NVMe with an exactly known service: nvmet over a null_blk of 1 ms, by loop
# (from 6.12) and tcp. `device` of the NVMe disk is the null_blk's service, as a
# second trace sees it, and the way there and back.
. /case/lib.sh
. /case/lib-known.sh

lower=$(null_blk lower irqmode=2 completion_nsec=1000000 submit_queues=1 hw_queue_depth=64 queue_mode=2) ||
	skip "this kernel has no null_blk"

# known TRANSPORT WAY_NS: what the way may take, beside the service.
known() {
	local file=$results/$1 disk own service
	disk=$(nvmet_port "$1" "$lower") || { echo "no nvme-$1 here"; return; }
	echo "== $1: $disk"
	sleep 1
	iostrata trace -f json -o "$file-lower.json" "$lower" &
	trace=$!
	attached 3
	ran 0 "$file.json" --arrival closed --requests 100 "/dev/$disk"
	kill -INT $trace
	status 0 wait $trace
	equal "completed" "$(json "$file.json" .load.counts.completed)" 100
	equal "reads of the lower disk" "$(op "$file-lower.json" "$lower" read .completed)" 100
	service=$(mean "$file-lower.json" "$lower" read service)
	within "the lower disk's service, mean" "$service" 1000000 1020000
	own=$(json "$file.json" '[.layers[] | select(.layer | test("^device")) | .dist | .sum_ns / .count | floor] | add')
	within "device - the lower disk's service, mean" $((own - service)) 0 "$2"
	within "device's share" "$(json "$file.json" '[.layers[] | select(.layer | test("^device")) | .share] | add')" 0.9 1
	equal "driver: I/Os" "$(layer "$file.json" driver count)" 100
	tried=1
}
tried=""
known loop 20000
known tcp 70000
[ -n "$tried" ] || fail "neither loop nor tcp"
