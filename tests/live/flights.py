# SPDX-License-Identifier: GPL-2.0-only
"""What the live cases ask of a run's report and of its I/Os, one by one. In: the
report (JSON), the --io-log and the target's own account. Out: assertions that
fail with the I/O in their text. All times are CLOCK_MONOTONIC nanoseconds."""
import csv
import json
import sys

MS = 1_000_000
LADDER = ("planned", "submitted", "entered", "punted", "bio", "queued", "allocated", "inserted",
          "prepared", "first_issued", "issued", "answered", "driver_done", "completed", "returned",
          "reaped")
JITTER_NS = 1000  # the kernel's fast clock may step back by less than this: clamped and counted


def number(text):
    try:
        return int(text)
    except ValueError:
        return text


def rows(path):
    """A CSV's rows as dicts; "_ns" columns that are empty become None."""
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: (None if not value and name.endswith("_ns") else number(value))
                 for name, value in row.items()} for row in csv.DictReader(file)]


def report(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def fail(text):
    raise SystemExit("FAIL: " + text[:500])


def equal(what, got, wanted):
    if got != wanted:
        fail(f"{what}: got {got}, wanted {wanted}")


def within(what, got, low, high):
    if not low <= got <= high:
        fail(f"{what}: got {got}, wanted {low} to {high}")


def soon(what, got, low, high):
    """A time that others on this machine can only make longer: less than low is
    wrong; more than high may be a busy moment, and the case is tried again."""
    if got < low:
        fail(f"{what}: got {got}, wanted {low} to {high}")
    if got > high:
        print(f"LATE: {what}: got {got}, wanted {low} to {high}", file=sys.stderr)
        raise SystemExit(75)


def quantile(values, permille):
    """Nearest rank, in integers."""
    ordered = sorted(values)
    return ordered[max(0, -(-permille * len(ordered) // 1000) - 1)]


def counts_add_up(r):
    """Every planned I/O is in one count."""
    c = r["load"]["counts"]
    equal("completed + errors + timeouts + in flight + unsubmitted",
          c["completed"] + c["errors"] + c["timeouts"] + c["in_flight_at_cutoff"] + c["unsubmitted"],
          c["planned"])
    equal("planned - unsubmitted", c["planned"] - c["unsubmitted"], c["submitted"])


def withheld(r):
    """Some kernels withhold events while certain tasks are interrupted. `run`
    counts them; their I/Os have no `completed`. They come in bursts, as long as
    such a task runs, when the machine is busy; never many."""
    return r["checks"]["completions_withheld"]


def clean(r, sustained=True, allowed=()):
    """Nothing out of order, unmatched or lost, beyond what is named; a withheld
    completion is missed by the request view (completion_missed) too, once its
    request's memory is used again, but only those that our own CQEs don't explain
    are a loss. The exit status says just that."""
    equal("sustained", r["load"]["sustained"], sustained)
    lost = r["losses"]["completion_missed"] > withheld(r)
    with open("status", encoding="ascii") as file:
        equal("exit status", int(file.read()), 5 if not sustained or lost else 0)
    for name in ("order_violations", "stage_sum_mismatch", "kernel_events_missing", "generator_only",
                 "kernel_only", "unaccounted_requests"):
        equal("check " + name, r["checks"][name], 0)
    within("completions withheld of " + str(r["load"]["counts"]["submitted"]), withheld(r), 0,
           4 + r["load"]["counts"]["submitted"] * 3 // 100)
    known = {"completion_missed", "stale_bios", "orphans_at_attach", "flush_steps", "partial_completions"}
    for name, count in r["losses"].items():
        if name not in known and name not in allowed:
            equal("loss " + name, count, 0)
    others = r["checks"]["foreign_bios"]
    within("loss completion_missed", r["losses"]["completion_missed"], 0,
           withheld(r) + (4 + others * 3 // 100 if others else 0))


def steps(io):
    """The boundaries of one I/O that were seen, clamped as the report clamps."""
    seen = [(at, io[at + "_ns"]) for at in LADDER if io[at + "_ns"] is not None
            and not (at == "first_issued" and io["first_issued_ns"] == io["issued_ns"])]
    out, end = seen[:2], seen[-1][1]
    for at, ns in seen[2:-1]:
        want = min(max(ns, out[-1][1]), end)
        if abs(want - ns) >= JITTER_NS:
            fail(f"I/O {io['sequence']}: {at} is {ns - out[-1][1]} ns after {out[-1][0]}, {end - ns} before the end")
        out.append((at, want))
    return out + seen[-1:]


def spans(io):
    """The layers of one I/O, as (name or boundaries, ns). What flushes took is
    taken out of the one that ends at `completed`, what earlier bios took out of
    the one that ends at `queued`; a layer that is all of that is no row."""
    ladder, out = steps(io), []
    for (start, start_ns), (end, end_ns) in zip(ladder, ladder[1:]):
        ns, part, name = end_ns - start_ns, 0, (start, end)
        if end == "completed":
            part = min(ns, io["flush_ns"] or 0)
            if "flush_unseen" in io["how"] and not io["flush_ns"] and start == "issued":
                name = "device+flush"
        elif end == ("bio" if io["bio_ns"] else "queued") and io["first_bio_ns"]:
            part = min(ns, max(0, io[end + "_ns"] - io["first_bio_ns"]))
        if part:
            out.append(("flush" if end == "completed" else "earlier", part))
        if not part or part < ns:
            out.append((name, ns - part))
    return out


def layers_are_the_ios(r, ios):
    """The report's layers, computed anew from the log: count, sum, least and
    most of each, and all sums are the latency's. Not for runs with a warm-up."""
    wanted = {}
    total = 0
    done = [io for io in ios if io["outcome"] == "completed"]
    equal("I/Os in the log", len(done), r["load"]["counts"]["completed"])
    equal("samples", r["latency"]["planned_to_reaped"]["count"], len(done))
    equal("I/Os attributed", r["attribution"]["attributed"], len(done))
    for io in done:
        took = io["reaped_ns"] - io["planned_ns"]
        equal(f"I/O {io['sequence']}: sum of its layers", sum(ns for _, ns in spans(io)), took)
        total += took
        for name, ns in spans(io):
            wanted.setdefault(name, []).append(ns)
    for layer in r["layers"]:
        own = layer["layer"] if layer["layer"] in ("flush", "earlier", "device+flush", "unattributed") else None
        mine = wanted.pop(own or (layer["from"], layer["to"]), [])
        dist = layer["dist"]
        equal(f"layer {layer['layer']}: count, sum, min, max",
              (dist["count"], dist["sum_ns"], dist["min_ns"], dist["max_ns"]),
              (len(mine), sum(mine), min(mine, default=0), max(mine, default=0)))
    equal("layers the report lacks", sorted(map(str, wanted)), [])
    equal("sum of all", r["latency"]["planned_to_reaped"]["sum_ns"], total)


def has(io, *names):
    """A completed I/O carries these boundaries; a merged one has no allocation
    of its own, a withheld completion no `completed`."""
    how = io["how"].split("+")
    for name in names:
        if (name == "allocated" and "merged" in how) or (name == "completed" and "end_unseen" in how):
            continue
        if io[name + "_ns"] is None:
            fail(f"I/O {io['sequence']} ({io['how'] or 'plain'}) has no {name}")


def op(r, name):
    """One operation's row of the target, beside which only what it lies on is told."""
    equal("devices that lie below none", [d["name"] for d in r["devices"] if "parent" not in d],
          [r["devices"][0]["name"]])
    for row in r["devices"][0]["ops"]:
        if row["op"] == name:
            return row
    return {"started": 0, "completed": 0, "bytes": 0, "errors": 0, "queue_unknown": 0}


def requests_are(r, name, wanted):
    """Requests seen of one operation: exactly those wanted were started, and
    completed but for those whose completion was withheld."""
    row = op(r, name)
    equal(f"{name} requests started", row["started"], wanted)
    within(f"{name} requests completed", row["completed"], wanted - r["losses"]["completion_missed"] - withheld(r),
           wanted)


def agrees_with_account(ios, served, slack_ns, quiet_share=0.9):
    """I/O by I/O against the server's own clock. The k-th submitted is the k-th
    served: one FIFO. issued <= arrived and completed at the server <= completed
    here, with no slack (one clock, one order of cause and effect, JITTER_NS for
    its fast reader); and what the device layer has more than the server is the
    loop driver's and the wake-ups': below slack_ns for quiet_share of I/Os."""
    ios = sorted((io for io in ios if io["issued_ns"] is not None), key=lambda io: io["issued_ns"])
    equal("I/Os served", len(served), len(ios))
    waiting = {}
    for row in served:
        waiting.setdefault((row["op"], row["offset_bytes"], row["length_bytes"]), []).append(row)
    over = []
    for io in ios:
        same = waiting.get((io["op"], io["offset_bytes"], io["length_bytes"]))
        if not same:
            fail(f"I/O {io['sequence']} at {io['offset_bytes']}: the server knows of none such")
        row = same.pop(0)
        who = f"I/O {io['sequence']}"
        within(who + ": arrived - issued", row["arrived_ns"] - io["issued_ns"], -JITTER_NS, 10**12)
        if io["completed_ns"] is None:
            continue
        within(who + ": completed - server's", io["completed_ns"] - row["completed_ns"], -JITTER_NS, 10**12)
        device = io["completed_ns"] - io["issued_ns"]
        over.append(device - (row["completed_ns"] - row["arrived_ns"]))
    within("device beyond the server's", min(over), -JITTER_NS, 10**12)
    soon("device beyond the server's, at most", max(over), -JITTER_NS, 20 * MS)
    soon(f"device beyond the server's, at {quiet_share:.0%} of I/Os",
         quantile(over, int(quiet_share * 1000)), -JITTER_NS, slack_ns)
    print(f"device beyond the server's own time (us): p50 {quantile(over, 500) / 1e3:.0f} "
          f"p90 {quantile(over, 900) / 1e3:.0f} max {max(over) / 1e3:.0f}")
