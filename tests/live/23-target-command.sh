#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A command that runs with a target: its status, its end, and ours.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/target.sh"

status 0 "$IOSTRATA" target -q -- true
status 1 "$IOSTRATA" target -q -- false
status 7 "$IOSTRATA" target -q -- sh -c 'exit 7'
status 143 "$IOSTRATA" target -q -- sh -c 'kill -TERM $$'
status 137 "$IOSTRATA" target -q -- sh -c 'kill -KILL $$'
equal "stdout is the command's" "$("$IOSTRATA" target -- echo hello 2>/dev/null)" hello
equal "stdin too" "$(echo hello | "$IOSTRATA" target -q -- cat)" hello
equal "other descriptors too" "$("$IOSTRATA" target -q -- sh -c 'echo hello >&5' 5>&1)" hello
status 0 "$IOSTRATA" target -q -- sh -c '[ -b "$IOSTRATA_DEVICE" ] && grep -q armed=0 "$IOSTRATA_CONTROL"'
status 0 "$IOSTRATA" target -q -s 64m -- "$IOSTRATA" target -q -s 64m -- true

# Several at once find devices of their own.
for i in 1 2 3 4 5 6; do "$IOSTRATA" target -q -s 16m -- sh -c 'echo $IOSTRATA_DEVICE; sleep 1' >"$work/several.$i" & done
wait
equal "devices of six targets" "$(sort -u "$work"/several.* | wc -l)" 6

# nohup holds; a caller that ignores SIGCHLD still gets the status.
status 0 sh -c 'trap "" HUP; "$0" target -q -- sh -c "kill -HUP \$(ps -o ppid= \$PPID); sleep 0.3"' "$IOSTRATA"
status 5 python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])' "$IOSTRATA" target -q -- sh -c 'exit 5'

# with COMMAND…: a target with a command, in the background; as `start`.
with() {
	rm -f "$work/at"
	"$IOSTRATA" target -t 1ms -- sh -c 'echo $IOSTRATA_DEVICE $$ >'"$work/at"'; '"$1" >"$work/out" 2>"$work/err" &
	target=$!
	undo stop
	for _ in $(seq 200); do [ -s "$work/at" ] && break; sleep 0.05; done
	read -r device command <"$work/at"
	sleep 0.1
	found "$device"
}
with 'sleep 100 & setsid sleep 100 & wait'
children=$(pgrep -P "$command")
kill -TERM $target
status 143 wait $target
nothing_left 5 "SIGTERM with a command" "$command" $children

with 'trap "" TERM INT HUP; sleep 100; sleep 100'
kill -HUP $target
status 137 wait $target
nothing_left 8 "SIGHUP with a command that ignores it" "$command"

with 'sleep 100; true'
children=$(pgrep -P "$command")
kill -KILL "$command"
status 137 wait $target
nothing_left 5 "SIGKILL of the command" $children

for victim in target keeper; do
	with 'sleep 100; true'
	children=$(pgrep -P "$command")
	kill -KILL "${!victim}"
	nothing_left 5 "SIGKILL of the $victim with a command" "$command" $children
	[ $victim = target ] || status 1 wait $target
done

# The command sees errors, not a hang, and may end by itself.
with 'dd if=$IOSTRATA_DEVICE of=/dev/null bs=4k iflag=direct; echo dd said $?; true'
kill -KILL "$server"
status 1 wait $target
grep -q "dd said 1" "$work/out" || fail "the command saw no error: $(cat "$work/out" "$work/err")"
grep -q "server (pid $server) was killed by signal 9" "$work/err" || fail "not told: $(cat "$work/err")"
nothing_left 5 "SIGKILL of the server with a command" "$command"

# A command that leaves children behind takes them along.
with 'setsid sleep 100 & sleep 0.5'
children=$(pgrep -x sleep -P "$command" | head -n 1)
status 0 wait $target
nothing_left 5 "a daemon left behind" $children
