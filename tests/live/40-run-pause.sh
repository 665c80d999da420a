#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# B1: a device of 1 ms that pauses for 100 ms, asked open and closed. The open
# load meets the pause with ten I/Os, the closed one with its one; the excess is
# the device's and no other layer's; and I/O by I/O it is what the server's own
# account says.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"

# paused ARGS…: `run` on a target whose first armed request takes 100 ms longer
paused() {
	well "$IOSTRATA" target -q -t 1ms -p 100ms -k 1 -A "$work/served.csv" -- sh -c \
		'exec "$@" "$IOSTRATA_DEVICE"' - "$IOSTRATA" run -f json -o "$work/r.json" --io-log "$work/ios.csv" "$@"
	valid "$work/r.json"
}

open_load() {
	paused --rate 100 --runtime 2s
	flights <<'EOF'
r, ios, served = report("r.json"), rows("ios.csv"), rows("served.csv")
clean(r)
counts_add_up(r)
equal("planned and completed", (r["load"]["counts"]["planned"], r["load"]["counts"]["completed"]), (200, 200))
requests_are(r, "read", 200)
layers_are_the_ios(r, ios)
agrees_with_account(ios, served, MS)
# The verdict and the slowest 1 % say device; the generator was hardly ever late.
equal("verdict", r["verdict"]["layer"], "device")
device = next(l for l in r["layers"] if (l.get("from"), l.get("to")) == ("issued", "completed"))
within("share of the slowest in the device", device["tail_share"], 0.95, 1)
within("share of all in the device", device["share"], 0.5, 1)
slow = [io for io in ios if io["sequence"] < 11 and io["completed_ns"]]
excess = sum(io["reaped_ns"] - io["planned_ns"] - MS for io in slow)
within("the excess over 1 ms that is the device's",
       sum(io["completed_ns"] - io["issued_ns"] - MS for io in slow) / excess, 0.95, 1)
backlog = next(l for l in r["layers"] if l["layer"] == "backlog")["dist"]
soon("median backlog (ns)", backlog["p50_ns"], 0, 100_000)
soon("most waiting to be submitted", r["load"]["backlog"]["max"], 0, 1)
# The pause is met by twelve: 101, 92, 83 … 2. Nothing is served faster.
for io in sorted(ios, key=lambda io: io["sequence"])[:12]:
    least = 101 - 9 * io["sequence"]
    soon(f"I/O {io['sequence']}: planned to reaped (ms)", (io["reaped_ns"] - io["planned_ns"]) / MS, least, least + 12)
total = r["latency"]["planned_to_reaped"]
soon("min (ms)", total["min_ns"] / MS, 1, 2)
soon("p99 (ms)", total["p99_ns"] / MS, 83, 95)
soon("max (ms)", total["max_ns"] / MS, 101, 115)
soon("most in flight", r["load"]["in_flight"]["max"], 11, 13)
EOF
}

closed_load() {
	paused --arrival closed --think 9ms --runtime 2s
	flights <<'EOF'
r, ios, served = report("r.json"), rows("ios.csv"), rows("served.csv")
clean(r)
counts_add_up(r)
layers_are_the_ios(r, ios)
agrees_with_account(ios, served, MS)
equal("most in flight", r["load"]["in_flight"]["max"], 1)
first, second = sorted(ios, key=lambda io: io["sequence"])[:2]
soon("second submission after the first's arrival (ms)", (second["submitted_ns"] - first["planned_ns"]) / MS, 110, 125)
equal("the second's think time, as planned (ns)", second["planned_ns"] - first["reaped_ns"], 9 * MS)
# 190 when each takes just 1 ms; never more.
within("completed", r["load"]["counts"]["completed"], 150, 190)
soon("p99 (ms)", r["latency"]["planned_to_reaped"]["p99_ns"] / MS, 1, 10)
soon("max (ms)", r["latency"]["planned_to_reaped"]["max_ns"] / MS, 101, 115)
EOF
}

calmly open_load
calmly closed_load
