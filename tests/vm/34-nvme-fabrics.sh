#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=x86 cpus=2 time=90
# Controllers over tcp, and loop where the kernel has it, on a null_blk that takes
# 1 ms: nobody sees the answer come, so `device` folds into `irq` and includes the
# fabric, which the report says. An async event when the namespace goes.
. /case/lib.sh
. /case/lib-nvme.sh

need nvmet
over() { # TRANSPORT NULL_BLK
	local transport=$1 disk file=$results/$1.json controller
	disk=$(nvmet_port "$transport" "$2") || { echo "no $transport here"; return 0; }
	trace_nvme "$file"
	reads 0 "$disk" 60
	reads 1 "$disk" 60
	echo 0 >"/sys/kernel/config/nvmet/subsystems/iostrata-$transport/namespaces/1/enable"
	sleep 1
	end_trace
	sound "$file"
	# With multipath the requests are the path's.
	disk=$(json "$file" ".devices[] | select(.nvme.transport == \"$transport\" and .dev != \"0:0\" and .dev != \"259:x\") | .name" | head -n 1)
	controller=$(nvme_of "$file" "$disk" .controller)
	equal "transport of $disk" "$(nvme_of "$file" "$disk" .transport)" "$transport"
	equal "reads" "$(opcode "$file" "$disk" read)" 120
	equal "reads whose answer was seen" "$(nvme_layer "$file" "$disk" device count)" 0
	equal "reads in device+irq" "$(nvme_layer "$file" "$disk" device+irq count)" "$(nvme_of "$file" "$disk" .total.count)"
	within "device+irq at least, ns" "$(nvme_layer "$file" "$disk" device+irq min_ns)" 1000000 1000000000
	within "async events of $controller" "$(nvme_of "$file" "$controller" '[.events[] | select(.name | test("namespace changed")) | .count] | add // 0')" 1 4
}
one=$(null_blk nulla size=64 irqmode=2 completion_nsec=1000000 queue_mode=2) || skip "no null_blk"
two=$(null_blk nullb size=64 irqmode=2 completion_nsec=1000000 queue_mode=2)
over tcp "$one"
over loop "$two"
ls "$results" | grep -q json || skip "no fabric in this kernel"
