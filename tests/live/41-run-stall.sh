#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# B2 and B3: the twin of the pause. The device never pauses, the generator is
# stopped for 100 ms. From the planned arrival the figures are those of B1;
# but the time is in `backlog`, and the verdict says so. What was stalled leaves
# as one burst; with one in flight at most, one after the other.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"

# stalled ARGS…
stalled() {
	well "$IOSTRATA" target -q -t 1ms -A "$work/served.csv" -- sh -c 'exec "$@" "$IOSTRATA_DEVICE"' - \
		python3 "$here/stall.py" "$work/stall.json" \
		"$IOSTRATA" run -f json -o "$work/r.json" --io-log "$work/ios.csv" --rate 100 --runtime 2s "$@"
	valid "$work/r.json"
}
cat >"$work/common.py" <<'EOF'
r, ios, served = report("r.json"), rows("ios.csv"), rows("served.csv")
stall = report("stall.json")
clean(r)
counts_add_up(r)
equal("planned and completed", (r["load"]["counts"]["planned"], r["load"]["counts"]["completed"]), (200, 200))
layers_are_the_ios(r, ios)
agrees_with_account(ios, served, MS)
ios.sort(key=lambda io: io["sequence"])
# Those that arrived while it stood still, by its own plan.
on = stall["on_ns"]
stuck = [io for io in ios if stall["stopped_ns"] <= io["planned_ns"] <= on]
soon("how late the stop was (ms)", (stall["stopped_ns"] - ios[2]["planned_ns"]) / MS, 4, 9.9)
soon("from the fourth arrival to the end of the stop (ms)", (on - ios[3]["planned_ns"]) / MS, 98, 106)
equal("the first that arrived while it was stopped", stuck[0]["sequence"], 3)
for io in stuck:
    io["backlog"], io["device"] = io["submitted_ns"] - io["planned_ns"], io["completed_ns"] and io["completed_ns"] - io["issued_ns"]
equal("verdict", r["verdict"]["layer"], "backlog")
# From the plan: the third largest of 200 is 83 when the stop was just in time
# for the fourth arrival, and as much earlier as the stop ended early.
total = r["latency"]["planned_to_reaped"]
longest = (on - stuck[0]["planned_ns"]) / MS + 1
soon("max from the planned arrival (ms)", total["max_ns"] / MS, longest, longest + 14)
soon("p99 from the planned arrival (ms)", total["p99_ns"] / MS, longest - 18, longest - 18 + 12)
EOF

burst() {
	stalled
	flights <<'EOF'
exec(open("common.py").read())
# One burst: all are submitted when it goes on, together; the i-th waits for
# those before it at a device of 1 ms each.
for i, io in enumerate(stuck):
    who = f"stalled I/O {i}"
    ideal = (on - io["planned_ns"]) / MS
    soon(who + ": backlog (ms)", io["backlog"] / MS, ideal, ideal + 5)
    if io["device"]:
        # Not i + 1 exactly: the first were served while the last were on their way.
        soon(who + ": device (ms)", io["device"] / MS, i + 0.5, i + 1 + 8)
    soon(who + ": total (ms)", (io["reaped_ns"] - io["planned_ns"]) / MS, ideal + 1 + i, ideal + 1 + i + 10)
soon("first to last of the burst (ms)", (stuck[-1]["submitted_ns"] - stuck[0]["submitted_ns"]) / MS, 0, 1)
soon("most in flight", r["load"]["in_flight"]["max"], len(stuck), len(stuck) + 2)
EOF
}

one_by_one() {
	stalled --in-flight-cap 1
	flights <<'EOF'
exec(open("common.py").read())
equal("most in flight", r["load"]["in_flight"]["max"], 1)
# One at a time: each leaves when the one before is done, 1 ms later.
for i, io in enumerate(stuck):
    who = f"stalled I/O {i}"
    ideal = (on - io["planned_ns"]) / MS + i
    soon(who + ": backlog (ms)", io["backlog"] / MS, ideal, ideal + 12)
    if i:
        soon(who + ": submitted after the one before was reaped (us)",
             (io["submitted_ns"] - stuck[i - 1]["reaped_ns"]) / 1e3, 0, 5000)
soon("median device time of the stalled (ms)", quantile([io["device"] for io in stuck if io["device"]], 500) / MS, 1, 2)
# B3: the two starts of the clock, both said and far apart.
alone = r["latency"]["submitted_to_reaped"]
soon("median from the submission (ms)", alone["p50_ns"] / MS, 1, 2)
soon("p99 from the submission (ms)", alone["p99_ns"] / MS, 1, 8)
EOF
}

calmly burst
calmly one_by_one
