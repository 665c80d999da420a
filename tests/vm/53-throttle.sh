#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10-cloud,6.1-cloud,6.12-cloud,new-cloud clock=counted time=240
# C5: io.max lets 100 writes a second pass, 150 are offered for 10 s. What is
# not let through waits in `throttle`, ever longer, and the device idles.
. /case/lib.sh
. /case/lib-known.sh

disk=$(null_blk slow irqmode=2 completion_nsec=1000000 submit_queues=1 hw_queue_depth=64 queue_mode=2 size=64) ||
	skip "this kernel has no null_blk"
group=/sys/fs/cgroup/limited
mkdir "$group"
echo +io >/sys/fs/cgroup/cgroup.subtree_control
echo "$(cat "/sys/block/$disk/dev") wiops=100" >"$group/io.max"

file=$results/held
(
	echo "$BASHPID" >"$group/cgroup.procs"
	ran 5 "$file.json" --rate 150 --runtime 10s --rw randwrite --write --destroy-data "/dev/$disk" "/dev/$disk"
)
equal "planned" "$(json "$file.json" .load.counts.planned)" 1500
# A first slice of time comes free.
within "completed, at 100/s for 10 s" "$(json "$file.json" .load.counts.completed)" 980 1030
equal "sustained" "$(json "$file.json" .load.sustained)" false
equal "limit" "$(json "$file.json" .load.limit)" target
within "throttle: share" "$(layer "$file.json" throttle share)" 0.95 1
within "device: share" "$(layer "$file.json" device share)" 0 0.01
within "device: p50" "$(layer "$file.json" device p50_ns)" 1000000 1030000
equal "verdict" "$(json "$file.json" .verdict.layer)" throttle
# It grows: what is served at t was planned at t/1.5, and waited a third of t.
waits() { # the mean wait of the I/Os number $1 to $2, in ms
	awk -F, -v low="$1" -v high="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["queued_ns"] != "" && $at["bio_ns"] != "" && $1 >= low && $1 < high { sum += $at["queued_ns"] - $at["bio_ns"]; n++ }
		END { printf "%d\n", n ? sum / n / 1e6 : -1 }' "$file.csv"
}
within "throttle: I/Os 400 to 499, mean (ms)" "$(waits 400 500)" 1400 1600
within "throttle: I/Os 900 to 999, mean (ms)" "$(waits 900 1000)" 3050 3250
