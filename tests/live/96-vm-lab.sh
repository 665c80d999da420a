#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The VM lab tells what became of a guest: status, one line, its log kept, and
# nothing left behind, also when it is interrupted.
. "$(dirname "$0")/lib.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
vm_run=$top/scripts/vm-run
kernel=6.1-cloud
[ -n "${IOSTRATA_CHECK_VM:-}" ] || skip "guests are asked for with IOSTRATA_CHECK_VM=1"
"$vm_run" --fetch $kernel >/dev/null 2>"$work/why" || skip "no kernel to boot: $(tail -n 1 "$work/why")"
export TMPDIR="$work/tmp"
mkdir "$TMPDIR"

case_of() { printf '%s\n' '# vm: cpus=1 time=60' "$@" >"$work/case.sh"; }
nothing_left() {
	equal "what $1 left in TMPDIR" "$(ls "$TMPDIR")" ""
	! pgrep -f "$TMPDIR" >/dev/null || fail "$1 left a guest"
}
ends() { # STATUS PATTERN: the case's status; what stdout and stderr must have
	got=0
	"$vm_run" "$kernel" "$work/case.sh" >"$work/out" 2>&1 || got=$?
	equal "status of: $(tail -n 1 "$work/case.sh")" "$got" "$1"
	grep -qE "$2" "$work/out" || fail "wanted '$2' in: $(cat "$work/out")"
	nothing_left "$(tail -n 1 "$work/case.sh")"
}

case_of 'uname -r; exit 7'
ends 7 '^6\.1\.'
case_of 'echo c >/proc/sysrq-trigger'
ends 1 'the guest died: .*panic.*its log: /'
[ -s "$(sed -n 's/.*its log: //p' "$work/out")" ] || fail "the log is not where it is said to be"
case_of 'echo "WARNING: at a test" >/dev/kmsg'
ends 1 "guest's kernel complained: .*WARNING: at a test"
printf '%s\n' '# vm: cpus=1 time=3' 'echo begun; sleep 1000' >"$work/case.sh"
ends 1 'the guest hung \(limit 3 s\)'
case_of 'exit 0' '# vm: devices=cuckoo'
ends 2 "no device 'cuckoo'"
status 2 "$vm_run" 2.4 00-load-attach 2>/dev/null
status 2 "$vm_run" $kernel no-such-case 2>/dev/null
status 2 "$vm_run" $kernel 2>/dev/null
got=0
IOSTRATA_VM_CACHE=/proc/cache "$vm_run" $kernel 00-load-attach 2>"$work/why" || got=$?
equal "status without a cache" "$got" 1
grep -q 'set IOSTRATA_VM_CACHE' "$work/why" || fail "it said: $(cat "$work/why")"

# Interrupted in the middle of a case.
case_of 'echo begun; sleep 1000'
for signal in INT TERM; do
	env --default-signal=INT "$vm_run" --console $kernel "$work/case.sh" >"$work/out" 2>&1 &
	pid=$!
	for i in $(seq 600); do grep -q '^begun' "$work/out" && break; sleep 0.1; done
	kill -$signal $pid
	got=0
	wait $pid || got=$?
	within "status after SIG$signal" "$got" 130 143
	nothing_left "SIG$signal"
done

# All cases at once, interrupted as from a terminal: guests are told, and end.
setsid env --default-signal=INT KERNELS="$kernel" "$top/tests/run-vm" >"$work/out" 2>&1 &
pid=$!
for i in $(seq 600); do pgrep -f "$TMPDIR.*-append" >/dev/null && break; sleep 0.1; done
pgrep -f "$TMPDIR.*-append" >/dev/null || fail "no guest was started: $(cat "$work/out")"
kill -INT -- -$pid
got=0
wait $pid || got=$?
equal "status of run-vm after SIGINT" "$got" 130
nothing_left "run-vm"
