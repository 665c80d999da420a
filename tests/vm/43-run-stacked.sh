#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=x86,arm64-6.1-cloud time=240 devices=nvme-multipath
# 100 reads of a stacked device are 100 I/Os of the application; what they became
# below is shown with its own device, and added to nothing.
. /case/lib.sh
. /case/lib-nvme.sh

# follow NAME DISK: 100 reads, their time in the layers of DISK.
follow() {
	local out=$results/$1.json
	echo "== $1 ($2)"
	iostrata run --arrival closed --clients 2 --requests 100 -f json -o "$out" --io-log "$results/$1.csv" "/dev/$2" ||
		fail "$1: status $?: $(json "$out" '.load.counts, .checks, .losses' | tr -d '\n ')"
	equal "$1: completed" "$(json "$out" .load.counts.completed)" 100
	equal "$1: attributed" "$(json "$out" .attribution.attributed)" 100
	equal "$1: wrong" "$(json "$out" '[.checks | to_entries[] | select(.key | test("violations|mismatch|missing|only|withheld")) | .value] | add')" 0
	equal "$1: first device" "$(json "$out" .devices[0].name)" "$2"
}
# below NAME WANTED: reads of the devices below the first one, in all.
below() { equal "$1: reads below" "$(json "$results/$1.json" '[.devices[1:][] | .ops[] | select(.op == "read") | .completed] | add')" "$2"; }
# passes NAME: no requests of its own, so from queued to completed it is one layer.
passes() {
	equal "$1: device, queued to completed" "$(json "$results/$1.json" '[.layers[] | select(.layer == "device" and .from == "queued" and .to == "completed") | .dist.count][0]')" 100
	equal "$1: parents below" "$(json "$results/$1.json" '[.devices[1:][] | .parent] | unique | join(" ")')" "$2"
}

lower=$(null_blk lower irqmode=2 completion_nsec=1000000 queue_mode=2 size=64 memory_backed=1) || skip "this kernel has no null_blk"
other=$(null_blk other irqmode=2 completion_nsec=1000000 queue_mode=2 size=64 memory_backed=1)

linear=$(dm line "$lower" "0 LEN linear /dev/$lower 0")
follow linear "$linear"; passes linear "$linear"; below linear 100
within "linear: device min ns" "$(layer "$results/linear.json" device min_ns)" 1000000 100000000
dmsetup remove line

delay=$(dm_delay late "$lower" 10)
follow delay "$delay"; passes delay "$delay"; below delay 100
within "delay: device p50 ns" "$(layer "$results/delay.json" device p50_ns)" 8000000 100000000
dmsetup remove late

for level in 0 1; do
	need "raid$level"
	mdadm --create /dev/md7 --run --assume-clean --force --level=$level --raid-devices=2 \
		--metadata=1.0 "/dev/$lower" "/dev/$other" >/dev/null 2>&1 || fail "mdadm: raid$level"
	follow "raid$level" md7; below "raid$level" 100
	mdadm --stop /dev/md7 >/dev/null 2>&1
done

# One namespace by two controllers: the bio itself goes on to a path's request.
need nvme
head=$(nvme_disk IOSTRATA-M 1) || fail "no NVMe namespace"
[ "$(ls -d /sys/block/nvme*c*n* 2>/dev/null | wc -l)" -gt 0 ] || skip "this kernel has no NVMe multipath"
follow multipath "$head"; below multipath 100
equal "multipath: device" "$(layer "$results/multipath.json" device count)" 100
equal "multipath: driver" "$(layer "$results/multipath.json" driver count)" 100
equal "multipath: parents" "$(json "$results/multipath.json" '[.devices[1:][] | .parent] | unique | join(" ")')" "$head"
