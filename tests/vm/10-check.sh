#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=all time=240 devices=nvme:1 programs=tests/vm/bounded
# `check` on this kernel: what it says is what trace and run then do; NVMe's
# boundaries come with the driver; what bounds BPF's memory is told.
. /case/lib.sh
check() { iostrata check -f json "$@" >"$results/check.json" || fail "check: status $?"; }
said() { json "$results/check.json" ".check.$1"; }
boundary() { said "boundaries[] | select(.boundary == \"$1\") | .$2"; }
modprobe fuse 2>/dev/null || true
modprobe loop 2>/dev/null || true
disk=$(null_blk nullt size=64 irqmode=0 queue_mode=2) || skip "this kernel has no null_blk"

check
for command in trace run load; do equal "$command possible" "$(said "commands.$command.possible")" true; done
[ ! -e /dev/fuse ] || [ ! -e /dev/loop-control ] || equal "target possible" "$(said commands.target.possible)" true

# The programs it names are those that load, and typed ones whenever they can.
iostrata trace -d 200ms -f json -o "$results/trace.json" "$disk"
equal "programs of trace" "$(said commands.trace.programs)" "$(json "$results/trace.json" .tool.programs.trace)"
iostrata run --rate 50 --runtime 500ms -f json -o "$results/run.json" "/dev/$disk" || fail "run: status $?"
equal "programs of run" "$(said commands.run.programs)" "$(json "$results/run.json" .tool.programs.run)"
cas=$(said 'features[] | select(.feature == "compare-and-exchange") | .available')
[ "$cas" = true ] && wanted=typed || wanted=raw
equal "programs, with compare-and-exchange $cas" "$(said commands.trace.programs)" $wanted
equal "why not typed" "$(said 'commands.trace.not_typed.what // "-"')" "$([ "$cas" = true ] && echo - || echo compare-and-exchange)"

# Every boundary but NVMe's, and that of functions where there is none to hook.
[ "$wanted" = typed ] && way=tp_btf || way=raw_tp
for name in entered punted queued allocated inserted first_issued issued completed returned; do
	equal "$name available" "$(boundary $name available)" true
	case $(boundary $name hook) in "$way "*) ;; *) fail "$name by $(boundary $name hook), not $way" ;; esac
done
bio=$(boundary bio hook)
case $bio in fentry\ submit_bio_noacct | kprobe\ submit_bio_noacct) ;; *) [ "$(uname -m)" != x86_64 ] || fail "bio: '$bio'" ;; esac
echo "bio: $bio"

if [ ! -e /sys/module/nvme_core ]; then
	equal "answered without a driver" "$(boundary answered available)" false
	case $(boundary answered remedy) in *modprobe\ nvme*) ;; *) fail "no remedy: $(boundary answered remedy)" ;; esac
	grep -q modprobe "$results/check.json" && modprobe nvme
	check
fi
for name in prepared answered driver_done; do
	equal "$name available" "$(boundary $name available)" true
	case $(boundary $name hook) in "raw_tp nvme_"*) ;; *) fail "$name by $(boundary $name hook)" ;; esac
done

# A file for types that is none.
status 2 iostrata check --btf /case/lib.sh
status 2 iostrata check --btf /no/such/file

# Before 5.11 maps are charged to RLIMIT_MEMLOCK: raised by who may, told to others.
equal "memory in the cgroup" "$(said facts.privileges.bpf_memory_in_cgroup.value)" "$(at_least 5 11 && echo true || echo false)"
(ulimit -l 64; status 0 iostrata check --require trace; status 0 iostrata trace -d 100ms "$disk" >/dev/null)
command -v bounded >/dev/null || { echo "no program bounded: memory not tried"; exit 0; }
bounded="bounded 64"
if at_least 5 11; then
	status 0 $bounded iostrata trace -d 100ms "$disk" >/dev/null
	exit 0
fi
status 3 $bounded iostrata check --require trace 2>"$results/err"
grep -q RLIMIT_MEMLOCK "$results/err" || fail "check: $(cat "$results/err")"
for command in "trace -d 100ms $disk" "run --rate 50 --runtime 100ms /dev/$disk"; do
	status 3 $bounded iostrata $command 2>"$results/err"
	equal "lines on stderr" "$(wc -l <"$results/err")" 1
	grep -q 'RLIMIT_MEMLOCK, 64 KiB' "$results/err" || fail "$command: $(cat "$results/err")"
done
