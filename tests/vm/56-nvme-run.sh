#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10,6.1-cloud,6.12-cloud,new cpus=2 time=180 devices=nvme:2,nvme-one
# C10: run on NVMe, two namespaces with two queues and one with one: each I/O
# has the driver's boundaries, in order; the generator's count is the kernel's.
. /case/lib.sh
. /case/lib-known.sh
. /case/lib-nvme.sh

need nvme
# followed SERIAL NAMESPACE QUEUES: 300 reads by 4 clients.
followed() {
	local disk file all wrong
	disk=$(nvme_disk "$1" "$2") || fail "no namespace $2 of $1"
	file=$results/$1-$2
	echo "== $1 namespace $2: $disk"
	iostrata run --arrival closed --clients 4 --requests 300 -f json -o "$file.json" --io-log "$file.csv" "/dev/$disk" ||
		fail "run: status $?: $(json "$file.json" '.checks, .losses' | tr -d '\n ')"
	equal "completed" "$(json "$file.json" .load.counts.completed)" 300
	equal "attributed" "$(json "$file.json" .attribution.attributed)" 300
	equal "layers' sum - total" "$(json "$file.json" '([.layers[].dist.sum_ns] | add) - .latency.planned_to_reaped.sum_ns')" 0
	read -r all wrong < <(ordered "$file.csv" queued allocated prepared issued answered driver_done completed)
	equal "I/Os with every boundary" "$all" 300
	# The fast clock may step back between CPUs by less than 1 us: counted, not wrong.
	within "out of order" "$wrong" 0 "$(json "$file.json" .checks.clock_jitter)"
	equal "order_violations" "$(json "$file.json" .checks.order_violations)" 0
	for layer in driver device irq complete; do
		equal "I/Os in $layer" "$(layer "$file.json" $layer count)" 300
	done
	equal "reads the kernel counts" "$(opcode "$file.json" "$disk" read)" 300
	within "queues that served them" \
		"$(nvme_of "$file.json" "$disk" '[.queues[] | select(.opcode == "read" and .class == "io") | .queue] | unique | length')" 1 "$3"
}
followed IOSTRATA-B 1 2
followed IOSTRATA-B 2 2
followed IOSTRATA-1 1 1
