#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=x86 cpus=2 time=180 devices=nvme:2
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
equal "transport of $two" "$(nvme_of "$results/trace.json" "$two" .transport)" pcie
equal "reads of $one" "$(opcode "$results/trace.json" "$one" read)" 300
equal "writes of $two" "$(opcode "$results/trace.json" "$two" write)" 51
within "flushes of $two" "$(opcode "$results/trace.json" "$two" flush)" 1 10
equal "queues that served reads of $one" \
	"$(nvme_of "$results/trace.json" "$one" '[.queues[] | select(.opcode == "read" and .class == "io") | .queue] | unique | length')" 2
equal "requests in sched, driver, device, irq and complete, of all" \
	"$(nvme_of "$results/trace.json" "$one" '.total.count as $n | [.layers[] | select(.dist.count == $n) | .layer] | join(" ")')" \
	"sched driver device irq complete"
