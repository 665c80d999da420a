#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# C13: 512 in flight on a device with 128 tags, and large reads. io_uring's first
# try is refused and a worker tries again; none of it may be lost on the way.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"

scratch 256m
equal "tags" "$(cat "$queue/nr_requests")" 128

deep='
r, ios = report("r.json"), rows("ios.csv")
clean(r)
counts_add_up(r)
layers_are_the_ios(r, ios)
equal("finished I/Os", (len(ios), r["load"]["counts"]["completed"]), (int(sys.argv[2]),) * 2)
for io in ios:
    has(io, "entered", "queued", "allocated", "issued", "completed", "returned")
punted = [io for io in ios if "punted" in io["how"]]
for io in ios:
    equal("I/O %d: punted, and when" % io["sequence"], io["punted_ns"] is not None, "punted" in io["how"])
said = next((note for note in r["notes"] if "handed to a worker thread" in note), "0 I/Os")
equal("punts that the notes tell of", int(said.split()[0]), len(punted))
'
run --arrival closed --clients 512 --requests 6000 "$scratch"
valid "$work/r.json"
flights 6000 <<EOF
$deep
equal("most in flight, as the generator counts", r["load"]["in_flight"]["max"], 512)
within("most in flight, as the device counts", r["devices"][0]["depth"]["in_flight"]["max"], 100, 128)
equal("capacity", r["devices"][0]["depth"]["capacity"], 128)
within("punted I/Os", len(punted), 1, 6000)
requests_are(r, "read", 6000 - sum("merged" in io["how"] for io in ios))
# What is beyond the tags waits before its allocation, nowhere else.
before = sum(l["dist"]["sum_ns"] for l in r["layers"] if l["layer"].split("+")[0] in ("punt", "tag", "fs"))
print(f"{len(punted)} punted; before the allocation: {before / r['latency']['planned_to_reaped']['sum_ns']:.0%} of all time")
EOF

run --rw read --bs 8m --arrival closed --clients 8 --requests 64 "$scratch"
valid "$work/r.json"
flights 64 <<EOF
$deep
within("punted I/Os", len(punted), 1, 64)
for io in ios:
    if "end_unseen" not in io["how"]:
        equal("I/O %d: bytes the kernel did" % io["sequence"], io["kernel_bytes"], 8 << 20)
requests_are(r, "read", sum(io["bios"] for io in ios))
print(f"{len(punted)} of 64 punted, {sum(io['bios'] for io in ios)} requests")
EOF
