#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=x86,arm64-6.12-cloud clock=counted time=200
# io.max lets 100 reads a second pass, 150 are offered: the time is in
# `throttle`, alone, as `bio` is seen here; the device stays idle.
. /case/lib.sh

disk=$(null_blk slow irqmode=2 completion_nsec=1000000 queue_mode=2 submit_queues=1 hw_queue_depth=64) ||
	skip "this kernel has no null_blk"
group=/sys/fs/cgroup/limited
mkdir "$group"
echo +io >/sys/fs/cgroup/cgroup.subtree_control
echo "$(cat "/sys/block/$disk/dev") riops=100" >"$group/io.max"

# bio_seen FILE: what every run here must hold.
sound() {
	equal "$1: order_violations" "$(json "$1" .checks.order_violations)" 0
	equal "$1: stage_sum_mismatch" "$(json "$1" .checks.stage_sum_mismatch)" 0
	equal "$1: kernel_events_missing" "$(json "$1" .checks.kernel_events_missing)" 0
	equal "$1: generator_only" "$(json "$1" .checks.generator_only)" 0
	equal "$1: losses" "$(json "$1" '[.losses[]] | add')" 0
}

free=$results/free.json
iostrata run --rate 100 --runtime 1s -f json -o "$free" "/dev/$disk" || fail "run: status $?"
sound "$free"
equal "completed" "$(json "$free" .load.counts.completed)" 100
equal "throttle, free: count" "$(layer "$free" throttle count)" 100
within "throttle, free: p99 ns" "$(layer "$free" throttle p99_ns)" 0 30000
equal "fs: count" "$(layer "$free" fs count)" 100
within "device: p50 ns" "$(layer "$free" device p50_ns)" 1000000 1080000

held=$results/held.json
(
	echo "$BASHPID" >"$group/cgroup.procs"
	status 5 iostrata run --rate 150 --runtime 4s -f json -o "$held" "/dev/$disk"
)
sound "$held"
within "completed at 100/s" "$(json "$held" .load.counts.completed)" 380 420
within "share of throttle" "$(layer "$held" throttle share)" 0.95 1
within "throttle: max ns" "$(layer "$held" throttle max_ns)" 1000000000 1400000000
within "device: p50 ns" "$(layer "$held" device p50_ns)" 1000000 1080000
equal "verdict" "$(json "$held" .verdict.layer)" throttle
