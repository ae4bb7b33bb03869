"""A JTL of JMeter, as CSV in the default layout: samples of a long run."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.columns import numbers, rows, texts

_HEAD = (
    "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
    "failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n"
)
_LABELS = [f"{verb} /{page}" for page in ("items", "items/one", "cart", "search", "order")
           for verb in ("GET", "POST")]  # fmt: skip
_THREADS = 100
#: What the server answers, what JMeter makes of it, and what it then says of the failure.
_ANSWERS = [("200,OK", "true", ""), ("503,Service Unavailable", "false", "too busy")]
_FAILED = 0.002
#: Mean milliseconds from one sample to the next, and of an answer.
_APART_MS, _ELAPSED_MS = 20.0, 80.0
_START_MS = 1_465_920_000_000
_ROWS_AT_ONCE = 20_000


def write_jtl(path: Path, size: int, *, seed: int = 1) -> None:
    """Write the samples of a long run, of just over a size in bytes."""
    chance = np.random.default_rng(seed)
    scale = _ELAPSED_MS * np.arange(1, len(_LABELS) + 1) / len(_LABELS)
    now = _START_MS
    with path.open("wb") as stream:
        written = stream.write(_HEAD.encode())
        while written < size:
            each = np.arange(_ROWS_AT_ONCE)
            stamps = now + np.cumsum(chance.exponential(_APART_MS, len(each)).astype(np.int64))
            now = int(stamps[-1])
            label = chance.integers(0, len(_LABELS), len(each))
            elapsed = 2 + (chance.standard_exponential(len(each)) * scale[label]).astype(np.int64)
            answer = (chance.random(len(each)) < _FAILED).astype(np.int64)
            code, success, failure = (
                texts([cells[place] for cells in _ANSWERS], answer) for place in range(3)
            )
            path_of = [name.split()[1] for name in _LABELS]
            written += stream.write(
                rows(
                    numbers(stamps), ",", numbers(elapsed), ",", texts(_LABELS, label), ",", code,
                    ",Users 1-", numbers(1 + each % _THREADS), ",text,", success, ",", failure, ",",
                    numbers(chance.integers(300, 90_000, len(each))), ",",
                    numbers(chance.integers(120, 900, len(each))),
                    f",{_THREADS},{_THREADS},http://shop.example.com", texts(path_of, label), ",",
                    numbers(elapsed - 1), ",0,", numbers(each % 3), "\n",
                )
            )  # fmt: skip
