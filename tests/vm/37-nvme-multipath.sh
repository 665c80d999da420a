#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10-cloud,6.1,6.12-cloud,new cpus=2 time=180 devices=nvme-multipath
# Two controllers, one namespace: the requests are the paths', which sysfs does
# not know by number; the report names path and head.
. /case/lib.sh
. /case/lib-nvme.sh

need nvme
sleep 1
head=$(nvme_disk IOSTRATA-M 1) || fail "no NVMe namespace"
[ "$(ls -d /sys/block/nvme*c*n* 2>/dev/null | wc -l)" -gt 0 ] || skip "this kernel has no NVMe multipath"
file=$results/trace.json
trace_nvme "$file"
reads 0 "$head" 40
reads 1 "$head" 40
end_trace

# The head's name chooses its paths, and nothing else.
trace_nvme "$results/head.json" "$head"
reads 0 "$head" 20
reads 1 "$head" 20
end_trace
equal "reads, the head named" "$(json "$results/head.json" "[.devices[] | select(.parent == \"$head\") | .ops[] | select(.op == \"read\") | .completed] | add // 0")" 40
equal "other devices" "$(json "$results/head.json" "[.devices[] | select(.parent != \"$head\")] | length")" 0
sound "$results/head.json"

sound "$file"; whole "$file"
equal "reads of the head's paths" "$(json "$file" "[.devices[] | select(.parent == \"$head\") | .nvme.queues[] | select(.opcode == \"read\") | .completed] | add")" 80
paths=$(json "$file" "[.devices[] | select(.parent == \"$head\") | .name] | join(\" \")")
case " $paths" in *" nvme"*c*n*) echo "paths: $paths" ;; *) fail "paths are called '$paths'" ;; esac
equal "devices without a name" "$(json "$file" '[.devices[] | select(.name | test(":"))] | length')" 0
