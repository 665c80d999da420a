# SPDX-License-Identifier: GPL-2.0-only
"""Part (b): I/Os per second of CPU time, ours against fio's io_uring engine.

Both: one thread, io_uring with DEFER_TASKRUN and SINGLE_ISSUER (fio 3.33 and
newer set them by themselves), registered file and buffers, non-vectored
O_DIRECT reads of 4 KiB, uniformly random, each I/O's latency measured. zram
answers within the submitting call, so all work is in the process counted.
"""
import machine
import programs
from figures import Figure, ratio

DEPTHS = (1, 16, 128)
PEERS = {
    "iostrata load": lambda device, seconds, depth: programs.load(device, seconds, "--arrival", "closed",
                                                                  "--clients", str(depth)),
    "fio": lambda device, seconds, depth: programs.fio(device, seconds, f"--iodepth={depth}"),
    "fio, batches of 16": lambda device, seconds, depth: programs.fio(
        device, seconds, f"--iodepth={depth}", f"--iodepth_batch_submit={min(depth, 16)}",
        f"--iodepth_batch_complete_min=1", f"--iodepth_batch_complete_max={min(depth, 16)}"),
    "fio, no latencies": lambda device, seconds, depth: programs.fio(
        device, seconds, f"--iodepth={depth}", f"--iodepth_batch_submit={min(depth, 16)}",
        f"--iodepth_batch_complete_max={min(depth, 16)}", "--gtod_reduce=1"),
}


def efficiency(results, rounds, seconds):
    rows, data = [], {}
    with machine.zram_device() as device:
        for depth in DEPTHS:
            seen = {peer: [] for peer in PEERS}
            for _ in range(rounds):
                for peer, start in PEERS.items():
                    seen[peer].append(start(device, seconds, depth))
            per_core = {peer: Figure([done.ios / done.cpu_s for done in of]) for peer, of in seen.items()}
            for peer, of in seen.items():
                rows.append([peer, depth, Figure([done.ios / done.seconds for done in of]).text(),
                             per_core[peer].text(), f"{1e9 / per_core[peer].median:,.0f}",
                             f"{ratio(per_core[peer].median, per_core['fio'].median):.2f}",
                             ">= 1" if peer == "iostrata load" else ""])
                data[f"{peer}, depth {depth}"] = per_core[peer].json()
    results.show("generator", "(b) Generator: 4k random reads of zram, I/Os per second of CPU time",
                 ["peer", "depth", "IOPS", "IOPS per core", "CPU ns/IO", "x fio", "budget"], rows, data)
