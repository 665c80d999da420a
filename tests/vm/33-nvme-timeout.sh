#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10-cloud,6.1,6.12,new-cloud cpus=2 time=180 devices=nvme-slow append=nvme_core.io_timeout=2
# A device that serves one I/O a second, and a driver that waits two: commands
# time out, are aborted or cancelled, and tried again. All of it is counted, none
# of it is lost, and no latency is out of order.
. /case/lib.sh
. /case/lib-nvme.sh

need nvme
disk=$(nvme_disk IOSTRATA-S 1) || fail "no NVMe namespace"
controller=$(basename "$(readlink -f "/sys/block/$disk/device")")
file=$results/trace.json
trace_nvme "$file"
pids=
for i in 0 1 2 3 4 5; do
	dd if="/dev/$disk" of=/dev/null bs=4k count=1 skip=$((i * 100)) iflag=direct 2>/dev/null &
	pids="$pids $!"
done
for pid in $pids; do wait "$pid" || true; done
kill -INT $tracing
status=0
wait $tracing || status=$?
# Kernels whose tracepoints can be preempted withhold an event now and then from a
# program another task was in: counted, and then a read may be missing below.
withheld=$(json "$file" .losses.recursion_misses)
[ "$status" = 0 ] || { [ "$status" = 5 ] && [ "$withheld" -gt 0 ]; } || fail "trace: status $status"
echo "events withheld: $withheld"

sound "$file"
json "$file" '[.devices[].name] | join(" ")' | grep -qw "$controller" || controller=nvme # see 31
aborts=$(count "$file" "$controller" aborts)
cancelled=$(count "$file" "$disk" cancelled)
statuses=$(nvme_of "$file" "$disk" '[(.statuses // [])[] | .count] | add // 0')
echo "aborts $aborts, cancelled $cancelled, timed out $(count "$file" "$disk" timed_out), retries $(count "$file" "$disk" retries), polled late $(count "$file" "$disk" polled_late), statuses: $(nvme_of "$file" "$disk" '[(.statuses // [])[] | "\(.count) \(.name)"] | join(", ")')"
within "abort commands" "$aborts" 1 20
within "reads that ended, in error or not" "$(opcode "$file" "$disk" read)" $((6 - withheld)) 20
[ "$(nvme_of "$file" "$disk" .statuses)" = null ] || within "commands that ended with a status" "$statuses" 0 40
