# SPDX-License-Identifier: GPL-2.0-only
# `check` without privileges, with just those it names, in other namespaces and
# with io_uring switched off: it says what is so, by exit status and in words.
. "$(dirname "$0")/lib.sh"
need_root
command -v setpriv >/dev/null || skip "needs setpriv"

# Others must be able to reach the program.
chmod 755 "$work"
cp "$IOSTRATA" "$work/iostrata"
check=$work/iostrata
nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
with_caps() {
	caps=$1; shift
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "-all,$caps" \
		--ambient-caps "-all,$caps" --bounding-set "-all,$caps" "$@"
}
fact() { json "$1" "r['check']['facts']['$2']['$3']['value']"; }
possible() { json "$1" "r['check']['commands']['$2']['possible']"; }

# Nobody: everything still answers, nothing fails.
nobody timeout 20 "$check" check -f json >"$work/nobody.json" 2>"$work/err"
equal "bytes on stderr" "$(wc -c <"$work/err")" 0
equal "trace for nobody" "$(possible "$work/nobody.json" trace)" false
equal "its status" "$(json "$work/nobody.json" "r['check']['commands']['trace']['status']")" 3
equal "cap_bpf of nobody" "$(fact "$work/nobody.json" privileges cap_bpf)" false
status 3 nobody "$check" check --require trace 2>"$work/err"
equal "lines on stderr" "$(wc -l <"$work/err")" 1
grep -q 'CAP_BPF and CAP_PERFMON' "$work/err" || fail "no remedy: $(cat "$work/err")"
status 3 nobody "$check" check --require target 2>"$work/err"

# What root can't do, no remedy of privilege may be named for. What root can:
"$check" check -f json >"$work/root.json"
if [ "$(possible "$work/root.json" trace)" = true ]; then
	status 0 "$check" check --require trace
	# …these two capabilities can, too; one alone can't.
	with_caps +bpf,+perfmon "$check" check -f json >"$work/caps.json"
	equal "trace with two capabilities" "$(possible "$work/caps.json" trace)" true
	equal "boundaries with two capabilities" \
		"$(json "$work/caps.json" "[b['hook'] for b in r['check']['boundaries']]")" \
		"$(json "$work/root.json" "[b['hook'] for b in r['check']['boundaries']]")"
	status 0 with_caps +bpf,+perfmon "$check" check --require trace
	status 3 with_caps +bpf "$check" check --require trace 2>"$work/err"
	status 3 with_caps +bpf,+perfmon "$check" check --require target 2>"$work/err"
else
	status "$(json "$work/root.json" "r['check']['commands']['trace']['status']")" \
		"$check" check --require trace 2>"$work/err"
fi

# A user namespace's root has every capability, and none that counts.
if unshare -Ur true 2>/dev/null; then
	unshare -Ur "$check" check -f json >"$work/userns.json"
	equal "initial user namespace" "$(fact "$work/userns.json" privileges initial_user_namespace)" false
	status 3 unshare -Ur "$check" check --require trace 2>"$work/err"
fi

# A time namespace shifts our clock, not the kernel's stamps: read and measured.
equal "offset here" "$(fact "$work/root.json" namespaces monotonic_offset_ns)" 0
if unshare -T --monotonic 1000 true 2>/dev/null; then
	unshare -T --monotonic 1000 "$check" check -f json >"$work/timens.json"
	equal "offset as told" "$(fact "$work/timens.json" namespaces monotonic_offset_ns)" 1000000000000
	if [ "$(possible "$work/root.json" trace)" = true ]; then
		within "offset as measured" "$(fact "$work/timens.json" namespaces measured_offset_ns)" \
			999999000000 1000001000000
	fi
fi
if unshare -p -f true 2>/dev/null; then
	unshare -p -f --mount-proc "$check" check -f json >"$work/pidns.json"
	equal "initial pid namespace" "$(fact "$work/pidns.json" namespaces initial_pid_namespace)" false
	equal "and outside" "$(fact "$work/root.json" namespaces initial_pid_namespace)" true
fi

# No locked memory at all: the ring's own memory is what fails.
if [ "$(possible "$work/nobody.json" load)" = true ]; then
	(ulimit -l 0; nobody "$check" check --require load) 2>"$work/err" && rc=0 || rc=$?
	[ $rc = 0 ] || { equal "status without memlock" $rc 3; grep -q RLIMIT_MEMLOCK "$work/err" || fail "$(cat "$work/err")"; }
fi

# io_uring switched off, for all and for the unprivileged.
switch=/proc/sys/kernel/io_uring_disabled
[ -w $switch ] && [ "$(possible "$work/root.json" load)" = true ] || exit 0
switched=$(cat $switch)
restore() { echo "$switched" >$switch; }
undo restore
echo 2 >$switch
status 4 "$check" check --require load 2>"$work/err"
grep -q 'sysctl kernel.io_uring_disabled=0' "$work/err" || fail "no remedy: $(cat "$work/err")"
"$check" check -f json >"$work/off.json"
equal "planned without io_uring" "$(json "$work/off.json" "r['check']['boundaries'][0]['available']")" false
equal "the switch" "$(fact "$work/off.json" io_uring io_uring_disabled)" 2
echo 1 >$switch
status 3 nobody "$check" check --require load 2>"$work/err"
status 0 "$check" check --require load
