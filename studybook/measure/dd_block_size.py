"""The same bytes written by ``dd`` in blocks of 1024 and of 4096 bytes, with CPU time."""

from __future__ import annotations

from studybook.measure.command import Command, Experiment
from studybook.measure.scale import Scale
from studybook.measure.tools import Tool, missing

NAME = "dd-block-size"
_BLOCK_BYTES = (1024, 4096)

#: Taken for the estimate only.
_MIB_PER_S = 300


def experiment(scale: Scale) -> Experiment | list[Tool]:
    """The experiment, or the tools that it lacks."""
    if lacking := missing("dd", "bash"):
        return lacking
    return Experiment(
        NAME,
        "dd by block size",
        tuple(_command(block, scale.copy_mib) for block in _BLOCK_BYTES),
        ("dd", "bash"),
        ("The file is written afresh; its time ends when the data are on disk (conv=fdatasync).",),
    )


def _command(block_bytes: int, mib: int) -> Command:
    count = mib * 2**20 // block_bytes
    copy = f"dd if=/dev/zero of=test-file bs={block_bytes} count={count} conv=fdatasync"
    # bash prints the command (-x) and times it: to the millisecond, GNU time to ten.
    return Command(
        f"dd-{block_bytes}.txt",
        ("bash", "-xc", f"time {copy}"),
        proof=r"^sys\t",
        seconds=0.5 + mib / _MIB_PER_S,
        mib=mib,
        errors_too=True,  # where both print
    )
