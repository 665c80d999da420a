#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# C12: the same I/O seen by trace, by fio itself, by the device's own counters
# and by biolatency: the counts are equal. Windows add up to the whole.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"

scratch 64m
keep nomerges 2 # one I/O, one request
stat() { awk -v OFS=, '{ print $1, $3, $5, $7 }' "/sys/block/${1#/dev/}/stat"; }
load() { # fio on $1, its report in $work/fio.json
	device=$1
	shift
	fio --name=x --filename="$device" --direct=1 --bs=4k --ioengine=io_uring --norandommap --allow_file_create=0 \
		--output-format=json --output="$work/fio.json" "$@" || fail "fio: $(cat "$work/fio.json")"
}
# traced DEVICE TRACE-ARGS…: trace in the background, its output in $work/trace
traced() {
	"$IOSTRATA" trace -f json -o "$work/trace" "$@" 2>"$work/err" &
	tracing=$!
	attached $tracing >"$work/held"
}
finish() { # SIGINT, and the status of what was done
	kill -INT $tracing
	well wait $tracing
	valid "$work/trace"
	let_go "trace" "$(cat "$work/held")"
}
cat >"$work/common.py" <<'EOF'
fio = report("fio.json")["jobs"][0]
asked = {"read": fio["read"]["total_ios"], "write": fio["write"]["total_ios"]}
before, after = ([int(n) for n in open(name).read().split(",")] for name in ("stat.before", "stat.after"))
stat = {"read": after[0] - before[0], "write": after[2] - before[2]}
sectors = {"read": after[1] - before[1], "write": after[3] - before[3]}

def conserved(r):
    """Started = completed + in flight + lost: with no load left, what is in
    flight is what was withheld and not yet found out."""
    missed = r["losses"]["completion_missed"]
    equal("unaccounted", r["checks"]["unaccounted"], 0)
    for name in ("map_full", "series_full", "orphans_at_attach", "clock_backwards", "recursion_misses", "partial_completions"):
        equal("loss " + name, r["losses"][name], 0)
    status = int(open("status").read())
    equal("exit status", status, 5 if missed else 0)
    started = sum(op(r, name)["started"] for name in asked)
    completed = sum(op(r, name)["completed"] for name in asked)
    # Some kernels withhold completion events while certain tasks are interrupted.
    within("completed of " + str(started), completed, started * 0.97 - 4, started)
    within("in flight or missed", started - completed, missed, missed + 128)
    return started - completed

def agrees(r):
    withheld = conserved(r)
    for name in asked:
        row = op(r, name)
        equal(f"{name} requests started, as fio counts", row["started"], asked[name])
        equal(f"{name} requests started, as the device counts", row["started"], stat[name])
        equal(f"{name}: queue times and unknown ones", row["completed"], row["queue"]["count"] + row["queue_unknown"] if row["started"] else 0)
        equal(f"{name}: service times", row["completed"], row["service"]["count"] if row["started"] else 0)
        if row["completed"] == row["started"]:
            equal(f"{name} bytes", row["bytes"], 512 * sectors[name])
    print(f"{asked} asked and seen, {withheld} completions withheld")
    return withheld
EOF

# A mixed load, with biolatency beside on the same device.
stdbuf -oL biolatency -d "${scratch#/dev/}" 600 1 >"$work/biolatency" 2>"$work/biolatency.err" &
peer=$!
end_peer() { ! kill -INT $peer 2>/dev/null || wait $peer || true; }
undo end_peer
for _ in $(seq 200); do grep -q Tracing "$work/biolatency" && break; sleep 0.05; done
grep -q Tracing "$work/biolatency" || fail "biolatency does not start: $(cat "$work/biolatency.err")"
traced "$scratch"
stat "$scratch" >"$work/stat.before"
load "$scratch" --rw=randrw --iodepth=8 --number_ios=4001 --rate_iops=8k
stat "$scratch" >"$work/stat.after"
finish
kill -INT $peer
wait $peer || true
flights <<'EOF'
exec(open("common.py").read())
r = report("trace")
withheld = agrees(r)
seen = 0
for line in open("biolatency"):
    part = line.split(":")
    if "->" in part[0] and len(part) > 1:
        seen += int(part[1].split("|")[0])
# The peer counts completions, and lacks what is withheld from it as from us.
mine = sum(row["completed"] for row in r["devices"][0]["ops"])
within(f"completions that biolatency saw, of {mine} seen by us", seen, mine - withheld - 4, mine + withheld)
if not withheld:
    equal("completions that biolatency saw", seen, mine)
print(f"biolatency saw {seen}, trace {mine}")
EOF

# Windows, each a line; they add up to fio's count, counter by counter.
traced -i 100ms "$scratch"
stat "$scratch" >"$work/stat.before"
load "$scratch" --rw=randread --iodepth=4 --number_ios=3001 --rate_iops=4k
stat "$scratch" >"$work/stat.after"
sleep 0.15
finish
flights <<'EOF'
exec(open("common.py").read())
windows = [json.loads(line) for line in open("trace")]
within("windows", len(windows), 5, 100)
equal("their numbers", [w["run"]["window"] for w in windows], list(range(1, len(windows) + 1)))
rows = [row for w in windows for d in w.get("devices", []) for row in d["ops"] if row["op"] == "read"]
started = sum(row["started"] for row in rows)
completed = sum(row["completed"] for row in rows)
equal("started in all windows", started, asked["read"])
within("completed in all windows", completed, started * 0.97 - 4, started)
equal("service times in all windows", sum(row["service"]["count"] for row in rows), completed)
equal("buckets of all windows", sum(b[2] for row in rows for b in row["service"]["buckets"]), completed)
if completed == started:
    equal("bytes in all windows", sum(row["bytes"] for row in rows), 512 * sectors["read"])
ends = [w["run"]["started_realtime_ns"] + w["run"]["duration_ns"] for w in windows]
for w, end in zip(windows[1:], ends):
    within("a window begins where the one before ended (ns)", w["run"]["started_realtime_ns"] - end, -1, 1)
EOF

# -n ends by itself.
status 0 "$IOSTRATA" trace -i 50ms -n 3 -f json -o "$work/trace" "$scratch"
equal "windows of -n 3" "$(wc -l <"$work/trace")" 3
valid "$work/trace"

# Without the kernel's own stamps, or with the insert event in their place.
keep iostats 0
for scheduler in none mq-deadline; do
	keep scheduler $scheduler
	traced "$scratch"
	load "$scratch" --rw=randread --iodepth=4 --number_ios=1000
	finish
	flights $scheduler <<'EOF'
r, scheduler = report("trace"), sys.argv[2]
row = op(r, "read")
equal("started", row["started"], report("fio.json")["jobs"][0]["read"]["total_ios"])
# Directly issued, nothing tells when the wait began: unknown, never 0.
unknown = row["completed"] if scheduler == "none" else 0
within(f"{scheduler}: queue times unknown", row["queue_unknown"], unknown * 0.9, unknown)
equal(f"{scheduler}: queue times", row["queue"]["count"], row["completed"] - row["queue_unknown"])
within(f"{scheduler}: longest queue time (ms)", row["queue"]["max_ns"] / MS, 0, 5000)
EOF
done
