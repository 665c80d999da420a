# SPDX-License-Identifier: GPL-2.0-only
"""Runs a load on a target and stops its process for 100 ms: 4 ms after the third
request was served, so that the fourth and nine or ten more arrive (by the plan)
while it can't submit. In: a file for the times, then the command. Out: in the
file, when it was stopped and when it went on (CLOCK_MONOTONIC ns); the exit
status is the command's."""
import json
import os
import signal
import subprocess
import sys
import time


def served(control):
    with open(control, encoding="ascii") as file:
        state = dict(line.strip().split("=", 1) for line in file if "=" in line)
    return int(state["requests"]) if state["armed"] == "1" else 0


def main():
    control = os.environ["IOSTRATA_CONTROL"]
    with subprocess.Popen(sys.argv[2:]) as load:
        while served(control) < 3 and load.poll() is None:
            time.sleep(0.0003)
        seen_ns = time.monotonic_ns()
        time.sleep(0.004)  # that one shall be done and reaped
        os.kill(load.pid, signal.SIGSTOP)
        stopped_ns = time.monotonic_ns()
        time.sleep((109_200_000 - (time.monotonic_ns() - seen_ns)) / 1e9)
        on_ns = time.monotonic_ns()
        os.kill(load.pid, signal.SIGCONT)
        status = load.wait()
    with open(sys.argv[1], "w", encoding="ascii") as file:
        json.dump({"seen_ns": seen_ns, "stopped_ns": stopped_ns, "on_ns": on_ns}, file)
    return status


sys.exit(main())
