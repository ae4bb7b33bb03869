"""A binary file of ``sadc`` to compare with ``sadf``, and the text that ``sar`` makes of it.

A short recording of this machine is made longer by repeating it: ``sadc`` puts a restart behind
it, as after a reboot, and each copy's time stamps are moved on.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from datetime import UTC, datetime
from pathlib import Path

_PLACES = ("/usr/lib/sysstat/sadc", "/usr/lib/sa/sadc", "/usr/lib64/sa/sadc")

#: Where a record's header of sysstat 12 has the seconds since 1970, its kind, and the time of day.
_SECONDS, _KIND, _CLOCK = 8, 20, 21
_SAMPLE, _RESTART = 1, 2


def sadc() -> str | None:
    """Where the recorder of sysstat is; None if it or ``sadf`` is not installed."""
    there = next((place for place in _PLACES if Path(place).is_file()), None)
    return there if shutil.which("sadf") and shutil.which("sar") else None


def record(path: Path, *, samples: int, copies: int) -> None:
    """Record this machine once a second, and repeat the recording.

    Parameters
    ----------
    path : pathlib.Path
        Where to.
    samples : int
        How many seconds to record.
    copies : int
        How many times to repeat them.

    Raises
    ------
    RuntimeError
        If the file is not laid out as sysstat 12 does.
    """
    recorder = sadc()
    assert recorder is not None, "asked for only where it is"  # noqa: S101 - for the type checker
    call = [recorder, "-S", "XALL"]
    sizes = []
    for more in (["1", "2"], ["1", str(samples)], []):
        # With a count, samples are added to the file; without, a restart is.
        subprocess.run([*call, *more, str(path)], check=True, capture_output=True)  # noqa: S603 - our own
        sizes.append(path.stat().st_size)
    sample, restart = (sizes[1] - sizes[0]) // samples, sizes[2] - sizes[1]
    head = sizes[0] - 2 * sample
    whole = path.read_bytes()
    places = [*range(head, sizes[1], sample), sizes[1]]
    kinds = [whole[place + _KIND] for place in places]
    if kinds != [_SAMPLE] * (samples + 2) + [_RESTART] or sample <= restart:
        raise RuntimeError(f"{path}: not laid out as a file of sysstat 12")
    with path.open("ab") as stream:
        for copy in range(1, copies):
            block = bytearray(whole[head:])
            for place in places:
                at = place - head
                (seconds,) = struct.unpack_from("=Q", block, at + _SECONDS)
                moved = seconds + copy * (samples + 60)
                struct.pack_into("=Q", block, at + _SECONDS, moved)
                clock = datetime.fromtimestamp(moved, UTC)
                struct.pack_into("=BBB", block, at + _CLOCK, clock.hour, clock.minute, clock.second)
            stream.write(block)


def as_text(recording: Path, path: Path) -> None:
    """Let ``sar -A`` print a recording."""
    with path.open("wb") as stream:
        call = [str(shutil.which("sar")), "-A", "-f", str(recording)]
        environment = {**os.environ, "LC_ALL": "C"}
        subprocess.run(call, check=True, stdout=stream, env=environment)  # noqa: S603 - our own
