#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# C11: attached and detached under full load, killed and attached again, with
# room for hardly any request in flight: started = completed + in flight + lost
# by reason, and no orphan has a latency of 0 or of the machine's uptime.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"

. "$here/target.sh"

# One at a time, 500 us each: a queue that is 64 deep all the time.
start -q -t 500us -s 64m
fio --name=x --filename="$device" --direct=1 --bs=4k --rw=randrw --ioengine=io_uring --iodepth=64 --time_based --runtime=60 \
	--allow_file_create=0 >"$work/fio" 2>&1 &
fio=$!
end_load() { ! kill -TERM $fio 2>/dev/null || wait $fio || true; }
undo end_load
for _ in $(seq 250); do
	[ "$(state queued)" -lt 40 ] || break
	sleep 0.02
done
[ "$(state queued)" -ge 40 ] || fail "no load: $(cat "$work/fio")"

cat >"$work/common.py" <<'EOF'
r = report("trace")
losses, rows = r["losses"], r["devices"][0]["ops"]
started = sum(row["started"] for row in rows)
completed = sum(row["completed"] for row in rows)
lost = losses["map_full"] + losses["completion_missed"] + losses["series_full"]
equal("unaccounted: started - completed - in flight - lost", r["checks"]["unaccounted"], 0)
within("in flight at the end", started - completed - lost, 0, 128)
within("completed", completed, 20, 10**7)
for name in ("series_full", "clock_backwards"):
    equal("loss " + name, losses[name], 0)
status = int(open("status").read())
equal("exit status", status, 5 if lost or losses["recursion_misses"] else 0)
for row in rows:
    for name in ("queue", "service"):
        dist = row[name]
        within(f"{row['op']} {name}: longest, of a run of {r['run']['duration_ns']}", dist["max_ns"], 0,
               r["run"]["duration_ns"] + (200 * MS if name == "queue" else 0))
    if row["completed"]:
        # By the server's clock no request takes less; had one been taken for
        # another, or its issue for a later one's, it would.
        within(row["op"] + ": shortest service (ns)", row["service"]["min_ns"], 500_000, 10**9)
print(f"{started} started, {completed} completed, {started - completed - lost} in flight,",
      {name: count for name, count in losses.items() if count})
EOF
traced() {
	rm -f "$work/trace"
	well "$IOSTRATA" trace -f json -o "$work/trace" "$@" "$device"
	valid "$work/trace"
}

for length in 50ms 500ms; do
	traced -d $length
	flights <<'EOF'
exec(open("common.py").read())
# Those that were under way when we came: at most what the device holds, and
# what was lost above and completed after all.
within("orphans", losses["orphans_at_attach"], 20, 128 + lost)
within("missed", losses["completion_missed"], 0, 4 + started * 3 // 100)
equal("map_full", losses["map_full"], 0)
EOF
done

# Killed, nothing stays; and the next one works as if nothing had been.
for _ in 1 2; do
	"$IOSTRATA" trace "$device" >/dev/null &
	killed=$!
	ids=$(attached $killed)
	kill -KILL $killed
	wait $killed 2>/dev/null || true
	let_go "SIGKILL" "$ids"
done
traced -d 300ms
flights <<'EOF'
exec(open("common.py").read())
equal("map_full", losses["map_full"], 0)
EOF

# Room for four, with 64 in flight: most are lost, and all are accounted for.
traced -d 700ms --table-sets 1
flights <<'EOF'
exec(open("common.py").read())
within("map_full", losses["map_full"], started // 2, started)
within("in flight at the end", started - completed - lost, 0, 4)
# The end of a request there was no room for is an orphan's.
within("orphans", losses["orphans_at_attach"], losses["map_full"] - 128, losses["map_full"] + 128)
EOF
traced -d 500ms --table-sets 16
flights <<'EOF'
exec(open("common.py").read())
within("in flight at the end", started - completed - lost, 0, 64)
EOF
kill -0 $fio || fail "fio ended early"
