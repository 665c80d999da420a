#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10,6.1-cloud,6.12,new-cloud cpus=2 time=180
# C11: attached and detached under full load, killed and attached again, with
# room for hardly any request: started = completed + in flight + lost by reason,
# and no orphan has a latency of 0 or of the machine's uptime.
. /case/lib.sh
. /case/lib-known.sh

# Twice as many clients as tags: whenever we come or go, some are in flight.
service_ns=5000000
disk=$(null_blk busy irqmode=2 completion_nsec=$service_ns submit_queues=2 hw_queue_depth=32 queue_mode=2) ||
	skip "this kernel has no null_blk"
iostrata load --arrival closed --clients 128 --runtime 1000s "/dev/$disk" >"$results/load.txt" 2>&1 &
load=$!
sleep 1

# accounted FILE STATUS: nothing is unaccounted, each latency is a service's.
accounted() {
	local file=$1 started completed lost flight length
	started=$(op "$file" "$disk" read .started) completed=$(op "$file" "$disk" read .completed)
	lost=$(json "$file" '.losses | .map_full + .completion_missed + .series_full')
	flight=$((started - completed - lost)) length=$(json "$file" .run.duration_ns)
	echo "$file: $started started = $completed completed + $flight in flight + $lost lost: $(json "$file" '.losses | tojson')"
	equal "unaccounted" "$(json "$file" .checks.unaccounted)" 0
	within "completed" "$completed" 1 100000000
	within "in flight at the end" "$flight" 0 64
	within "shortest service" "$(op "$file" "$disk" read .service.min_ns)" $service_ns "$length"
	within "longest service" "$(op "$file" "$disk" read .service.max_ns)" $service_ns "$length"
	within "longest queue time" "$(op "$file" "$disk" read .queue.max_ns)" 0 $((length + 1000000000))
	equal "clock_backwards" "$(json "$file" .losses.clock_backwards)" 0
}
# traced FILE ARGUMENTS…: status 5 says that something was lost, and only then.
traced() {
	local file=$1 got=0 lost
	shift
	iostrata trace -f json -o "$file" "$@" "$disk" || got=$?
	accounted "$file"
	lost=$(json "$file" '.losses | .map_full + .completion_missed + .series_full + .recursion_misses')
	equal "exit status with $lost lost" $got $([ "$lost" = 0 ] && echo 0 || echo 5)
}

for length in 50ms 500ms; do
	traced "$results/$length.json" -d $length
	equal "map_full" "$(json "$results/$length.json" .losses.map_full)" 0
	within "orphans" "$(json "$results/$length.json" .losses.orphans_at_attach)" 1 64
done
for i in 1 2; do
	iostrata trace "$disk" >/dev/null &
	trace=$!
	attached 3
	kill -KILL $trace
	wait $trace || true
done
traced "$results/again.json" -d 300ms
equal "map_full" "$(json "$results/again.json" .losses.map_full)" 0

# Room for four, with up to 64 in flight.
traced "$results/four.json" -d 500ms --table-sets 1
within "map_full" "$(json "$results/four.json" .losses.map_full)" 1 100000000
within "in flight of four" "$(json "$results/four.json" '[.devices[0].ops[] | .started - .completed] | add')" \
	"$(json "$results/four.json" '.losses | .map_full + .completion_missed')" \
	"$(json "$results/four.json" '.losses | .map_full + .completion_missed + 4')"
kill -0 $load || fail "the load ended early: $(cat "$results/load.txt")"
kill -INT $load
wait $load || true
