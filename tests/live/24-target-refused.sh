#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What can't be is refused in one line that names it, with its status, and
# leaves nothing.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/target.sh"

# refused STATUS TEXT COMMAND…
refused() {
	local want=$1 text=$2
	shift 2
	status "$want" timeout 20 "$@" >"$work/out" 2>"$work/err"
	grep -qF -- "$text" "$work/err" || fail "'$text' is not in: $(cat "$work/err")"
	equal "stdout of: $*" "$(cat "$work/out")" ""
}
before=$(find /run /tmp -maxdepth 1 -name 'iostrata.*' | wc -l)
refused 2 "12abc" "$IOSTRATA" target -s 12abc
refused 2 "-1" "$IOSTRATA" target -s -1
refused 2 "too large" "$IOSTRATA" target -s 99999999t
refused 2 "multiple of 4096" "$IOSTRATA" target -s 5000
refused 2 "1024" "$IOSTRATA" target -b 1024
refused 2 "service-time" "$IOSTRATA" target -t 10
refused 2 "--pause" "$IOSTRATA" target -k 1
refused 2 "--pause" "$IOSTRATA" target -a 0
refused 2 "pause-at-request" "$IOSTRATA" target -p 1ms -k 0
refused 1 "/no/such/dir/file" "$IOSTRATA" target -A /no/such/dir/file
refused 1 "no-such-command" "$IOSTRATA" target -q -- no-such-command
refused 1 "/dev/full" "$IOSTRATA" target -q -A /dev/full -- sh -c 'echo arm >$IOSTRATA_CONTROL; dd if=$IOSTRATA_DEVICE of=/dev/null count=1 iflag=direct status=none'
status 1 sh -c '"$0" target >/dev/full 2>"$1"' "$IOSTRATA" "$work/err"
grep -q "standard output: No space" "$work/err" || fail "a full stdout is not told: $(cat "$work/err")"
cp "$IOSTRATA" "$work/iostrata"
chmod 755 "$work"
refused 3 "root" setpriv --reuid=65534 --regid=65534 --clear-groups "$work/iostrata" target
refused 3 "CAP_SYS_ADMIN" setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$IOSTRATA" target
refused 4 "/dev/fuse" unshare -m sh -c 'mount -t tmpfs none /dev; mknod /dev/loop-control c 10 237; exec "$0" target' "$IOSTRATA"
refused 4 "/dev/loop-control" unshare -m sh -c 'mknod '"$work"'/fuse c 10 229; mount -t tmpfs none /dev; cp -a '"$work"'/fuse /dev/fuse; exec "$0" target' "$IOSTRATA"
equal "directories left" "$(find /run /tmp -maxdepth 1 -name 'iostrata.*' | wc -l)" "$before"
