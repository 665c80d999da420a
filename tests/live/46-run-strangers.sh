#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# C14: strangers on the device during a run: another program's ring, whose I/Os
# are numbered 0, 1, 2… or just as ours are; and, from the generator's own
# process, direct and cached writes of another thread and direct reads and cached
# writes of the generator's very thread. No I/O of ours carries a stamp of
# theirs, and the device's requests are ours plus theirs.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"
programs=$(dirname "$IOSTRATA")/tests/live
[ -x "$programs/foreign" ] && [ -e "$programs/bystander.so" ] || fail "make live-programs makes what this needs"

scratch 64m
keep nomerges 2 # one bio, one request: counts are exact
alone='
cached = "bystander" in sys.argv
r, ios = report("r.json"), rows("ios.csv")
clean(r)
counts_add_up(r)
layers_are_the_ios(r, ios)
equal("finished I/Os", len(ios), r["load"]["counts"]["planned"])
for io in ios:
    who = "I/O %d" % io["sequence"]
    has(io, "entered", "queued", "allocated", "issued", "completed", "returned")
    # A direct read of a block that is dirty in the cache makes the kernel write
    # that back first, on behalf of this I/O: a second bio, before its own.
    within(who + ": bios", io["bios"], 1, 2 if cached and "punted" in io["how"] else 1)
    if "end_unseen" not in io["how"]:
        equal(who + ": bytes the kernel did", io["kernel_bytes"], 4096 * io["bios"])
ours = sum("merged" not in io["how"] for io in ios)
'
with_ring() { # [mimic]
	run --rate 1k --requests 1500 "$scratch" &
	running=$!
	for _ in $(seq 100); do
		generator=$(pgrep -P $running -x iostrata) && break
		sleep 0.02
	done
	loading "$generator"
	status 0 "$programs/foreign" "$scratch" 0.5 16 "$@" >"$work/foreign"
	wait $running || fail "run beside a foreign ring failed"
	valid "$work/r.json"
	flights "$(cat "$work/foreign")" <<EOF
$alone
theirs = int(sys.argv[2])
within("I/Os of the stranger", theirs, 200, 10**6)
equal("bios of others", r["checks"]["foreign_bios"], theirs)
requests_are(r, "read", ours + theirs)
print(f"{ours} ours, {theirs} theirs")
EOF
}
with_ring
with_ring mimic

BYSTANDER_DEVICE=$scratch BYSTANDER_FILE=$work/bystander.json LD_PRELOAD=$programs/bystander.so \
	run --rate 1k --requests 1500 "$scratch"
valid "$work/r.json"
flights bystander <<EOF
$alone
theirs = report("bystander.json")
print(theirs)
equal("their failures", theirs["failed"], 0)
within("reads by the generator's thread", theirs["reads"], 10, 10**6)
equal("direct writes by another thread", theirs["direct_writes"], 250)
within("cached writes", theirs["cached_writes"], 251, 10**6)
requests_are(r, "read", ours + theirs["reads"])
writes = op(r, "write")
# What was cached is written back in as many requests as the kernel likes, but
# each block once, or again when it was dirtied again.
within("write requests", writes["started"], 251, 250 + theirs["cached_writes"])
if writes["completed"] == writes["started"]:
    equal("bytes written", writes["bytes"], 4096 * (250 + theirs["cached_writes"]))
# A bio for each sync too: those of the generator's thread, and one at the end.
syncs = theirs["cached_writes"] - 250 + 1
written_for_us = sum(io["bios"] - 1 for io in ios)
equal("bios of others", r["checks"]["foreign_bios"], theirs["reads"] + writes["started"] + syncs - written_for_us)
EOF
