#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=6.12,new-cloud cpus=2 time=180 devices=nvme:2
# run on NVMe: each I/O of the generator's has the driver's three boundaries, the
# layers sum to the total, and both sides count the same.
. /case/lib.sh
. /case/lib-nvme.sh

need nvme
disk=$(nvme_disk IOSTRATA-B 2) || fail "no NVMe namespace"
file=$results/run.json
status=0
iostrata run --rate 100 --runtime 3s -f json -o "$file" "/dev/$disk" || status=$?
# Emulation may be too slow for the rate: that is no fault of the layers'.
case $status in 0 | 5) ;; *) fail "run: status $status" ;; esac
done=$(json "$file" .load.counts.completed)
within "I/Os" "$done" 100 300
for layer in driver device irq complete; do
	equal "I/Os in $layer" "$(layer "$file" $layer count)" "$done"
done
equal "unattributed" "$(layer "$file" unattributed count)" 0
for check in order_violations stage_sum_mismatch kernel_events_missing generator_only; do
	equal "$check" "$(json "$file" ".checks.$check")" 0
done
# Those that completed after the cutoff too.
within "reads the trace programs saw" "$(opcode "$file" "$disk" read)" "$done" "$(json "$file" .load.counts.submitted)"
