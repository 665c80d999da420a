#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# B6: samples are completions, the layers of every I/O are its total, Little's
# law holds, and a long I/O is recorded as long as it was.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"

# Poisson, all kinds of I/O; without a run-time all are waited for.
scratch 64m
for kind in "--rate 2k --requests 1000 --rw randread" \
	"--rate 2k --requests 1000 --rw randwrite --write --destroy-data $scratch" \
	"--rate 200 --requests 100 --rw randwrite --sync dsync --write --destroy-data $scratch" "--rate 1k --requests 500 --rw read --bs 128k" "--rate 2k --requests 1000 --buffered"; do
	# shellcheck disable=SC2086  # $kind is a list of words
	run --arrival poisson --seed 7 $kind "$scratch"
	valid "$work/r.json"
	flights "$kind" <<'EOF'
r, ios = report("r.json"), rows("ios.csv")
print(sys.argv[2], r["load"]["counts"], {k: v for k, v in r["checks"].items() if v}, {k: v for k, v in r["losses"].items() if v})
counts_add_up(r)
clean(r)
layers_are_the_ios(r, ios)
equal("each sequence number once", sorted(io["sequence"] for io in ios) == list(range(r["load"]["counts"]["planned"])), True)
for io in ios:
    equal(f"I/O {io['sequence']}: result", io["result"], io["length_bytes"])
    if "--buffered" not in sys.argv[2]:
        has(io, "entered", "queued", "allocated", "issued", "completed", "returned")
        if "end_unseen" not in io["how"]:
            equal(f"I/O {io['sequence']}: bytes the kernel did", io["kernel_bytes"], io["length_bytes"])
# All drained, so over the window the time in flight is the sum of the times.
law = r["checks"]["littles_law"]
time_in_flight = sum(io["reaped_ns"] - io["submitted_ns"] for io in ios)
# Edges: the last I/Os' ends may lie after the window.
after = sum(max(0, io["reaped_ns"] - io["planned_ns"]) for io in sorted(ios, key=lambda io: io["reaped_ns"])[-8:])
within("mean in flight x window - time in flight (ns)", law["in_flight_mean"] * r["load"]["duration_ns"] - time_in_flight,
       -after - 0.001 * time_in_flight - 100_000, 0.001 * time_in_flight + 100_000)
within("Little's ratio", law["ratio"], 0.98, 1.02)
EOF
done

# 5 s in the device, and nothing wraps or is cut.
long() {
	well "$IOSTRATA" target -q -t 1ms -p 5s -k 3 -- sh -c 'exec "$@" "$IOSTRATA_DEVICE"' - \
		"$IOSTRATA" run -f json -o "$work/r.json" --io-log "$work/ios.csv" --arrival closed --requests 5
	flights <<'EOF'
r, ios = report("r.json"), rows("ios.csv")
clean(r)
layers_are_the_ios(r, ios)
equal("completed", r["load"]["counts"]["completed"], 5)
soon("max (ms)", r["latency"]["planned_to_reaped"]["max_ns"] / MS, 5001, 5100)
long = max(ios, key=lambda io: io["reaped_ns"] - io["planned_ns"])
equal("the long one", long["sequence"], 2)
if long["completed_ns"]:
    soon("its device time (ms)", (long["completed_ns"] - long["issued_ns"]) / MS, 5001, 5100)
    soon("the device's longest service (ms)", op(r, "read")["service"]["max_ns"] / MS, 5001, 5100)
EOF
}
calmly long
