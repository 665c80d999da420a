#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=all cpus=2 time=60
# Every program loads and attaches, `check` says so, and what dd asks for is
# what `trace` counts.
. /case/lib.sh

iostrata check >"$results/check.txt" || fail "check: status $?"
iostrata check -f json >"$results/check.json"
disk=$(null_blk nullt size=64 irqmode=0 queue_mode=2) || skip "this kernel has no null_blk"

iostrata trace -f json -o "$results/trace.json" "$disk" &
trace=$!
for i in $(seq 100); do
	dd if="/dev/$disk" of=/dev/null bs=4k count=1 iflag=direct 2>/dev/null
	# Attached once it sees something.
	[ "$i" -lt 100 ] || sleep 0.2
done
kill -INT $trace
wait $trace || fail "trace: status $?"
seen=$(json "$results/trace.json" '[.devices[0].ops[] | select(.op == "read") | .completed][0] // 0')
within "reads seen while trace came up" "$seen" 1 100

iostrata trace -d 3s -f json -o "$results/exact.json" "$disk" &
trace=$!
sleep 1.5
dd if="/dev/$disk" of=/dev/null bs=4k count=250 iflag=direct 2>/dev/null
status 0 wait $trace
equal "reads counted" "$(json "$results/exact.json" '[.devices[0].ops[] | select(.op == "read") | .completed][0] // 0')" 250
