# SPDX-License-Identifier: GPL-2.0-only
"""Processes the benchmark starts, and what they and their BPF programs used.
In: commands. Out: their output, CPU time, and the programs' runs and time.
"""
import contextlib
import json
import os
import signal
import subprocess
import time
import typing

BUILD = os.environ.get("BUILD", os.path.join(os.path.dirname(__file__), "..", "..", "build"))
IOSTRATA = os.path.join(BUILD, "iostrata")
HOLD = os.path.join(BUILD, "bench", "hold")
PEERS = os.path.join(BUILD, "bench", "peers.bpf.o")
BPFTOOL = next((path for path in ("/usr/sbin/bpftool", "/usr/local/sbin/bpftool") if os.path.exists(path)),
               "bpftool")


class Failed(Exception):
    """Said in one line, ends the benchmark."""


def output_of(command, may_exit=(0,)):
    """Runs it to its end: (pid, stdout)."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        out, err = process.communicate()
    if process.returncode not in may_exit:
        raise Failed(f"{' '.join(command)}: exit status {process.returncode}: {err.strip() or out[-300:]}")
    return process.pid, out


@contextlib.contextmanager
def held(*arguments):
    """scripts/bench.d/hold.c for as long as the context lasts; its late output in .late"""
    with subprocess.Popen([HOLD, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout.readline() != "ready\n":
            raise Failed(f"hold {' '.join(arguments)}: not ready")
        process.late = ""
        try:
            yield process
        finally:
            process.stdin.close()
            process.late = process.stdout.read()


def loaded():
    """{id: program} of all programs, anybody's."""
    listed = subprocess.run([BPFTOOL, "-j", "prog", "show"], check=True, stdout=subprocess.PIPE).stdout
    return {program["id"]: program for program in json.loads(listed)}


def held_by(pid):
    """The ids of the programs a process holds open: others' tracers are not its."""
    ids = set()
    for number in os.listdir(f"/proc/{pid}/fdinfo"):
        with contextlib.suppress(FileNotFoundError), open(f"/proc/{pid}/fdinfo/{number}", encoding="ascii") as info:
            ids.update(int(line.split()[1]) for line in info if line.startswith("prog_id:"))
    return ids


def attached(process, wanted):
    """The ids of the peer's block programs, once all are there and attached."""
    def block_programs():
        held = held_by(process.pid)
        return {i for i, program in loaded().items() if i in held and hook_of(program.get("name", ""))}

    deadline = time.monotonic() + 10
    while True:
        ids = block_programs()
        if len(ids) >= wanted:
            time.sleep(0.2)  # from one load to the last attach: there may be more by then
            return block_programs()
        if process.poll() is not None or time.monotonic() > deadline:
            raise Failed(f"{' '.join(process.args)}: {len(ids)} of {wanted} BPF programs")
        time.sleep(0.05)


def hook_of(name):
    """Which block event a peer's program is for, by its name, or None."""
    return next((hook for hook in ("insert", "requeue", "issue", "complete") if hook in name), None)


def usage(ids):
    """{hook: (runs, ns)} so far; needs the statistics on."""
    now, sums = loaded(), {}
    for program in (now[i] for i in ids):
        runs, ns = sums.get(hook_of(program["name"]), (0, 0))
        sums[hook_of(program["name"])] = (runs + program.get("run_cnt", 0), ns + program.get("run_time_ns", 0))
    return sums


@contextlib.contextmanager
def tool(*command):
    """A tracer in the background, ended as by Ctrl-C."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(10)


def memory_peak(pid):
    """VmHWM of a running process, in bytes."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    raise Failed(f"process {pid} has no VmHWM")


FIO = ("fio", "--name=bench", "--direct=1", "--rw=randread", "--bs=4k", "--ioengine=io_uring", "--time_based",
       "--thread", "--group_reporting", "--fixedbufs", "--registerfiles", "--nonvectored=1", "--norandommap",
       "--output-format=json")


class Done(typing.NamedTuple):
    """One load. CPU time is that of the thread that does the I/O, by its own getrusage at both ends."""

    pid: int
    ios: int
    seconds: float
    cpu_s: float


def fio(target, seconds, *options):
    pid, out = output_of([*FIO, f"--filename={target}", f"--runtime={seconds}", *options])
    job = json.loads(out[out.index("{"):])["jobs"][0]
    return Done(pid, job["read"]["total_ios"], job["read"]["runtime"] / 1000,
                (job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] / 1000)


def report_of(command, target, seconds, *options):
    """(pid, the report) of `iostrata COMMAND`."""
    pid, out = output_of([IOSTRATA, command, "--rw", "randread", "--bs", "4k", "--runtime", f"{seconds}s",
                          "-f", "json", *options, target], may_exit=(0, 5))
    return pid, json.loads(out)


def load(target, seconds, *options):
    pid, report = report_of("load", target, seconds, *options)
    done = report["load"]
    return Done(pid, done["counts"]["completed"], done["duration_ns"] / 1e9,
                (done["cpu"]["user_ns"] + done["cpu"]["system_ns"]) / 1e9)
