#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10,6.1,6.12,new cpus=2 time=180 devices=nvme:1
# The driver is a module that is loaded while trace runs: its programs are
# attached then, the last capability goes, and layers are of what came since.
. /case/lib.sh
. /case/lib-nvme.sh

[ ! -e /sys/module/nvme_core ] || skip "the driver is there already"
file=$results/trace.json
trace_nvme "$file"
echo "capabilities while it waits: $(caps)"
modprobe nvme
disk=$(nvme_disk IOSTRATA-B 1) || fail "no NVMe namespace"
sleep 3 # it looks each 100 ms, then reads the driver's types
equal "capabilities once it is attached" "$(caps)" 0000000000000000
reads 0 "$disk" 40
reads 1 "$disk" 40
end_trace

sound "$file"
# And what the kernel read to find partitions.
within "reads" "$(opcode "$file" "$disk" read)" 80 120
equal "reads in device" "$(nvme_layer "$file" "$disk" device count)" "$(nvme_of "$file" "$disk" .total.count)"
equal "notes on the driver" "$(json "$file" '[.notes[] | select(test("driver came"))] | length')" 1
