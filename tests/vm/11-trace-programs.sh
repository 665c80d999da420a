#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10,6.1-cloud,6.12-cloud,new,arm64-6.12-cloud
# Typed and raw programs count the same requests; where typed ones can't be
# loaded, asking for them says so in one line.
. /case/lib.sh
disk=$(null_blk nullt size=64 irqmode=2 completion_nsec=200000 queue_mode=2 submit_queues=2) ||
	skip "this kernel has no null_blk"
iostrata check -f json >"$results/check.json"
cas=$(json "$results/check.json" '.check.features[] | select(.feature == "compare-and-exchange") | .available')

# A known workload: reads of 4 KiB, writes of 8 KiB and their flushes, on two CPUs at once.
workload() {
	dd if="/dev/$disk" of=/dev/null bs=4k count=211 iflag=direct 2>/dev/null &
	dd if=/dev/zero of="/dev/$disk" bs=8k count=101 oflag=direct conv=fsync 2>/dev/null
	wait $!
}
ops() { json "$1" '[.devices[0].ops[] | select(.op == "read" or .op == "write") | [.op, .started, .completed, .bytes, .errors, .service.count]] | sort | tostring'; }
traced() { # FLAVOUR
	iostrata trace --programs "$1" -f json -o "$results/$1.json" "$disk" &
	trace=$!
	attached 3
	workload
	kill -INT $trace
	status 0 wait $trace
	equal "programs" "$(json "$results/$1.json" .tool.programs.trace)" "$1"
	equal "requests by $1 programs" "$(ops "$results/$1.json")" \
		'[["read",211,211,864256,0,211],["write",101,101,827392,0,101]]'
	equal "not accounted for" "$(json "$results/$1.json" .checks.unaccounted)" 0
	equal "lost" "$(json "$results/$1.json" '[.losses[]] | add')" 0
	within "p50 of reads by $1 programs, ns" \
		"$(json "$results/$1.json" '.devices[0].ops[] | select(.op == "read") | .service.p50_ns')" 199000 100000000
}

traced raw
if [ "$cas" = true ]; then
	traced typed
else
	status 4 iostrata trace --programs typed -d 100ms "$disk" 2>"$results/err"
	equal "lines on stderr" "$(wc -l <"$results/err")" 1
fi

# A device without stamps of its own: queue time from the insertion.
echo 0 >"/sys/block/$disk/queue/iostats"
modprobe mq-deadline 2>/dev/null || true
echo mq-deadline >"/sys/block/$disk/queue/scheduler" || { echo "no mq-deadline: insertion not tried"; exit 0; }
[ "$cas" = true ] && flavours="raw typed" || flavours=raw
for flavour in $flavours; do
	iostrata trace --programs $flavour -f json -o "$results/$flavour.inserted.json" "$disk" &
	trace=$!
	attached 4
	dd if="/dev/$disk" of=/dev/null bs=4k count=97 iflag=direct 2>/dev/null
	kill -INT $trace
	status 0 wait $trace
	equal "queue times by insertion, $flavour" \
		"$(json "$results/$flavour.inserted.json" '.devices[0].ops[] | select(.op == "read") | [.completed, .queue.count, .queue_unknown] | tostring')" '[97,97,0]'
done
