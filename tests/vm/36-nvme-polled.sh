#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10,6.1-cloud,6.12-cloud,new cpus=2 time=180 devices=nvme:1 append=nvme.poll_queues=1 programs=tests/vm/nvme_io
# A queue without interrupts: reads that are polled for have all boundaries too,
# in rows of their own; reads by interrupt stay on theirs.
. /case/lib.sh
. /case/lib-nvme.sh

need nvme poll_queues=1
disk=$(nvme_disk IOSTRATA-B 1) || fail "no NVMe namespace"
file=$results/trace.json
trace_nvme "$file"
status=0
nvme_io poll "/dev/$disk" 50 || status=$?
[ "$status" != 77 ] || skip "no polled I/O here"
[ "$status" = 0 ] || fail "polled reads"
reads 0 "$disk" 30
end_trace

sound "$file"; whole "$file"
equal "polled reads" "$(nvme_of "$file" "$disk" '[.queues[] | select(.polled) | .completed] | add // 0')" 50
equal "other reads" "$(nvme_of "$file" "$disk" '[.queues[] | select(.polled | not) | .completed] | add // 0')" 30
equal "answers seen" "$(nvme_layer "$file" "$disk" device count)" 80
equal "answers only the timeout handler saw" "$(count "$file" "$disk" polled_late)" 0
