#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Windows add up to the whole, whatever their number: the first begins when
# counting does, the last ends when the duration does. A device named twice is
# one device.
. "$(dirname "$0")/lib.sh"
need_root
need_bpf
[ -e /dev/loop-control ] || skip "no /dev/loop-control"

truncate -s 64M "$work/disk"
device=$(losetup -f --show --direct-io=on "$work/disk" 2>/dev/null || losetup -f --show "$work/disk")
detach() { losetup -d "$device"; }
undo detach

# windows SECONDS… ARGS: traces while 211 I/Os pass; prints what was seen.
windows() {
	"$IOSTRATA" trace -f json -o "$work/windows" "$@" "$device" "$device" &
	trace=$!
	sleep 1
	"$IOSTRATA" load --rate 211 --requests 211 "$device" >"$work/load" || fail "$(cat "$work/load")"
	status=0
	wait $trace || status=$?
	# 5: the kernel withheld a completion, which the losses below then tell.
	[ $status = 0 ] || [ $status = 5 ] || fail "trace $*: exit status $status"
	python3 - "$work/windows" <<'PY'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
ops = [op for r in rows for d in r.get("devices", []) for op in d["ops"]]
assert all(len(r.get("devices", [])) <= 1 for r in rows), "one device, two rows"
missed = sum(r["losses"]["completion_missed"] for r in rows)
print(len(rows), sum(r["run"]["duration_ns"] for r in rows) // 10**6,
      sum(op["started"] for op in ops), sum(op["completed"] for op in ops) + missed,
      sum(op["service"]["count"] for op in ops) + missed)
PY
}

read -r count ms started completed samples < <(windows -i 400ms -d 3500ms)
equal "windows of 400 ms in 3.5 s" "$count" 9
within "their time together (ms)" "$ms" 3499 3600
equal "started, all windows" "$started" 211
# A withheld completion shows only when its request's memory serves again.
within "completed or known as missed" "$completed" 209 211
equal "samples" "$samples" "$completed"

read -r count ms started completed samples < <(windows -i 9s -d 3s)
equal "windows of 9 s in 3 s" "$count" 1
within "its time (ms)" "$ms" 2999 3100
equal "started in it" "$started" 211

read -r count ms started completed samples < <(windows -i 1100ms -n 3)
equal "windows asked for by -n" "$count" 3
within "their time together (ms)" "$ms" 3299 3400
equal "started, all windows" "$started" 211
