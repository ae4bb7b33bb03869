"""Writing runs: their raw exports and ``run.yml``, several runs at a time.

A run is unfolded, written and forgotten, so memory is that of one run per process, however many
there are.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import yaml

from pipelines.testbed import addresses, ecm
from pipelines.testbed.ecm.setup import OTHER_GUESTS
from pipelines.testbed.exports import Export, exports
from pipelines.testbed.faults import compress, encode
from pipelines.testbed.plan import PlannedRun

#: What each study's runs imitate.
_SETUPS = {
    "ecm-scaleout": "The setup is that of document 000",
    "filenet-p8": "The setup is that of document 001",
}
_DRIVER = "driver"


@dataclass(frozen=True)
class Written:
    """A file: its path within the data set, the hash of its bytes, and how many there are."""

    path: str
    sha256: str
    size: int


def write(
    runs: Iterable[PlannedRun], folder: Path, workers: int | None = None
) -> Iterator[list[Written]]:
    """Write runs, as many at a time as there are workers.

    Parameters
    ----------
    runs : iterable of PlannedRun
        Which; taken as they are needed, so there may be any number.
    folder : pathlib.Path
        The data set: ``data/raw/<name>``.
    workers : int, optional
        Processes; by default one for each processor.

    Yields
    ------
    list of Written
        The files of a run, in the order of the plan.
    """
    workers = workers or len(os.sched_getaffinity(0))
    if workers == 1:
        for planned in runs:
            yield write_run(planned, folder)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = iter(runs)
        ahead = [pool.submit(write_run, each, folder) for each in islice(waiting, 2 * workers)]
        while ahead:
            done = ahead.pop(0).result()
            ahead += [pool.submit(write_run, each, folder) for each in islice(waiting, 1)]
            yield done


def write_run(planned: PlannedRun, folder: Path) -> list[Written]:
    """Write the raw exports of a run, and its ``run.yml``.

    Parameters
    ----------
    planned : PlannedRun
        The run.
    folder : pathlib.Path
        The data set; the run's files go to ``<study>/<run>`` in it.
    """
    place = folder / planned.study / planned.run
    place.mkdir(parents=True, exist_ok=True)
    for old in place.iterdir():
        old.unlink()
    made = list(exports(planned))
    written = []
    for export in made:
        faults = export.faults
        chunks = encode(export.lines(), faults.line_end, faults.encoding, faults.cut_last_line)
        target = place / export.path
        compress(target, chunks, faults.compression)
        written.append(_written(target, folder))
    manifest = place / "run.yml"
    manifest.write_text(_manifest(planned, made), encoding="utf-8")
    written.append(_written(manifest, folder))
    return written


def _written(path: Path, folder: Path) -> Written:
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    return Written(path.relative_to(folder).as_posix(), digest, len(data))


def _manifest(planned: PlannedRun, made: list[Export]) -> str:
    setup = _SETUPS.get(planned.study, "The setup is for benchmarks")
    content: dict[str, Any] = {
        "study": planned.study,
        "run": planned.run,
        "title": planned.title,
        "origin": "simulated",
        "kind": "configuration" if planned.captures_only else "measurement",
        "time_zone": str(planned.start.tzinfo),
        "start": planned.start.replace(tzinfo=None).isoformat(),
        "factors": dict(planned.factors),
        "hosts": _hosts(planned),
        "files": [_file(export) for export in made],
        "notes": [
            f"Written by the testbed of this book, seed {'-'.join(map(str, planned.seed))}; nothing"
            f" of it was measured. {setup}."
        ],
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)


def _file(export: Export) -> dict[str, Any]:
    found: dict[str, Any] = {"path": export.path, "provenance": "generated"}
    if export.host:
        found["host"] = export.host
    if export.notes:
        found["notes"] = list(export.notes)
    return found


def _hosts(planned: PlannedRun) -> list[dict[str, str]]:
    return [
        *({"name": name, "role": role} for name, role in guests_of(planned)),
        {"name": addresses.SYSTEM, "role": "hypervisor"},
        {"name": _DRIVER, "role": "driver"},
    ]


def guests_of(planned: PlannedRun) -> Iterator[tuple[str, str]]:
    """Name the guests of a setup, with the role of each."""
    setup = planned.setup
    if isinstance(setup, ecm.Setup):
        yield from ((name, "ecm-node") for name in setup.node_names)
        yield from ((name, "nsd-server") for name in setup.server_names)
        yield from ((name, role) for name, (role, _, _) in OTHER_GUESTS.items())
    else:
        yield from zip(
            ("CEPE", "DB2", "LDAP", "AE"), ("ecm-node", "database", "directory", "other"),
            strict=True,
        )  # fmt: skip
