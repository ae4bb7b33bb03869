"""Text of ``sar -A``, in the layout of either version, with invented values.

As ``sar -A -f`` writes it to a file: a section per activity with all samples in it, its heading
again after so many samples, averages at its end, and a restart in the middle.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from benchmarks.columns import Bytes, Numbers, Scales, numbers, rows, texts
from benchmarks.sar_activities import WHOLE, Activity, Version

START = datetime(2016, 6, 14, 18, 0, 0)
INTERVAL_S = 10

#: Rows put together at once.
_ROWS = 20_000

_MEMORY_KB = 65_970_000


def write_sar(
    path: Path, version: Version, size: int, *, seed: int = 1, host: str = "bench01",
    restart: bool = True,
) -> None:  # fmt: skip
    """Write a file of about a size.

    Parameters
    ----------
    path : pathlib.Path
        Where to.
    version : Version
        What ``sar`` prints.
    size : int
        How many bytes, to about one percent; at least some ten samples are written.
    seed : int
        The same seed gives the same file.
    host : str
        Name of the host in the first line.
    restart : bool
        Whether the host restarts in the middle of the file.
    """

    def write(samples: int, stream: BinaryIO) -> None:
        _write(stream, version, samples, np.random.default_rng(seed), host, restart)

    few, more = io.BytesIO(), io.BytesIO()
    write(40, few)
    write(80, more)
    per_sample = (len(more.getvalue()) - len(few.getvalue())) / 40
    with path.open("wb") as stream:
        write(max(10, round((size - len(few.getvalue())) / per_sample) + 40), stream)


def _write(
    stream: BinaryIO, version: Version, samples: int, chance: np.random.Generator, host: str,
    restart: bool,
) -> None:  # fmt: skip
    stream.write(
        f"Linux {version.release} ({host}) \t{START.strftime(version.date)} \t_x86_64_"
        f"{version.cpus}\n".encode()
    )
    parts = (samples // 2, samples - samples // 2) if restart else (samples,)
    start = START
    for number, part in enumerate(parts):
        if number:
            start += timedelta(minutes=3)
            stream.write(f"\n{start:%H:%M:%S}   {version.restart}\n".encode())
            start += timedelta(seconds=20)
        for activity in version.activities:
            for text in _section(activity, part, start, chance):
                stream.write(text)
        start += timedelta(seconds=INTERVAL_S * part)


def _section(
    activity: Activity, samples: int, start: datetime, chance: np.random.Generator
) -> Iterator[bytes]:
    """The rows of an activity, some thousands at a time, and their averages."""
    items, names = len(activity.items), activity.names
    scale = 10 ** chance.uniform(1, 5 if activity.items[0] == "sum" else 7, (items, len(names)))
    scale[chance.random(scale.shape) < activity.idle] = 0
    scale[:, _levels(names)] *= 10
    total = np.zeros((items, len(names)), np.int64)
    at_once = max(1, _ROWS // items)
    first_second = start.hour * 3600 + start.minute * 60 + start.second
    for first in range(0, samples, at_once):
        number = np.arange(first, min(first + at_once, samples))
        values = _values(activity, scale, len(number), chance)
        total += values.sum(axis=0)
        time = np.repeat(_clock()[(first_second + INTERVAL_S * (number + 1)) % 86_400], items, 0)
        yield rows(_headings(activity, number, first_second), *_cells(activity, time, values))
    means = (total / samples).round().astype(np.int64)[np.newaxis]
    word = "Summary:   " if activity.item_last else "Average:   "
    if activity.repeat == 1:
        yield f"\n{word}{_heading(activity)}\n".encode()
    index = np.zeros(items, np.int64)
    yield rows(*_cells(activity, texts([word], index), means))


def _values(
    activity: Activity, scale: Scales, samples: int, chance: np.random.Generator
) -> Numbers:
    """Values of all items and columns, in hundredths unless a column has no decimals."""
    names = activity.names
    factor = chance.standard_exponential((samples, *scale.shape), np.float32)
    factor = np.where(_levels(names), 0.95 + factor / 20, factor)
    values = (factor * scale).astype(np.int64)
    at = {name: number for number, name in enumerate(names)}
    for name, column in at.items():
        if "%" in name:
            values[..., column] %= 10_001
    if "%idle" in at:
        values[..., :-1] %= 10_000 // len(names)
        values[..., -1] = 10_000 - values[..., :-1].sum(axis=-1)
    if names[0] == "tps" and "rtps" in at:
        values[..., 0] = values[..., 1 : at["bread/s"]].sum(axis=-1)
    if "frmpg/s" in at:
        values -= 10_000
    if "kbmemused" in at:
        values[..., at["kbmemfree"]] %= _MEMORY_KB
        used = _MEMORY_KB - values[..., at["kbmemfree"]]
        values[..., at["kbmemused"]] = used
        values[..., at["%memused"]] = used * 10_000 // _MEMORY_KB
    if "CPU0" in at:
        values[..., 0] = values[..., 1:].sum(axis=-1)
    if activity.items[0] == "sum":
        values[:, 0] = values[:, 1:].sum(axis=1)
    return values


def _levels(names: list[str]) -> NDArray[np.bool_]:
    """Which columns hold levels, that change little, not rates."""
    return np.array([name in WHOLE or name.startswith("ldavg") for name in names])


def _cells(activity: Activity, time: Bytes, values: Numbers) -> list[Bytes | str]:
    """The parts of rows: time, item, values."""
    samples, items, columns = values.shape
    flat = values.reshape(samples * items, columns)
    cells: list[Bytes | str] = []
    for column, name in enumerate(activity.names):
        cells += [" ", numbers(flat[:, column], 0 if name in WHOLE else 2, 9)]
    index = np.tile(np.arange(items), samples)
    if activity.item_last:
        return [time, *cells, texts([f" {item}" for item in activity.items], index), "\n"]
    if activity.items == ("",):
        return [time, *cells, "\n"]
    width = 7 if activity.heading.startswith("CPU") else 9
    return [time, texts([f" {item:>{width}}" for item in activity.items], index), *cells, "\n"]


def _heading(activity: Activity) -> str:
    names = activity.heading.split()
    first = 8 if names[0] == "CPU" else 10
    if activity.item_last:
        return "".join(f"{name:>10}" for name in names[:-1]) + f" {names[-1]}"
    return f"{names[0]:>{first}}" + "".join(f"{name:>10}" for name in names[1:])


def _headings(activity: Activity, number: Numbers, first_second: int) -> Bytes:
    """A blank line and the heading before the rows where it comes, nothing before the others."""
    items = len(activity.items)
    here = np.flatnonzero(number % activity.samples_per_heading == 0)
    if not len(here):
        return np.zeros((len(number) * items, 0), np.uint8)
    time = _clock()[(first_second + INTERVAL_S * number[here]) % 86_400]
    text = texts([f"{_heading(activity)}\n"], np.zeros(len(here), np.int64))
    blank = np.full((len(here), 1), ord("\n"), np.uint8)
    headings = np.concatenate([blank, time, text], axis=1)
    before = np.zeros((len(number) * items, headings.shape[1]), np.uint8)
    before[here * items] = headings
    return before


@cache
def _clock() -> Bytes:
    """The text of each second of a day, eleven characters wide."""
    second = np.arange(86_400)
    parts = (second // 3600, second // 60 % 60, second % 60)
    hours, minutes, seconds = (numbers(part + 100)[:, -2:] for part in parts)
    colon, blanks = np.full((86_400, 1), ord(":"), np.uint8), np.full((86_400, 3), 32, np.uint8)
    return np.concatenate([hours, colon, minutes, colon, seconds, blanks], axis=1)
