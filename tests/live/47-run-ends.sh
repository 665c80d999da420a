#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Early ends of a run: Ctrl-C reports what was done until then; a target whose
# server dies ends it with errors counted, in bounded time; SIGKILL leaves nothing.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"
. "$here/target.sh"

# begin ARGS…: run in the background; sets running, and ids of what it holds
begin() {
	rm -f "$work/r.json" "$work/ios.csv"
	"$IOSTRATA" run -f json -o "$work/r.json" --io-log "$work/ios.csv" "$@" 2>"$work/err.run" &
	running=$!
	loading $running
	ids=$(held $running)
}

start -q -t 1ms -s 64m
for signal in INT TERM; do
	begin --rate 200 --runtime 60s "$device"
	sleep 0.7
	kill -$signal $running
	well wait $running
	let_go "SIG$signal" "$ids"
	valid "$work/r.json"
	flights <<'EOF'
r, ios = report("r.json"), rows("ios.csv")
clean(r)
counts_add_up(r)
equal("interrupted", r["run"]["interrupted"], True)
within("planned in the part of 60 s that was done", r["load"]["counts"]["planned"], 100, 2000)
within("run's length (s)", r["run"]["duration_ns"] / 1e9, 0.5, 10)
# No arrival of the time after it counts as planned and missed.
within("planned - rate x length", r["load"]["counts"]["planned"] - 200 * r["run"]["duration_ns"] / 1e9, -1.5, 1.5)
layers_are_the_ios(r, ios)
EOF
done
begin --rate 200 --runtime 60s "$device"
kill -INT $running
sleep 0.05
kill -INT $running 2>/dev/null || true
wait $running || true
let_go "Ctrl-C twice" "$ids"

begin --rate 200 --runtime 60s "$device"
kill -KILL $running
wait $running 2>/dev/null || true
let_go "SIGKILL" "$ids"
[ ! -e "$work/r.json" ] || fail "a killed run left half a report"

# The server dies: what was in flight and all that follows fails.
begin --rate 500 --runtime 60s "$device"
begun=$SECONDS
sleep 0.5
kill -KILL "$server"
got=0
wait $running || got=$?
within "seconds from the server's death to the end" $((SECONDS - begun)) 0 20
let_go "a dead target" "$ids"
equal "exit status with a dead target" "$got" 5
valid "$work/r.json"
flights <<'EOF'
r = report("r.json")
counts_add_up(r)
c = r["load"]["counts"]
within("completed before", c["completed"], 50, 5000)
within("errors after", c["errors"], 1, 40000)
equal("errors by kind", sum(e["count"] for e in r["load"]["errors"]), c["errors"])
print(r["load"]["errors"], r["load"]["limit_text"] if "limit_text" in r["load"] else "")
equal("sustained", r["load"]["sustained"], False)
for name in ("order_violations", "stage_sum_mismatch", "unaccounted_requests"):
    equal("check " + name, r["checks"][name], 0)
EOF
status 1 wait $target
