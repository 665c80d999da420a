# SPDX-License-Identifier: GPL-2.0-only
# Sourced by the target's live cases, after lib.sh.
need_root
[ -e /dev/fuse ] && [ -e /dev/loop-control ] || skip "no /dev/fuse or /dev/loop-control"

# start ARGS…: a target in the background; sets target, device, loop, directory,
# control, keeper, server.
start() {
	: >"$work/out"
	"$IOSTRATA" target "$@" >"$work/out" 2>"$work/err" &
	target=$!
	undo stop
	for _ in $(seq 200); do
		[ -s "$work/out" ] && break
		kill -0 $target 2>/dev/null || fail "target did not start: $(cat "$work/err")"
		sleep 0.05
	done
	[ -s "$work/out" ] || fail "target not ready after 10 s"
	found "$(cat "$work/out")"
}
found() { # DEVICE
	device=$1 loop=${1#/dev/}
	directory=$(dirname "$(cat "/sys/block/$loop/loop/backing_file")")
	control=$directory/control
	keeper=$(pgrep -P "$target" -x iostrata-keeper) || fail "no keeper"
	server=$(pgrep -P "$keeper" -x iostrata-server) || fail "no server"
}
stop() { ! kill -TERM "$target" 2>/dev/null || wait "$target" || true; }

gone() { [ ! -e "/proc/$1" ] || grep -q '^State:	Z' "/proc/$1/status" 2>/dev/null; }
left() { # prints what is left of the target that was found
	grep -q " $directory " /proc/mounts && echo "mount $directory"
	[ ! -e "$directory" ] || echo "directory $directory"
	case $(cat "/sys/block/$loop/loop/backing_file" 2>/dev/null) in
	"$directory/disk" | /disk) echo "loop device $device" ;;
	esac
	for pid in "$target" "$keeper" "$server" "$@"; do
		gone "$pid" || echo "process $pid ($(cat "/proc/$pid/comm"))"
	done
	true
}
# nothing_left SECONDS WHAT [PID…]: waits so long for nothing to be left
nothing_left() {
	local limit=$((SECONDS + $1)) what=$2
	shift 2
	while [ -n "$(left "$@")" ]; do
		[ $SECONDS -lt "$limit" ] || fail "$what: left behind: $(left "$@" | tr '\n' ',')"
		sleep 0.05
	done
}
state() { sed -n "s/^$1=//p" "$control"; }
# column NAME of the account $work/served.csv
column() { awk -F, -v c="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) n = i; next } { print $n }' "$work/served.csv"; }
