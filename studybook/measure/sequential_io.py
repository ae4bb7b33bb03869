"""Sequential write and read of files by a number of processes, each with a file of its own."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from studybook.measure import host
from studybook.measure.command import Command, Experiment
from studybook.measure.scale import Scale
from studybook.measure.tools import Tool, missing

NAME = "sequential-io"
_TITLE = "sequential write and read by number of processes"

#: Taken for the estimate only.
_MIB_PER_S = 400

#: iozone sleeps so long around its two tests, in seconds (seen, 3.489).
_SLEEPS_S = 8.0


def experiment(scale: Scale, folder: Path) -> Experiment | list[Tool]:
    """The experiment with iozone, else with fio; or the tools that it lacks."""
    direct = has_direct(folder)
    if host.file_system(folder).startswith(("tmpfs", "ramfs")):
        cache = "The files lie in memory, on no disk."
    elif direct:
        cache = "Direct I/O (O_DIRECT): the page cache answers no read and takes no write."
    else:
        cache = (
            "The file system has no direct I/O: writes end with fsync, reads may be answered by the"
            " page cache."
        )
    around = (cache, f"Each process has a file of its own of {scale.file_mib} MiB, written afresh.")
    if not missing("iozone"):
        commands = tuple(_iozone(number, scale.file_mib, direct) for number in scale.writers)
        tail = "iozone counts until the first process is done (no -x)."
        return Experiment(NAME, _TITLE, commands, ("iozone",), (*around, tail))
    if not missing("fio"):
        commands = tuple(_fio(number, scale.file_mib, direct) for number in scale.writers)
        return Experiment(NAME, _TITLE, commands, ("fio",), around)
    return missing("iozone", "fio")


def has_direct(folder: Path) -> bool:
    """Whether files there can be opened past the page cache; asked by a file without a name."""
    try:
        file = os.open(folder, os.O_TMPFILE | os.O_DIRECT | os.O_RDWR, 0o600)
    except OSError as error:
        # A file system that has no files without a name may still have direct I/O, and mostly does.
        return error.errno != errno.EINVAL
    os.close(file)
    return True


def _seconds(processes: int, file_mib: int) -> float:
    """Write and read of all files, for the estimate only."""
    return 2 * processes * file_mib / _MIB_PER_S


def _iozone(processes: int, file_mib: int, direct: bool) -> Command:
    files = tuple(f"file-{number}" for number in range(1, processes + 1))
    sizes = ("-t", str(processes), "-s", f"{file_mib}m", "-r", "1m")
    # Write, then read; without the second round of each (-+n); with fsync and close in the time.
    tests = ("-i", "0", "-i", "1", "-+n", "-e", "-c", *(("-I",) if direct else ()))
    return Command(
        f"iozone-{processes}.txt",
        ("iozone", *sizes, *tests, "-F", *files),
        proof=r"^iozone test complete\.",
        seconds=_SLEEPS_S + _seconds(processes, file_mib),
        mib=processes * file_mib,
    )


def _fio(processes: int, file_mib: int, direct: bool) -> Command:
    # Files are made by the write itself, and the read takes them as they then are.
    files = ("--directory=.", "--filename_format=file-$jobnum", "--create_on_open=1")
    size = (f"--size={file_mib}m", "--bs=1m", "--fallocate=none", f"--numjobs={processes}")
    way = (f"--direct={int(direct)}", "--end_fsync=1", "--ioengine=psync", "--group_reporting")
    write = ("--name=sequential-write", "--rw=write")
    read = ("--name=sequential-read", "--stonewall", "--rw=read")
    return Command(
        f"fio-{processes}.json",
        ("fio", "--output-format=json", *files, *size, *way, *write, *read),
        proof=r'"jobname" *: *"sequential-read"',
        seconds=1 + _seconds(processes, file_mib),
        mib=processes * file_mib,
    )
