#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10-cloud,6.1-cloud,6.12-cloud cpus=2 time=180 devices=nvme-one append=threadirqs
# Threaded interrupts, and a real-time task that spins for 40 ms each 100 ms on
# the CPU of the completion. Where it falls is decided by priorities, not luck:
# - The generator runs above the hog (80), on a CPU the queue's interrupt is not
#   on; the interrupt's thread has 50.
# - Before 5.12 a completion goes back to the submitting CPU (rq_affinity 2) by
#   an IPI, whose softirq threaded kernels give to ksoftirqd, an ordinary task:
#   a hog of priority 40 there keeps it waiting while everything else runs. The
#   driver saw the answer in time (its thread is elsewhere): that is `irq`.
# - Since then (blk_mq_complete_need_ipi) threaded kernels complete where the
#   thread runs, at once: there is nothing between `answered` and `driver_done`
#   for a hog to get into. One above the thread (60), on its CPU, keeps the thread
#   itself waiting, so `answered` is late: that is `device`, and `irq` stays.
. /case/lib.sh
. /case/lib-known.sh

need nvme
disk=$(nvme_disk IOSTRATA-1 1) || fail "no NVMe namespace"
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
echo 2 >"/sys/block/$disk/queue/rq_affinity"
line=$(awk '/nvme[0-9]+q1$/ { sub(":", "", $1); print $1; exit }' /proc/interrupts)
[ -n "$line" ] || fail "no interrupt of the queue: $(cat /proc/interrupts)"
dd if="/dev/$disk" of=/dev/null bs=4k count=10 iflag=direct 2>/dev/null
cpu=$(cat "/proc/irq/$line/effective_affinity_list")
grep -q "^irq/$line-nvme" /proc/[0-9]*/comm || fail "the interrupt has no thread"
other=$((1 - cpu))
echo "queue's interrupt $line on CPU $cpu, generator on CPU $other"

# hog CPU PRIORITY: 40 ms in each 100, until killed.
cat >/tmp/hog <<'SH'
while :; do
	end=$((${EPOCHREALTIME/./} + 40000))
	while [ ${EPOCHREALTIME/./} -lt $end ]; do :; done
	sleep 0.06
done
SH
hogged() { # FILE CPU PRIORITY
	chrt -f "$3" taskset $((1 << $2)) bash /tmp/hog &
	local hog=$! got=0
	chrt -f 80 taskset $((1 << other)) iostrata run --arrival poisson --rate 40 --runtime 4s \
		-f json -o "$1.json" --io-log "$1.csv" "/dev/$disk" || got=$?
	kill $hog
	wait $hog || true
	[ $got = 0 ] || [ $got = 5 ] || fail "run: status $got"
	equal "order_violations" "$(json "$1.json" .checks.order_violations)" 0
	equal "layers' sum - total" "$(json "$1.json" '([.layers[].dist.sum_ns] | add) - .latency.planned_to_reaped.sum_ns')" 0
	jq -r '.layers[] | "    \(.layer): \(.dist.count) I/Os, p50 \(.dist.p50_ns), p90 \(.dist.p90_ns), max \(.dist.max_ns), share \(.share)"' "$1.json"
}
# moved FILE LAYER: four in ten I/Os meet the 40 ms, and wait 20 ms of them. What
# else delays them is this machine, which strikes no layer so often.
moved() {
	local own others whose
	own=$(layer "$1.json" "$2" p90_ns)
	read -r others whose < <(jq -r --arg own "$2" '[.layers[] | select(.layer != $own) | [.dist.p90_ns, .layer]] | max | "\(.[0]) \(.[1])"' "$1.json")
	within "$2, p90" "$own" 15000000 1000000000
	within "p90 of the longest other layer ($whose) / its" "$(awk "BEGIN { print $others / $own }")" 0 0.5
	equal "largest share" "$(json "$1.json" '[.layers[] | [.share, .layer]] | max | .[1]')" "$2"
}
if at_least 5 12; then
	hogged "$results/above" $cpu 60
	moved "$results/above" device
else
	hogged "$results/below" $other 40
	moved "$results/below" irq
fi
