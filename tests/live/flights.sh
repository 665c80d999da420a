# SPDX-License-Identifier: GPL-2.0-only
# Sourced by the live cases of `run` and `trace`, after lib.sh.
need_root
need_bpf
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# What runs in the background when a case fails ends with it.
end_jobs() {
	for pid in $(jobs -p); do kill -TERM "$pid" 2>/dev/null || true; done
	wait
}
undo end_jobs

# flights [ARGUMENT…] <<'EOF': Python with all of flights.py, in $work
flights() {
	(cd "$work" && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here" python3 -c 'import sys
from flights import *
exec(compile(sys.stdin.read(), sys.argv[1], "exec"))' "${0##*/}" "$@")
}
# calmly CASE: a function in which flights.py's soon() may find this machine too
# busy (exit status 75): then it is tried again, five times in all. What is wrong
# at any load fails at once.
calmly() {
	for try in 1 2 3 4 5; do
		got=0
		(trap - EXIT; set -e; "$1") || got=$?
		[ $got = 75 ] || break
		echo "$1: try $try met a busy machine" >&2
	done
	[ $got = 0 ] || exit 1
}
valid() { "$root/scripts/validate-report" "$@" >"$work/validated" 2>&1 || fail "$(cat "$work/validated")"; }
# well COMMAND…: exits with 0, or with 5: flights.py's clean() wants the reason
well() {
	got=0
	"$@" || got=$?
	echo $got >"$work/status"
	[ $got = 0 ] || [ $got = 5 ] || fail "exit status of $*: got $got, wanted 0 or 5"
}
# run ARGS…: iostrata run, its report in $work/r.json and its I/Os in $work/ios.csv
run() { well "$IOSTRATA" run -f json -o "$work/r.json" --io-log "$work/ios.csv" "$@"; }
# scratch SIZE [losetup options…]: a loop device on a file of zeros, without a
# scheduler; sets scratch, and queue to its settings, which a later owner of the
# device would inherit: keep NAME VALUE sets one until the end
scratch_devices="" kept=""
scratch() {
	size=$1
	shift
	file=$work/scratch.$(wc -w <<<"$scratch_devices")
	# Written, not a hole: the time of a read should not depend on it.
	head -c "$size" /dev/zero >"$file"
	scratch=$(losetup -f --show "$@" "$file")
	queue=/sys/block/${scratch#/dev/}/queue
	[ -n "$scratch_devices" ] || undo free_scratch
	scratch_devices="$scratch_devices $scratch"
	keep scheduler none
}
keep() { # NAME VALUE
	was=$(sed -E 's/.*\[(.*)\].*/\1/' "$queue/$1") || return 0
	[ "$was" != "$2" ] || return 0
	kept="$queue/$1=$was $kept"
	echo "$2" >"$queue/$1"
}
free_scratch() {
	for setting in $kept; do echo "${setting#*=}" >"${setting%%=*}"; done
	for device in $scratch_devices; do losetup -d "$device"; done
}
# held PID: ids of the BPF programs, links and maps that process holds, by its
# descriptors; others may trace at the same time
held() { sed -nE 's/^(prog|link|map)_id:\s*([0-9]+)$/\1 \2/p' /proc/"$1"/fdinfo/* 2>/dev/null | sort -u; }
bpftool=$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v bpftool) || skip "no bpftool"
still() { while read -r kind id; do ! "$bpftool" "$kind" show id "$id" >/dev/null 2>&1 || echo "$kind $id"; done <<<"$1"; }
# let_go WHAT IDS: waits 3 s for the kernel to free what `held` said
let_go() {
	[ -n "$2" ] || fail "$1: held no BPF object"
	for _ in $(seq 60); do
		[ -n "$(still "$2")" ] || return 0
		sleep 0.05
	done
	fail "$1: left behind: $(still "$2" | tr '\n' ',')"
}
# attached PID: waits until it holds links, then a moment more; prints what it holds
attached() {
	for _ in $(seq 200); do
		[ "$(held "$1" | grep -c link)" -ge 3 ] && break
		kill -0 "$1" 2>/dev/null || fail "ended before it was attached: $(cat "$work"/err* 2>/dev/null)"
		sleep 0.02
	done
	sleep 0.2
	held "$1"
}
# loading PID: waits until a run's generator has its ring, then a moment more
loading() {
	for _ in $(seq 250); do
		! ls -l "/proc/$1/fd" 2>/dev/null | grep -q io_uring || break
		kill -0 "$1" 2>/dev/null || fail "ended before it had a ring"
		sleep 0.02
	done
	sleep 0.3
}
# bad STATUS PATTERN COMMAND…: nothing on stdout, one line on stderr that says so
bad() {
	wanted=$1 pattern=$2
	shift 2
	got=0
	timeout 20 "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
	equal "status of $* ($(cat "$work/err"))" "$got" "$wanted"
	[ ! -s "$work/out" ] || fail "output on stdout: $*"
	one_line "$*" "$work/err" "$pattern"
}
# one_line WHAT FILE PATTERN: exactly one line, that says so
one_line() {
	equal "lines on stderr of $1" "$(wc -l <"$2")" 1
	grep -q -- "$3" "$2" || fail "$1: '$(cat "$2")' does not say '$3'"
}
