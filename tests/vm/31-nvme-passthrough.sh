#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10,6.1-cloud,new cpus=2 time=180 devices=nvme:1 programs=tests/vm/nvme_io
# Commands made in user space are a class of their own: admin ones on the
# controller's queue (named by the controller), reads on the namespace by ioctl
# and, where the generic device exists, by uring_cmd.
. /case/lib.sh
. /case/lib-nvme.sh

need nvme
disk=$(nvme_disk IOSTRATA-B 1) || fail "no NVMe namespace"
controller=$(basename "$(readlink -f "/sys/block/$disk/device")")
file=$results/trace.json
trace_nvme "$file"
for _ in 1 2 3 4 5; do nvme id-ctrl "/dev/$controller" >/dev/null; done
nvme get-log "/dev/$controller" --log-id=1 --log-len=64 >/dev/null
nvme io-passthru "/dev/$disk" --opcode=2 --namespace-id=1 --data-len=4096 --read --cdw12=7 >/dev/null
# A status of the device: an LBA beyond the end.
nvme io-passthru "/dev/$disk" --opcode=2 --namespace-id=1 --data-len=4096 --read --cdw10=0x7fffffff --cdw12=7 >/dev/null 2>&1 || true
commands=0
if [ -c "/dev/ng${disk#nvme}" ]; then
	status=0
	nvme_io command "/dev/ng${disk#nvme}" 20 || status=$?
	case $status in 0) commands=20 ;; 77) ;; *) fail "uring_cmd" ;; esac
fi
reads 0 "$disk" 30
end_trace

# Which controller it is the driver's types tell; without them it is just "nvme".
json "$file" '[.devices[].name] | join(" ")' | grep -qw "$controller" || { controller=nvme; echo "controller unknown"; }
sound "$file"; whole "$file"
within "identify commands" "$(opcode "$file" "$controller" identify admin)" 5 30
equal "get log page commands" "$(opcode "$file" "$controller" "get log page" admin)" 1
equal "passthrough reads" "$(opcode "$file" "$disk" read passthrough)" $((2 + commands))
equal "the block layer's reads" "$(opcode "$file" "$disk" read)" 30
equal "queues of admin commands" "$(nvme_of "$file" "$controller" '[.queues[].queue] | unique | join(",")')" 0
if [ "$(nvme_of "$file" "$disk" .statuses)" = null ]; then
	echo "no BTF of the driver: statuses are unknown here"
	within "commands whose status was not read" "$(count "$file" "$disk" status_unread)" 32 60
else
	equal "lba out of range" "$(nvme_of "$file" "$disk" '[.statuses[] | select(.name == "lba out of range") | .count] | add')" 1
fi
