# SPDX-License-Identifier: GPL-2.0-only
"""Part (d): start to first histogram, resident memory, size of the program."""
import os
import shutil
import subprocess
import tempfile
import time

import machine
import programs
from figures import Figure, ratio


def wall_s(command, asked_s):
    """From exec to the end of the first report, less the time it was asked to watch."""
    begun = time.monotonic()
    programs.output_of(command, may_exit=(0, 5))
    return time.monotonic() - begun - asked_s


def peak_mib(command, wanted, device):
    with programs.tool(*command) as process:
        programs.attached(process, wanted)
        programs.fio(device, 1, "--iodepth=16")
        return programs.memory_peak(process.pid) / (1 << 20)


def size_mib(path):
    """Of the program without its debug information."""
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, "stripped")
        subprocess.run(["strip", "-o", stripped, path], check=True)
        return os.path.getsize(stripped) / (1 << 20)


def measure(results, rounds):
    biolatency = shutil.which("biolatency")
    seen = {"iostrata trace": [], "biolatency": []}
    with machine.loop_device() as device:
        for _ in range(rounds):
            seen["iostrata trace"].append((wall_s([programs.IOSTRATA, "trace", "-d", "10ms"], 0.01),
                                           peak_mib([programs.IOSTRATA, "trace"], 2, device)))
            seen["biolatency"].append((wall_s([biolatency, "-Q", "1", "1"], 1),
                                       peak_mib([biolatency, "-Q", "3600"], 3, device)))
    start = {peer: Figure([one[0] * 1000 for one in of]) for peer, of in seen.items()}
    peak = {peer: Figure([one[1] for one in of]) for peer, of in seen.items()}
    size = {"iostrata trace": size_mib(programs.IOSTRATA), "biolatency": size_mib(biolatency)}
    rows = [[what, ours["iostrata trace"], theirs["biolatency"], quotient, budget]
            for what, ours, theirs, quotient, budget in (
                ("start to first histogram, ms", {k: v.text() for k, v in start.items()},
                 {k: v.text() for k, v in start.items()},
                 f"{ratio(start['iostrata trace'].median, start['biolatency'].median):.2f}", "<= 500"),
                ("resident at most (VmHWM), MiB", {k: v.text(1) for k, v in peak.items()},
                 {k: v.text(1) for k, v in peak.items()},
                 f"{ratio(peak['iostrata trace'].median, peak['biolatency'].median):.2f}", "<= 32"),
                ("program, stripped, MiB", {k: f"{v:.2f}" for k, v in size.items()},
                 {k: f"{v:.2f}" for k, v in size.items()},
                 f"{ratio(size['iostrata trace'], size['biolatency']):.2f}", ""))]
    results.show("footprint", "(d) Start and size", ["what", "iostrata", "biolatency -Q", "ratio", "budget"], rows,
                 {"start_ms": {k: v.json() for k, v in start.items()},
                  "vm_hwm_mib": {k: v.json() for k, v in peak.items()}, "stripped_mib": size})
