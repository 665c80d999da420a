# SPDX-License-Identifier: GPL-2.0-only
"""Part (c): how well submissions keep a constant rate, ours against fio's.

The same BPF program stamps for both when the kernel took each I/O from the
ring. From outside nobody's start is known, so the k-th is held against the
schedule k / rate shifted by the median deviation: what is shown is how far
submissions lie from an evenly spaced schedule, early or late. What the plan
itself says (submitted - planned) only iostrata can tell; it stands beside.
"""
import statistics

import machine
import programs
from figures import Figure, nearest_rank, ratio

RATES = (1000, 10000, 50000)


def deviations(stamps_ns, rate):
    """Ascending |deviation| in ns from the evenly spaced schedule that fits best."""
    late = [stamp - stamps_ns[0] - k * 1_000_000_000 // rate for k, stamp in enumerate(stamps_ns)]
    centre = statistics.median_low(late)
    return sorted(abs(value - centre) for value in late)


def submissions(generate):
    """(ascending stamps of what the generator submitted, its result)"""
    with programs.held("submissions", programs.PEERS) as observer:
        pid, result = generate()
    lines = (line.split() for line in observer.late.splitlines())
    stamps_ns = sorted(int(stamp) for seen, stamp in lines if int(seen) == pid)
    if len(stamps_ns) < 100:
        raise programs.Failed(f"{len(stamps_ns)} submissions seen")
    return stamps_ns, result


def ours(device, seconds, rate):
    stamps_ns, report = submissions(lambda: programs.report_of("load", device, seconds, "--rate", str(rate)))
    error = report["load"]["schedule_error"]
    return deviations(stamps_ns, rate), (error["p50_ns"], error["p99_ns"])


def fios(device, seconds, rate):
    def generate():
        done = programs.fio(device, seconds, "--iodepth=128", f"--rate_iops={rate}")
        return done.pid, done

    stamps_ns, _ = submissions(generate)
    return deviations(stamps_ns, rate), None


PEERS = {"iostrata load": ours, "fio rate_iops": fios}


def schedule(results, rounds, seconds):
    rows, data = [], {}
    with machine.zram_device() as device:
        for rate in RATES:
            seen = {peer: [] for peer in PEERS}
            for _ in range(rounds):
                for peer, start in PEERS.items():
                    seen[peer].append(start(device, seconds, rate))
            p = {(peer, percent): Figure([nearest_rank(off, percent) / 1000 for off, _ in of])
                 for peer, of in seen.items() for percent in (50, 99)}
            for peer, of in seen.items():
                own = [Figure([said[i] / 1000 for _, said in of]).text(2) for i in (0, 1)] if of[0][1] else ["-", "-"]
                rows.append([peer, f"{rate:,}", p[peer, 50].text(2), p[peer, 99].text(2),
                             *(f"{ratio(p[peer, percent].median, p['fio rate_iops', percent].median):.2f}"
                               for percent in (50, 99)), *own,
                             "p50 <= 1, p99 <= 50" if peer == "iostrata load" else ""])
                data[f"{peer}, {rate}/s"] = {f"p{percent}_us": p[peer, percent].json() for percent in (50, 99)}
    results.show("schedule", "(c) Schedule error in us: submissions against an evenly spaced schedule (zram)",
                 ["peer", "rate/s", "p50", "p99", "p50 x fio", "p99 x fio", "own plan p50", "own plan p99",
                  "budget"], rows, data)
