#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=all cpus=2 time=60 devices=nvme:2
# NVMe on PCI, two namespaces and two queues: trace counts what dd asks for,
# each request's stamps are in order and its layers sum to the total; by
# namespace, queue and opcode; admin and passthrough commands by themselves.
. /case/lib.sh
. /case/lib-nvme.sh

need nvme
one=$(nvme_disk IOSTRATA-B 1) && two=$(nvme_disk IOSTRATA-B 2) || fail "no NVMe namespaces"
trace_nvme "$results/trace.json"
reads 0 "$one" 200
reads 1 "$one" 100
writes 0 "$two" 50
flush "$two" # and one more write
end_trace

sound "$results/trace.json"; whole "$results/trace.json"
for disk in "$one" "$two"; do
	equal "transport of $disk" "$(nvme_of "$results/trace.json" "$disk" .transport)" pcie
done
equal "reads of $one" "$(opcode "$results/trace.json" "$one" read)" 300
equal "writes of $two" "$(opcode "$results/trace.json" "$two" write)" 51
within "flushes of $two" "$(opcode "$results/trace.json" "$two" flush)" 1 10
equal "queues that served reads of $one" \
	"$(nvme_of "$results/trace.json" "$one" '[.queues[] | select(.opcode == "read" and .class == "io") | .queue] | unique | length')" 2
for layer in sched driver device irq complete; do
	equal "requests in $layer of $one" "$(nvme_layer "$results/trace.json" "$one" $layer count)" \
		"$(nvme_of "$results/trace.json" "$one" .total.count)"
done
