"""A report of Rational Performance Tester as a "Full" CSV: a column per counter, five headings.

As version 8 writes it: some lines about the run, the path of each counter from top to bottom over
the headings, then a row per interval that ends at its last value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.columns import Bytes, Numbers, Scales, numbers, rows

_PAGES = [f"Case Work - Step {number}" for number in range(1, 61)]
_INTERVAL_MS = 5_000
_ROWS_AT_ONCE = 400
_DECIMALS = 12

_ABOUT = """\
Performance Test Run,"Bench_Full_01 [14 Jun 2016 18:00:28 CEST]"
Run Start Time,"2016-06-14T18:00:29+0100"
Time Range,"Default Time Range"
Node,"All Hosts"
Agent,"Performance Statistics"
Test Name,Bench_Full_01

"""


@dataclass(frozen=True)
class Counters:
    """Neighbouring columns of one kind.

    Parameters
    ----------
    paths : list of str
        Headings from top to bottom, with slashes between.
    kind : str
        ``mean``: a number with many digits; ``count``: a whole number printed ``14.0``;
        ``whole``: printed ``14``; ``large``: printed ``1.4E9``.
    often : float
        Share of the intervals that have a value.
    """

    paths: list[str]
    kind: str
    often: float = 1.0


def _of_pages(what: str, statistic: str, kind: str, often: float = 1.0) -> Counters:
    return Counters([f"Pages/{what}/{page}/{statistic}" for page in _PAGES], kind, often)


def _counters() -> list[Counters]:
    time, all_pages, elements = "Response Time", "For All Pages For Run", "For All Page Elements"
    return [
        Counters([f"Pages/Goodness/Percent Goodness {all_pages}"], "mean", 0.7),
        Counters([f"Pages/Goodness/Percent Goodness {elements} For Run"], "mean"),
        Counters(["Pages/Verification Points/Percent Page VPs Passed For Run"], "mean", 0.3),
        Counters(
            [f"Run/{users} Users/Scalar cumulative" for users in ("Active", "Completed", "Total")],
            "whole",
        ),
        Counters(["Pages/Verification Points/Total Page VPs Passed For Run"], "count", 0.3),
        Counters(["Pages/Attempts/Total Page Attempts", "Pages/Hits/Total Page Hits"], "count"),
        Counters([f"Pages/{time}/Average {time} {all_pages}"], "mean", 0.7),
        Counters([f"Pages/{time}/{time} Standard Deviation {all_pages}"], "mean", 0.7),
        Counters([f"Pages/{time}/{most}imum {time} {all_pages}" for most in ("Max", "Min")],
                 "whole", 0.7),
        Counters(
            ["Pages/Attempts/Total Page Element Attempts", "Pages/Hits/Total Page Element Hits"],
            "count",
        ),
        Counters([f"Pages/{time}/Average {time} {elements} For Run"], "mean"),
        Counters([f"Pages/{time}/{time} Standard Deviation {elements} For Run"], "mean"),
        _of_pages(time, "Average Cumulative", "mean", 0.7),
        _of_pages(time, "Min Cumulative", "whole", 0.7),
        _of_pages(time, "Cumulative Standard Deviation", "mean", 0.7),
        _of_pages(time, "Max Cumulative", "whole", 0.7),
        _of_pages("Attempts", "Rate For Run", "mean"),
        _of_pages("Attempts", "Scalar For Run", "count"),
        Counters([f"Pages/{time}/Average {time} For All Pages For Interval"], "mean", 0.7),
        Counters([f"Pages/{time}/Average {time} {elements} For Interval"], "mean"),
        _of_pages(time, "Average interval", "mean", 0.7),
        _of_pages("Attempts", "Rate interval", "mean"),
        _of_pages("Attempts", "Scalar interval", "whole"),
        Counters(["Pages/Attempts/Page Attempt Rate For Interval"], "mean"),
        Counters(["Pages/Hits/Page Hit Rate For Interval"], "mean"),
        _of_pages("Hits", "Rate For Run", "mean"),
        _of_pages("Hits", "Scalar For Run", "count"),
        Counters([f"Run/Bytes/{way}/Rate interval" for way in ("Received", "Sent")], "mean"),
        Counters([f"Run/Bytes/Total Bytes {way}" for way in ("Received", "Sent")], "large"),
        Counters([f"Pages/Goodness/Total Goodness Count {all_pages}"], "count", 0.7),
        Counters([f"Pages/Goodness/Total Goodness Count {elements} For Run"], "count"),
        _of_pages("Goodness", "Percent Goodness For Run", "mean", 0.7),
        _of_pages("Goodness", "Scalar cumulative", "count", 0.7),
    ]  # fmt: skip


def write_rpt(path: Path, size: int, *, seed: int = 1) -> None:
    """Write the report of a long run, of about a size in bytes; ten intervals at least."""
    chance = np.random.default_rng(seed)
    counters = _counters()
    scales = [10 ** chance.uniform(0, 5, len(each.paths)) for each in counters]
    first = 0
    with path.open("wb") as stream:
        written = stream.write((_ABOUT + _headings(counters)).encode())
        while written < size:
            number = np.arange(first, first + _ROWS_AT_ONCE)
            first += _ROWS_AT_ONCE
            late = chance.integers(0, 50, len(number))
            cells: list[Bytes | str] = [numbers(_INTERVAL_MS * (number + 1) + late)]
            cells += [
                _cells(each, scale, number, chance)
                for each, scale in zip(counters, scales, strict=True)
            ]
            # Empty cells at the end of a row are not written.
            lines = re.sub(rb",+\n", b"\n", rows(*cells, "\n"))
            if written + len(lines) > size:
                keep = max(10, round(_ROWS_AT_ONCE * (size - written) / len(lines)))
                lines = b"".join(lines.splitlines(keepends=True)[:keep])
                size = 0
            written += stream.write(lines)


def _headings(counters: list[Counters]) -> str:
    paths = [["All_Hosts", *path.split("/")] for each in counters for path in each.paths]
    deepest = max(map(len, paths))
    return "".join(
        ",".join(
            ["" if level else "Time [ms]"]
            + [path[level] if level < len(path) else "" for path in paths]
        )
        + "\n"
        for level in range(deepest)
    )


def _cells(
    counters: Counters, scale: Scales, number: Numbers, chance: np.random.Generator
) -> Bytes:
    """The columns of one kind, a comma before each cell."""
    shape = (len(number), len(scale))
    values = chance.standard_exponential(shape) * scale
    after = b""
    if counters.kind == "mean":
        text = numbers((values * 10**_DECIMALS).astype(np.int64).reshape(-1) | 1, _DECIMALS)
    elif counters.kind == "whole":
        text = numbers(values.astype(np.int64).reshape(-1))
    elif counters.kind == "count":
        text, after = numbers(np.repeat(number + 1, len(scale))), b".0"
    else:
        text, after = numbers(10**8 + np.repeat(number, len(scale)), 8), b"E9"
    cells = np.empty((len(text), 1 + text.shape[1] + len(after)), np.uint8)
    cells[:, 0] = ord(",")
    cells[:, 1 : 1 + text.shape[1]] = text
    cells[:, 1 + text.shape[1] :] = np.frombuffer(after, np.uint8)
    missing = chance.random(shape) >= counters.often
    if len(scale) == len(_PAGES):  # a page has no values before it was first seen
        missing |= number[:, np.newaxis] < 2 * np.arange(len(_PAGES))
    cells[missing.reshape(-1), 1:] = 0
    return cells.reshape(len(number), -1)
