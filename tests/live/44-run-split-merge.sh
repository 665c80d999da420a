#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# C3: large reads that the kernel splits and small writes that it merges. Each
# application I/O is one I/O, its children and its bytes are exact, and nothing
# is left behind as in flight.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"

scratch 64m
grep -q mq-deadline "$queue/scheduler" && schedulers="none mq-deadline" || schedulers=none

for scheduler in $schedulers; do
	keep scheduler $scheduler
	run --rw read --bs 8m --arrival closed --requests 8 "$scratch"
	valid "$work/r.json"
	flights "$(cat "$queue/max_sectors_kb")" <<'EOF'
r, ios, largest_kb = report("r.json"), rows("ios.csv"), int(sys.argv[2])
clean(r)
counts_add_up(r)
layers_are_the_ios(r, ios)
equal("application I/Os", len(ios), 8)
equal("bytes the generator got", r["load"]["bytes_completed"], 8 * (8 << 20))
whole = [io for io in ios if "end_unseen" not in io["how"]]
for io in ios:
    has(io, "entered", "queued", "allocated", "issued", "completed", "returned")
    within(f"I/O {io['sequence']}: children", io["bios"], (8 << 10) // largest_kb, 2048)
    if "split" not in io["how"]:
        fail(f"I/O {io['sequence']} of 8 MiB was not split: {io['how']}")
for io in whole:
    equal(f"I/O {io['sequence']}: bytes the kernel did", io["kernel_bytes"], 8 << 20)
# The device's own view: each child a request, and all bytes.
children = sum(io["bios"] for io in ios)
requests_are(r, "read", children)
missed = children - op(r, "read")["completed"]
within("bytes of the requests", op(r, "read")["bytes"], 8 * (8 << 20) - missed * (largest_kb << 10), 8 * (8 << 20))
EOF

	# 64 writers, one block after the other, submitted together: they merge in
	# the submitter's plug, and in the scheduler if there is one.
	run --rw write --arrival closed --clients 64 --requests 2048 --write --destroy-data "$scratch" "$scratch"
	valid "$work/r.json"
	flights <<'EOF'
r, ios = report("r.json"), rows("ios.csv")
clean(r)
counts_add_up(r)
layers_are_the_ios(r, ios)
equal("application I/Os", len(ios), 2048)
merged = [io for io in ios if "merged" in io["how"]]
within("merged I/Os", len(merged), 500, 2047)
for io in ios:
    has(io, "entered", "queued", "allocated", "issued", "completed", "returned")
    equal(f"I/O {io['sequence']}: children", io["bios"], 1)
    if "end_unseen" not in io["how"]:
        equal(f"I/O {io['sequence']}: bytes the kernel did", io["kernel_bytes"], 4096)
for io in merged:
    equal(f"I/O {io['sequence']}: a merged one's allocation", io["allocated_ns"], None)
# Each request was allocated by one I/O; the others rode along.
requests_are(r, "write", 2048 - len(merged))
if op(r, "write")["completed"] == op(r, "write")["started"]:
    equal("bytes of the requests", op(r, "write")["bytes"], 2048 * 4096)
print(f"{len(merged)} of 2048 writes merged into {op(r, 'write')['started']} requests")
EOF
done
