# SPDX-License-Identifier: GPL-2.0-only
"""The devices of the benchmark, each undone at the end whatever happens. In:
sizes. Out: paths of devices and files full of data that cannot be compressed.
"""
import contextlib
import os
import subprocess
import tempfile

SIZE_BYTES = 256 << 20


def said_by(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def write_to(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def fill(path):
    """Random bytes, so that zram cannot compress them nor a file have holes."""
    block = os.urandom(1 << 20)
    with open(path, "r+b" if os.path.exists(path) else "wb") as file:
        for at in range(SIZE_BYTES >> 20):
            file.write(at.to_bytes(8, "little") + block[8:])
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def loop_device(scheduler="none", iostats=1):
    """A loop device with direct I/O on a file in memory."""
    descriptor, path = tempfile.mkstemp(prefix="iostrata-bench.", dir="/dev/shm")
    os.close(descriptor)
    device = None
    try:
        fill(path)
        device = said_by("losetup", "--find", "--show", "--direct-io=on", path)
        queue = f"/sys/block/{os.path.basename(device)}/queue"
        before = {name: open(f"{queue}/{name}", encoding="ascii").read() for name in ("iostats",)}
        write_to(f"{queue}/scheduler", scheduler)
        write_to(f"{queue}/iostats", str(iostats))
        yield device
        write_to(f"{queue}/iostats", before["iostats"])
        write_to(f"{queue}/scheduler", "none")
    finally:
        if device:
            subprocess.run(["losetup", "--detach", device], check=False)
        os.unlink(path)


@contextlib.contextmanager
def disk_file():
    """A file on the disk that /var/tmp lies on, to be read from the device."""
    descriptor, path = tempfile.mkstemp(prefix="iostrata-bench.", dir="/var/tmp")
    os.close(descriptor)
    try:
        fill(path)
        yield path
    finally:
        os.unlink(path)


@contextlib.contextmanager
def zram_device():
    """A compressed memory disk of its own: the fastest block device at hand."""
    with contextlib.suppress(FileNotFoundError):  # no modules here, or built in
        subprocess.run(["modprobe", "-q", "zram", "num_devices=0"], check=False)
    with open("/sys/class/zram-control/hot_add", encoding="ascii") as file:
        number = file.read().strip()
    try:
        write_to(f"/sys/block/zram{number}/disksize", str(SIZE_BYTES))
        fill(f"/dev/zram{number}")
        yield f"/dev/zram{number}"
    finally:
        write_to(f"/sys/block/zram{number}/reset", "1")
        write_to("/sys/class/zram-control/hot_remove", number)
