#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# B4: 2000/s asked of a device that serves 1000/s. `load` and `run` say that it
# was not sustained and name the limit: the target, or a cap on what is in
# flight, behind which the target is.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"

# Planned in all, and what the device can serve at most until the cutoff.
seconds=2s planned=4000 served=2000
# overload COMMAND ARGS…
overload() {
	command=$1
	shift
	status 5 "$IOSTRATA" target -q -t 1ms -- sh -c 'exec "$@" "$IOSTRATA_DEVICE"' - \
		"$IOSTRATA" "$command" --rate 2k --runtime $seconds -f json -o "$work/r.json" --io-log "$work/ios.csv" "$@"
	echo 5 >"$work/status"
	valid "$work/r.json"
}
cat >"$work/common.py" <<'EOF'
r, ios = report("r.json"), rows("ios.csv")
load, c = r["load"], r["load"]["counts"]
counts_add_up(r)
equal("sustained", load["sustained"], False)
equal("censored", load["censored"], True)
planned, most = int(sys.argv[2]), int(sys.argv[3])
equal("planned", c["planned"], planned)
equal("errors and timeouts", (c["errors"], c["timeouts"]), (0, 0))
# The device serves one each ms; it idles when its loop
# driver's worker comes late.
within("completed by the cutoff", c["completed"], most * 0.6, most)
equal("late completions", load["late"]["completed"], c["in_flight_at_cutoff"])
equal("never completed", load["late"]["never"], 0)
if "checks" in r:
    clean(r, sustained=False)
    layers_are_the_ios(r, ios)
    requests_are(r, "read", c["submitted"])
    if "NOT SUSTAINED" not in r["verdict"]["text"]:
        fail("the verdict is silent about it: " + r["verdict"]["text"])
EOF

uncapped() {
	overload "$1"
	flights $planned $served <<'EOF'
exec(open("common.py").read())
equal("limit", load["limit"], "target")
soon("unsubmitted at the cutoff", c["unsubmitted"], 0, 100)
within("most in flight", load["in_flight"]["max"], (planned - most) * 0.97, planned - most * 0.6)
soon("median backlog (us)", load["schedule_error"]["p50_ns"] / 1e3, 0, 1000)
soon("most waiting to be submitted", load["backlog"]["max"], 0, 200)
EOF
}

capped() {
	overload "$1" --in-flight-cap 64
	flights $planned $served <<'EOF'
exec(open("common.py").read())
equal("limit", load["limit"], "in-flight cap")
if "target" not in load["limit_text"]:
    fail("the target behind the cap is not named: " + load["limit_text"])
equal("most in flight", load["in_flight"]["max"], 64)
within("unsubmitted at the cutoff", c["unsubmitted"], planned - most - 64, planned - most * 0.6)
# The backlog grows all the time: never less than a moment before, but for
# what the device takes in between.
series = [row["backlog_max"] for row in load["backlog"]["series"]]
within("backlog at the end", load["backlog"]["max"], planned - most - 100, planned - most * 0.6)
if any(later < before - 50 for before, later in zip(series, series[1:])):
    fail(f"the backlog does not grow: {series}")
EOF
}

run_uncapped() { uncapped run; }
run_capped() { capped run; }
load_uncapped() { uncapped load; }
load_capped() { capped load; }
calmly run_uncapped
calmly run_capped
seconds=500ms planned=1000 served=500
calmly load_uncapped
calmly load_capped
