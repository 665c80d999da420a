#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=6.1-cloud,6.12-cloud,new-cloud clock=counted time=240
# The pause of model's A1 on a kernel's own device: 1 ms each, first in, first
# out, and once it stands still for 100 ms (dm suspended and resumed). Asked 100
# times a second: eleven wait, in steps of 9 ms. One client that waits and
# thinks sees one slow I/O. Both have the time in `device`.
. /case/lib.sh
. /case/lib-known.sh

disk=$(null_blk fifo irqmode=2 completion_nsec=1000000 submit_queues=1 hw_queue_depth=1 queue_mode=2 size=64) ||
	skip "this kernel has no null_blk"
top=$(dm paused "$disk" "0 LEN linear /dev/$disk 0")

# Stands still 100 ms (and as long as dmsetup takes) once 20 reads were done.
pause() {
	local from
	after_reads "$disk" 20 || return 1
	from=${EPOCHREALTIME/./}
	dmsetup suspend --nolockfs --noflush paused && sleep 0.1 && dmsetup resume --noudevsync paused
	echo $(((${EPOCHREALTIME/./} - from) * 1000)) >"$results/pause"
}
with_pause() { # FILE ARGUMENTS…
	pause &
	# One CPU: the generator goes before dmsetup.
	prefix="chrt -f 50" ran 0 "$@" "/dev/$top"
	status 0 wait $!
}
totals() { spans "$1" planned reaped; }

open=$results/open
with_pause "$open.json" --rate 100 --runtime 2s
equal "open: completed" "$(json "$open.json" .load.counts.completed)" 200
pause_ns=$(cat "$results/pause")
within "the pause with dmsetup's own time (ns)" "$pause_ns" 100000000 150000000
p99=$(json "$open.json" .latency.planned_to_reaped.p99_ns)
max=$(json "$open.json" .latency.planned_to_reaped.max_ns)
# The first one after the pause began came at most 10 ms later.
within "open: max" "$max" 91000000 $((pause_ns + 1100000))
# The first one out shares the one CPU with the end of the resume.
within "open: max - p99 (two steps of 9 ms)" $((max - p99)) 17400000 18100000
within "open: p50" "$(totals "$open.csv" | quantile 500)" 1000000 1100000
within "open: above 10 ms / steps of 9 ms above 10 ms" \
	$(($(totals "$open.csv" | awk '$1 > 10000000' | wc -l) - (max - 10000000) / 9000000)) 0 1
within "open: device's share of the slowest 1 %" "$(layer "$open.json" device tail_share)" 0.99 1
within "open: backlog, max" "$(layer "$open.json" backlog max_ns)" 0 100000

closed=$results/closed
with_pause "$closed.json" --arrival closed --think 9ms --requests 190
within "closed: max" "$(json "$closed.json" .latency.planned_to_reaped.max_ns)" 100000000 $(($(cat "$results/pause") + 1100000))
within "closed: p99" "$(totals "$closed.csv" | quantile 990)" 1000000 1100000
equal "closed: above 10 ms" "$(totals "$closed.csv" | awk '$1 > 10000000' | wc -l)" 1
within "closed: device's share of the slowest 1 %" "$(layer "$closed.json" device tail_share)" 0.99 1
