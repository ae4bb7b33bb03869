"""A plain CSV to compare with: what a database reads without a reader of its own.

A time stamp, a name and twelve numbers with two decimals, as many bytes as the print-out that
it stands against.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.columns import Bytes, numbers, rows, texts

_NAMES = [f"dev94-{4 * number}" for number in range(40)]
_VALUES = 12
_TIMES_AT_ONCE = 100


def write_csv(path: Path, size: int, *, seed: int = 1) -> None:
    """Write a plain CSV of just over a size in bytes."""
    chance = np.random.default_rng(seed)
    scale = 10 ** chance.uniform(1, 7, (len(_NAMES), _VALUES))
    start = np.datetime64("2016-06-14T18:00:00")
    with path.open("wb") as stream:
        written = stream.write(
            ("time,name," + ",".join(f"v{number}" for number in range(_VALUES)) + "\n").encode()
        )
        while written < size:
            times = start + np.arange(_TIMES_AT_ONCE) * 10
            start = times[-1] + 10
            stamps = [str(time).replace("T", " ") for time in times]
            factor = chance.standard_exponential((len(times), *scale.shape), np.float32)
            values = (factor * scale).astype(np.int64).reshape(-1, _VALUES)
            cells: list[Bytes | str] = []
            for column in values.T:
                cells += [",", numbers(column, 2)]
            index = np.arange(len(values))
            names = texts(_NAMES, index % len(_NAMES))
            written += stream.write(
                rows(texts(stamps, index // len(_NAMES)), ",", names, *cells, "\n")
            )
