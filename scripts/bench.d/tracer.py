# SPDX-License-Identifier: GPL-2.0-only
"""Part (a): what the tracers' BPF programs cost, and what `run` adds to an I/O.

Each peer in turn watches the same fio load. Its cost is the run time of its
programs by the kernel's BPF statistics, less that of empty programs at the
same events in the same round: reading the clock around a program costs too.
"""
import contextlib

import machine
import programs
from figures import Figure, ratio

DEPTH = 16


@contextlib.contextmanager
def nothing():
    yield


PEERS = {  # name: (how many programs it has, how it is started)
    "no tracer": (0, nothing),
    "empty": (3, lambda: programs.held("attach", programs.PEERS, "empty_insert", "empty_issue", "empty_complete")),
    "completion only": (1, lambda: programs.held("attach", programs.PEERS, "only_complete")),
    "iostrata trace": (2, lambda: programs.tool(programs.IOSTRATA, "trace")),
    "biolatency -Q": (3, lambda: programs.tool("biolatency", "-Q", "3600")),
}


def watch(peer, target, seconds):
    """({hook: (runs, ns)}, I/Os, IOPS) of one round of one peer."""
    wanted, start = PEERS[peer]
    with programs.held("statistics"), start() as process:
        ids = programs.attached(process, wanted) if process else ()
        idle = programs.usage(ids)
        done = programs.fio(target, seconds, f"--iodepth={DEPTH}")
        used = programs.usage(ids)
    used = {hook: (runs - idle[hook][0], ns - idle[hook][1]) for hook, (runs, ns) in used.items()}
    return used, done.ios, done.ios / done.seconds


def net(used, empty):
    """(events, ns) of the hooks less what empty programs take for as many."""
    events = sum(runs for runs, _ in used.values())
    ns = 0
    for hook, (runs, spent_ns) in used.items():
        empty_runs, empty_ns = empty.get(hook, (0, 0))
        ns += spent_ns - (runs * empty_ns / empty_runs if empty_runs else 0)
    return events, ns


def rounds_of(target, rounds, seconds):
    """{peer: {"event": [...], "io": [...], "events": [...], "iops": [...]}}, peers interleaved."""
    figures = {peer: {"event": [], "io": [], "events": [], "iops": []} for peer in PEERS}
    for _ in range(rounds):
        seen = {peer: watch(peer, target, seconds) for peer in PEERS}
        empty = seen["empty"][0]
        for peer, (used, ios, iops) in seen.items():
            events, ns = net(used, {} if peer == "empty" else empty)
            figures[peer]["iops"].append(iops)
            if events:
                figures[peer]["event"].append(ns / events)
                figures[peer]["io"].append(ns / ios)
                figures[peer]["events"].append(events / ios)
    return figures


def show(results, key, title, figures):
    rows, data = [], {}
    medians = {peer: {name: Figure(values) for name, values in of.items() if values} for peer, of in figures.items()}
    theirs, least = medians["biolatency -Q"], medians["completion only"]
    for peer, of in medians.items():
        row = [peer, of["iops"].text()]
        if "event" in of:
            row += [of["events"].text(2), of["event"].text(), of["io"].text()]
            row += [f"{ratio(of['event'].median, theirs['event'].median):.2f}",
                    f"{ratio(of['io'].median, theirs['io'].median):.2f}",
                    f"{ratio(of['io'].median, least['io'].median):.2f}"] if peer != "empty" else ["-"] * 3
            row.append({"iostrata trace": "<= 0.6 each", "biolatency -Q": "1"}.get(peer, ""))
        else:
            row += ["-"] * 6 + [""]
        rows.append(row)
        data[peer] = {name: figure.json() for name, figure in of.items()}
    results.show(key, title, ["peer", "IOPS", "events/IO", "ns/event", "ns/IO", "event x bioQ", "IO x bioQ",
                              "IO x least", "budget"], rows, data)


def cost(results, rounds, seconds):
    what = f"4k random reads at depth {DEPTH}, net of empty programs ('empty': gross)"
    with machine.loop_device() as device:
        show(results, "tracer_direct", f"(a) Tracer, loop on memory, issue + complete: {what}",
             rounds_of(device, rounds, seconds))
    with machine.loop_device("mq-deadline", iostats=0) as device:
        show(results, "tracer_insert", f"(a) Tracer, the same with mq-deadline and iostats=0, "
             f"insert + issue + complete: {what}", rounds_of(device, rounds, seconds))
    with machine.disk_file() as path:
        show(results, "tracer_disk", f"(a) Tracer, a file on the disk of /var/tmp: {what}",
             rounds_of(path, rounds, seconds))


def run_once(device, seconds, empty_ns, options):
    """(gross ns, net ns, mean latency with and without, rate with and without) of one `run --ab`."""
    _, report = programs.report_of("run", device, seconds, "--overhead", *options)
    overhead = report["overhead"]
    runs = sum(program["runs"] for program in overhead["programs"])
    gross = overhead["ns_per_io"]
    _, plain = programs.report_of("run", device, seconds, "--ab", *options)
    without = plain["overhead"]["without_tracer"]
    return {
        "gross": gross,
        "net": gross - empty_ns * runs / overhead["ios"],
        "events": runs / overhead["ios"],
        "with": plain["latency"]["planned_to_reaped"]["mean_ns"],
        "without": without["latency"]["planned_to_reaped"]["mean_ns"],
        "rate": plain["load"]["rates"]["completed"] / without["rates"]["completed"],
    }


def empty_event_ns(device, seconds):
    used, _, _ = watch("empty", device, seconds)
    return sum(ns for _, ns in used.values()) / sum(runs for runs, _ in used.values())


def run_cost(results, rounds, seconds):
    rows, data = [], {}
    loads = {"closed, 1 client": ["--arrival", "closed", "--clients", "1"],
             "closed, 16 clients": ["--arrival", "closed", "--clients", "16"],
             "10,000/s": ["--rate", "10k"]}
    with machine.loop_device() as device:
        seen = {name: [] for name in loads}
        for _ in range(rounds):
            empty_ns = empty_event_ns(device, seconds)
            for name, options in loads.items():
                seen[name].append(run_once(device, seconds, empty_ns, options))
    for name, of in seen.items():
        figure = {key: Figure([one[key] for one in of]) for key in of[0]}
        rows.append([name, figure["events"].text(1), figure["gross"].text(), figure["net"].text(), "<= 1,500",
                     figure["with"].text(), figure["without"].text(), figure["rate"].text(2)])
        data[name] = {key: value.json() for key, value in figure.items()}
    results.show("run", "(a) Flight records: what `run` adds to each I/O (BPF programs by the statistics, then --ab)",
                 ["load, loop on memory", "events/IO", "gross ns/IO", "net ns/IO", "budget", "mean ns traced",
                  "mean ns untraced", "rate, traced/untraced"], rows, data)
