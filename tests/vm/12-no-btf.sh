#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10,6.1-cloud,6.12-cloud,new,arm64-6.12-cloud
# A kernel without BTF of its own: said in one line, with the remedy; given its
# BTF in a file, raw programs count as ever.
. /case/lib.sh
disk=$(null_blk nullt size=64 irqmode=0 queue_mode=2) || skip "this kernel has no null_blk"
cp /sys/kernel/btf/vmlinux /tmp/btf
mount -t tmpfs none /sys/kernel/btf
[ ! -e /sys/kernel/btf/vmlinux ] || fail "BTF is still there"

iostrata check -f json >"$results/check.json"
for command in trace run; do
	equal "$command without BTF" "$(json "$results/check.json" ".check.commands.$command | [.possible, .status, .missing[0].what] | tostring")" '[false,4,"BTF"]'
	case $(json "$results/check.json" ".check.commands.$command.missing[0].remedy") in *--btf*) ;; *) fail "no remedy" ;; esac
done
equal "load without BTF" "$(json "$results/check.json" .check.commands.load.possible)" true
status 4 iostrata check --require trace 2>"$results/err"
status 4 iostrata trace -d 100ms "$disk" 2>"$results/err"
equal "lines on stderr" "$(wc -l <"$results/err")" 1
grep -q -- '--btf FILE' "$results/err" || fail "no remedy: $(cat "$results/err")"

iostrata check --btf /tmp/btf -f json >"$results/check-file.json"
equal "programs with a file" "$(json "$results/check-file.json" '.check.commands | [.trace.programs, .trace.not_typed.what, .run.programs] | tostring')" '["raw","BTF","raw"]'
iostrata trace --btf /tmp/btf -f json -o "$results/exact.json" "$disk" &
trace=$!
attached 3
dd if="/dev/$disk" of=/dev/null bs=4k count=250 iflag=direct 2>/dev/null
kill -INT $trace
status 0 wait $trace
equal "programs" "$(json "$results/exact.json" .tool.programs.trace)" raw
equal "operations by name" "$(json "$results/exact.json" '[.devices[0].ops[] | [.op, .completed]] | tostring')" '[["read",250]]'

status 0 iostrata run --btf /tmp/btf --rate 100 --runtime 1s -f json -o "$results/run.json" "/dev/$disk"
equal "flight records" "$(json "$results/run.json" '[.tool.programs.run, .load.counts.completed, .checks.kernel_events_missing, .checks.generator_only] | tostring')" '["raw",100,0,0]'

# Typed programs need the kernel's own; half a file is none.
status 4 iostrata trace --btf /tmp/btf --programs typed -d 100ms "$disk" 2>"$results/err"
head -c 100000 /tmp/btf >/tmp/half
status 2 iostrata trace --btf /tmp/half -d 100ms "$disk" 2>"$results/err"
equal "lines on stderr" "$(wc -l <"$results/err")" 1
