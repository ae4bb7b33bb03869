"""Output of ``mmpmon -p``: request ``fs_io_s`` on several nodes, repeated.

One line per node and file system and ``_end_`` after each repetition, in the grammar of the IBM
Spectrum Scale documentation; the counters only grow, those of 32 bits wrap.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.columns import Bytes, numbers, rows, texts

_NODES = [f"node{number:02}" for number in range(1, 17)]
_ADDRESSES = [f"10.20.0.{number}" for number in range(1, 17)]
_FILE_SYSTEMS = ["gpfs0", "gpfs1", "scratch"]
_COUNTERS = ("_br_", "_bw_", "_oc_", "_cc_", "_rdc_", "_wc_", "_dir_", "_iu_")

#: Mean growth of each counter in a second.
_GROWTH = np.array([9e8, 3e8, 40, 38, 900, 350, 12, 25])
_START_US = 1_465_920_000_000_000
_LOOPS_AT_ONCE = 50


def write_mmpmon(path: Path, size: int, *, seed: int = 1) -> None:
    """Write the output of a long run, of just over a size in bytes."""
    chance = np.random.default_rng(seed)
    lines = len(_NODES) * len(_FILE_SYSTEMS)
    node = np.tile(np.repeat(np.arange(len(_NODES)), len(_FILE_SYSTEMS)), _LOOPS_AT_ONCE)
    file_system = np.tile(np.arange(len(_FILE_SYSTEMS)), len(_NODES) * _LOOPS_AT_ONCE)
    ends = (np.arange(len(node)) % lines == lines - 1).astype(np.int64)
    counters = (chance.standard_exponential((lines, len(_COUNTERS))) * _GROWTH * 1e5).astype(
        np.int64
    )
    now = _START_US
    with path.open("wb") as stream:
        written = stream.write(_head().encode())
        while written < size:
            drift = chance.integers(1_000_000 + 1_500, 1_000_000 + 12_000, _LOOPS_AT_ONCE)
            loop_us = now + np.cumsum(drift)
            now = int(loop_us[-1])
            late = chance.integers(0, 9_000, (_LOOPS_AT_ONCE, len(_NODES)))
            us = np.repeat(loop_us[:, np.newaxis] + late, len(_FILE_SYSTEMS), axis=1).reshape(-1)
            grown = chance.standard_exponential((_LOOPS_AT_ONCE, *counters.shape)) * _GROWTH
            values = counters + np.cumsum(grown.astype(np.int64), axis=0)
            counters = values[-1]
            values[..., 2:] %= 2**32
            cells: list[Bytes | str] = []
            for name, column in zip(_COUNTERS, values.reshape(-1, len(_COUNTERS)).T, strict=True):
                cells += [f" {name} ", numbers(column)]
            written += stream.write(
                rows(
                    "_fs_io_s_ _n_ ", texts(_ADDRESSES, node), " _nn_ ", texts(_NODES, node),
                    " _rc_ 0 _t_ ", numbers(us // 1_000_000), " _tu_ ", numbers(us % 1_000_000),
                    " _cl_ bench.example.com _fs_ ", texts(_FILE_SYSTEMS, file_system), " _d_ 48",
                    *cells, texts(["\n", "\n_end_\n"], ends),
                )
            )  # fmt: skip


def _head() -> str:
    """What ``once nlist add`` and ``once ver`` answer."""
    seconds = _START_US // 1_000_000
    start = f"_nlist_ _n_ {_ADDRESSES[0]} _nn_ {_NODES[0]} _req_ add _rc_ 0 _t_ {seconds} _tu_ 12"
    nodes = "".join(
        f"{start} _ni_ {name} _nx_ {name} _nxip_ {address}\n"
        for name, address in zip(_NODES, _ADDRESSES, strict=True)
    )
    count = len(_NODES)
    version = "".join(
        f"_ver_ _n_ {address} _nn_ {name} _v_ 3 _lv_ 3 _vt_ 0\n"
        for name, address in zip(_NODES, _ADDRESSES, strict=True)
    )
    return f"{start} _c_ {count}\n{nodes}{start} _did_ {count} _nlc_ {count}\n{version}"
