# SPDX-License-Identifier: GPL-2.0-only
# Sourced by the NVMe cases, inside the guest: a trace, its words, and I/O on a
# chosen CPU.

# trace_nvme FILE [arguments]: in the background, until end_trace.
trace_nvme() {
	local file=$1
	shift
	iostrata trace -f json -o "$file" "$@" &
	tracing=$!
	counting
}
# Until it counts: the capabilities are gone then, all or all but CAP_BPF.
counting() {
	local i
	for i in $(seq 200); do
		case $(caps 2>/dev/null) in
		0000000000000000 | 0000008000000000) sleep 0.3; return ;;
		"") fail "trace is gone" ;;
		esac
		sleep 0.1
	done
	fail "trace does not begin"
}
caps() { awk '$1 == "CapPrm:" { print $2 }' "/proc/$tracing/status"; }
end_trace() { kill -INT $tracing; status 0 wait $tracing; }

reads() { taskset "$((1 << $1))" dd if="/dev/$2" of=/dev/null bs=4k count="$3" iflag=direct 2>/dev/null; } # CPU DISK COUNT
writes() { taskset "$((1 << $1))" dd if=/dev/zero of="/dev/$2" bs=4k count="$3" oflag=direct conv=notrunc 2>/dev/null; }
flush() { dd if=/dev/zero of="/dev/$1" bs=4k count=1 conv=notrunc,fsync 2>/dev/null; }

# nvme_of FILE DEVICE FILTER: of that device's NVMe part.
nvme_of() { jq -r --arg name "$2" ".devices[] | select(.name == \$name) | .nvme | $3" "$1"; }
opcode() { nvme_of "$1" "$2" "[.queues[] | select(.opcode == \"$3\" and .class == \"${4:-io}\") | .completed] | add // 0"; }
nvme_layer() { nvme_of "$1" "$2" "[.layers[] | select(.layer == \"$3\") | .dist.$4][0] // 0"; }
count() { nvme_of "$1" "$2" ".counts.$3"; }

# sound FILE: nothing out of order, nothing unattributed, layers sum to totals.
sound() {
	equal "order violations, unaccounted, devices whose layers do not sum to the total" "$(json "$1" '
		[.checks.nvme_order_violations, .checks.unaccounted, ([.devices[] | select(.nvme.total) | .nvme |
		select(([.layers[].dist.sum_ns] | add) + .unattributed_ns != .total.sum_ns)] | length)] | join(" ")')" "0 0 0"
}
# whole FILE: every request of those devices was seen by the driver's events.
whole() {
	equal "devices whose rows do not sum to what completed" "$(json "$1" '[.devices[] | select(.nvme) |
		select(([.nvme.queues[].completed] | add // 0) != ([.ops[].completed] | add // 0))] | length')" 0
}

# fabric_case TRANSPORT: a controller of that kind on a null_blk that takes 1 ms.
# Nobody sees the answer come, so `device` folds into `irq` and includes the
# fabric, which the report says. An async event when the namespace goes.
fabric_case() {
	local transport=$1 disk file=$results/$1.json controller backing
	need nvmet
	need "nvme-$transport"
	backing=$(null_blk nulla size=64 irqmode=2 completion_nsec=1000000 queue_mode=2) || skip "no null_blk"
	disk=$(nvmet_port "$transport" "$backing") || fail "no disk over $transport"
	trace_nvme "$file"
	reads 0 "$disk" 60
	reads 1 "$disk" 60
	echo 0 >"/sys/kernel/config/nvmet/subsystems/iostrata-$transport/namespaces/1/enable"
	sleep 1
	end_trace
	sound "$file"
	# With multipath the requests are the path's.
	disk=$(json "$file" ".devices[] | select(.nvme.transport == \"$transport\" and .dev != \"0:0\") | .name" | head -n 1)
	controller=$(nvme_of "$file" "$disk" .controller)
	equal "transport of $disk" "$(nvme_of "$file" "$disk" .transport)" "$transport"
	equal "reads" "$(opcode "$file" "$disk" read)" 120
	equal "reads whose answer was seen" "$(nvme_layer "$file" "$disk" device count)" 0
	equal "reads in device+irq" "$(nvme_layer "$file" "$disk" device+irq count)" "$(nvme_of "$file" "$disk" .total.count)"
	within "device+irq at least, ns" "$(nvme_layer "$file" "$disk" device+irq min_ns)" 1000000 1000000000
	within "async events of $controller" "$(nvme_of "$file" "$controller" '[.events[] | select(.name | test("namespace changed")) | .count] | add // 0')" 1 4
}
