#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=all time=240
# Each I/O of the generator's is followed, whatever shape this kernel's io_uring
# and block events have: both sides count the same, nothing is lost, layers sum.
. /case/lib.sh

disk=$(null_blk nullr irqmode=2 completion_nsec=500000 queue_mode=2 submit_queues=2 hw_queue_depth=64 size=1024) ||
	skip "this kernel has no null_blk"

# follow NAME I/OS run's options…: a run, and what any run must hold. Some kernels
# preempt BPF programs, and withhold from other tasks of that CPU what the
# preempted one would see (docs/kernels.md): counted, and nothing else is excused.
follow() {
	local out=$results/$1.json ios=$2 got=0 bad
	echo "== $1"
	iostrata run -f json -o "$out" --io-log "$results/$1.csv" "${@:3}" "/dev/$disk" || got=$?
	withheld=$(json "$out" .losses.run_recursion_misses)
	[ "$withheld" = 0 ] || echo "$1: $withheld events withheld"
	[ "$got" = 0 ] || { [ "$got" = 5 ] && [ "$withheld" != 0 ]; } || fail "$1: status $got: $(json "$out" '.load.counts, .checks, .losses' | tr -d '\n ')"
	equal "$1: completed" "$(json "$out" .load.counts.completed)" "$ios"
	bad=$(json "$out" '[.checks, .losses | to_entries[] | select(.key | test("violations|mismatch|only|unidentified|full|reused|contended|walk")) | select(.value != 0) | "\(.key) \(.value)"] | join(", ")')
	equal "$1: lost or disagreeing" "$bad" ""
	within "$1: unattributed" "$(layer "$out" unattributed count)" 0 "$withheld"
}

follow direct 500 --arrival closed --requests 500
within "direct: device p50 ns" "$(layer "$results/direct.json" device p50_ns)" 500000 20000000
equal "direct: throttle seen" "$(layer "$results/direct.json" throttle count)" 500
equal "direct: returned" "$(layer "$results/direct.json" reap count)" 500
follow deep 2000 --arrival closed --clients 256 --requests 2000
# No more children than tags: 5.10 ends such an I/O with EAGAIN, half way.
follow split 16 --arrival closed --clients 1 --requests 16 --bs 4m
[ "$withheld" != 0 ] || equal "split: bytes of its bios" "$(awk -F, 'NR > 1 { sum += $(NF - 1) } END { print sum }' "$results/split.csv")" $((16 * 4194304))
follow buffered 300 --arrival closed --requests 300 --buffered --rw read
follow written 200 --arrival closed --requests 200 --rw randwrite --sync dsync --write --destroy-data "/dev/$disk"
