# SPDX-License-Identifier: GPL-2.0-only
# Bad input: one clear line on stderr naming the thing, the right status, soon.
. "$(dirname "$0")/lib.sh"

truncate -s 1m "$work/file"
target=$work/file
# bad STATUS PATTERN COMMAND...
bad() {
	wanted=$1 pattern=$2; shift 2
	got=0
	timeout 10 "$@" >"$work/out" 2>"$work/err" || got=$?
	equal "status of $*" "$got" "$wanted"
	equal "lines on stderr of $*" "$(wc -l <"$work/err")" 1
	[ ! -s "$work/out" ] || fail "output on stdout: $*"
	grep -q -- "$pattern" "$work/err" || fail "'$(cat "$work/err")' does not say '$pattern'"
}
load() { expect=$1 says=$2; shift 2; bad "$expect" "$says" "$IOSTRATA" load "$@"; }
plan="--rate 100 --runtime 100ms"
# shellcheck disable=SC2086  # $plan is a list of words
{
load 1 "/dev/no-such-thing.*no such" $plan /dev/no-such-thing
load 1 "is a directory" $plan "$work"
load 1 "neither" $plan /dev/null
load 2 "missing TARGET" $plan
load 2 "too many.*extra" $plan "$target" extra
load 2 "--rate 0" --rate 0 --runtime 1s "$target"
load 2 "--rate 12abc" --rate 12abc --runtime 1s "$target"
load 2 "--rate -5" --rate -5 --runtime 1s "$target"
load 2 "--rate 2000000000.*1000000000" --rate 2000m --runtime 1s "$target"
load 2 "--rate 20000000.*poisson" --arrival poisson --rate 20m --runtime 1s "$target"
load 2 "--rate is missing" --runtime 1s "$target"
load 2 "--runtime or --requests" --rate 100 "$target"
load 2 "--runtime 10" --rate 100 --runtime 10 "$target"
load 2 "--runtime 0" --rate 100 --runtime 0 "$target"
load 2 "--bs -4k" $plan --bs -4k "$target"
load 2 "--bs 99999999999999999999" $plan --bs 99999999999999999999 "$target"
load 2 "--bs 0" $plan --bs 0 "$target"
load 2 "--bs 2g" $plan --bs 2g "$target"
load 2 "--bs 1000.*multiple" $plan --bs 1000 "$target"
load 1 "smaller than one block" $plan --bs 2m "$target"
load 2 "1 to 65535" $plan --in-flight-cap 65536 "$target"
load 2 "--requests 0" --rate 100 --requests 0 "$target"
load 2 "--arrival fast.*poisson" $plan --arrival fast "$target"
load 2 "--arrival closed" $plan --clients 4 "$target"
load 2 "--rate is for open" $plan --arrival closed "$target"
load 2 "--write" $plan --rw write "$target"
load 2 "--destroy-data" $plan --destroy-data "$target" "$target"
load 2 "--sync" $plan --sync dsync "$target"
load 1 "a file that exists" $plan --rw write --write "$target"
load 1 "/dev/full.*space" $plan -o /dev/full "$target"
load 1 "No such file" $plan -o "$work/none/r.json" "$target"
load 1 "/dev/full.*space" $plan -o "$work/r.txt" --io-log /dev/full "$target"
}

# io_uring forbidden, as a container's seccomp profile or the sysctl does.
cat >"$work/forbid.py" <<'P'
import ctypes, os, struct, sys
err, libc = int(sys.argv[1]), ctypes.CDLL(None, use_errno=True)
code = [(0x20, 0, 0, 0), (0x15, 0, 1, 425), (6, 0, 0, 0x50000 | err), (6, 0, 0, 0x7fff0000)]
filter_ = b''.join(struct.pack('HBBI', *c) for c in code)
buffer = ctypes.create_string_buffer(filter_)
program = struct.pack('HxxxxxxQ', len(code), ctypes.addressof(buffer))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0
os.execv(sys.argv[2], sys.argv[2:])
P
# shellcheck disable=SC2086
{
bad 3 "io_uring is refused.*seccomp" python3 "$work/forbid.py" 1 "$IOSTRATA" load $plan "$target"
bad 4 "no io_uring.*CONFIG_IO_URING" python3 "$work/forbid.py" 38 "$IOSTRATA" load $plan "$target"
}

if [ "$(id -u)" = 0 ]; then
	chmod 600 "$target"; chmod 755 "$work"
	cp "$IOSTRATA" "$work/iostrata"
	# shellcheck disable=SC2086
	bad 3 "no permission" setpriv --reuid 65534 --regid 65534 --clear-groups "$work/iostrata" load $plan "$target"
	# Little locked memory: works without registered buffers, and says so.
	chmod 644 "$target"
	# shellcheck disable=SC2086
	(ulimit -l 1024; setpriv --reuid 65534 --regid 65534 --clear-groups "$work/iostrata" load $plan "$target") >"$work/out"
	grep -q "RLIMIT_MEMLOCK" "$work/out" || fail "unregistered buffers are not mentioned"

	device=$(losetup -r -f --show "$target")
	free_device() { losetup -d "$device"; }
	undo free_device
	# shellcheck disable=SC2086
	load 1 "$device.*read-only" $plan --rw write --write --destroy-data "$device" "$device"
fi
