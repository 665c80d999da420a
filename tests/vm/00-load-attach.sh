#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=all cpus=2 time=120
# Every program loads and attaches, `check` says so, and what dd asks for is
# what `trace` counts.
. /case/lib.sh

iostrata check >"$results/check.txt" || fail "check: status $?"
iostrata check -f json >"$results/check.json"
disk=$(null_blk nullt size=64 irqmode=0 queue_mode=2) || skip "this kernel has no null_blk"

iostrata trace -f json -o "$results/exact.json" "$disk" &
trace=$!
attached 3
dd if="/dev/$disk" of=/dev/null bs=4k count=250 iflag=direct 2>/dev/null
kill -INT $trace
status 0 wait $trace
equal "reads counted" "$(json "$results/exact.json" '[.devices[0].ops[] | select(.op == "read") | .completed][0] // 0')" 250
