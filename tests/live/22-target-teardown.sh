#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Whatever ends a target, no loop device, mount, directory or process stays,
# and I/O in flight fails rather than hangs.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/target.sh"

readers() { # keeps reads in flight until they fail; sets reader
	fio --name=x --filename="$device" --direct=1 --rw=randrw --bs=4k --ioengine=io_uring --iodepth=64 \
		--time_based --runtime=60 >"$work/fio.out" 2>&1 &
	reader=$!
	for _ in $(seq 100); do [ "$(state queued)" -gt 10 ] && return; sleep 0.05; done
	fail "no I/O in flight: $(cat "$work/fio.out")"
}
ends_with_errors() { # PID: within 10 s, and not well
	for _ in $(seq 200); do gone "$1" && break; sleep 0.05; done
	gone "$1" || fail "process $1 hangs on a dead device"
	! wait "$1" || fail "process $1 saw no I/O error"
}

for signal in TERM INT HUP; do
	start -t 1ms
	kill -$signal $target
	status 0 wait $target
	nothing_left 1 "SIG$signal"
done

# One of ours killed, idle and with I/O in flight.
for victim in target keeper server; do
	start -t 1ms -s 64m
	kill -KILL "${!victim}"
	nothing_left 5 "SIGKILL of the $victim"
	[ $victim = target ] || status 1 wait $target
	[ $victim = target ] || grep -q "killed" "$work/err" || fail "$victim: no message: $(cat "$work/err")"

	start -t 20ms -s 64m
	readers
	kill -KILL "${!victim}"
	ends_with_errors $reader
	nothing_left 5 "SIGKILL of the $victim with I/O in flight"
done
start -t 20ms -s 64m
readers
kill -TERM $target
status 0 wait $target
ends_with_errors $reader
nothing_left 5 "SIGTERM with I/O in flight"

# Two killed at once: the third cleans up.
for two in "target keeper" "target server" "keeper server"; do
	set -- $two
	start -t 20ms
	kill -KILL "${!1}" "${!2}"
	nothing_left 8 "SIGKILL of $two"
done

# All three at once: the next target sweeps the mount.
start -t 20ms
kill -STOP "$server" "$keeper" "$target"
kill -KILL "$target" "$keeper" "$server"
sleep 0.3
status 0 "$IOSTRATA" target -q -- true
nothing_left 2 "SIGKILL of all, swept by the next one"

# Stopped, not dead: nothing may wait for them for good.
start -t 1ms
kill -STOP "$server"
kill -TERM $target
nothing_left 12 "SIGTERM with a stopped server"
start -t 1ms
kill -STOP "$server"
kill -KILL "$keeper"
nothing_left 12 "SIGKILL of the keeper with a stopped server"

# An answer that is hours away.
start -t 1ms -f 7200s
dd if=/dev/zero of="$device" bs=4k count=1 conv=fsync status=none 2>/dev/null &
writer=$!
sleep 0.5
kill -TERM $target
status 0 wait $target
nothing_left 5 "SIGTERM during a flush of two hours"
wait $writer || true

# Dirty pages nobody wrote back.
start -t 10ms -s 64m
dd if=/dev/zero of="$device" bs=1M count=32 status=none
kill -TERM $target
nothing_left 6 "SIGTERM with dirty pages"

# Open elsewhere: all else goes, the message names who, the device follows.
start -t 1ms
sleep 100 <"$device" &
holder=$!
sleep 0.2
kill -TERM $target
status 1 wait $target
grep -q "still open by sleep (pid $holder)" "$work/err" || fail "the holder is not named: $(cat "$work/err")"
equal "left with a holder" "$(left)" "loop device $device"
status 1 dd if="$device" of=/dev/null bs=4k count=1 iflag=direct status=none 2>/dev/null
kill $holder
nothing_left 2 "the holder's end"

# A filesystem on it, a shell within its directory.
start -t 0 -s 64m
mkfs.ext4 -q "$device"
mkdir "$work/mnt"
mount "$device" "$work/mnt"
unmount() { ! mountpoint -q "$work/mnt" || umount -l "$work/mnt"; }
undo unmount
echo data >"$work/mnt/file"
(cd "$directory" && exec sleep 100) &
inside=$!
sleep 0.2
kill -TERM $target
status 0 wait $target
nothing_left 5 "SIGTERM with a mounted filesystem"
mountpoint -q "$work/mnt" && fail "the filesystem on it is still mounted"
kill $inside

# Unmounted behind our back.
start -t 1ms
umount -l "$directory"
kill -TERM $target
wait $target || true
nothing_left 12 "SIGTERM after a foreign umount -l"
echo "all ends are clean"
