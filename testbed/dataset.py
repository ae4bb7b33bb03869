"""Writing runs: their raw exports and ``run.yml``, several runs at a time.

A run is unfolded, written and forgotten, so memory is that of one run per process, however many
there are.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import yaml

from studybook.errors import StudyBookError
from studybook.process.pool import processes
from testbed import addresses
from testbed.course import Course
from testbed.exports import Export, exports
from testbed.faults import compress, encode
from testbed.planned import PlannedRun
from testbed.unfold import unfold

#: The system that each study's runs imitate.
_SETUPS = {
    "ecm-scaleout": "The setup is that of IBM's scale-out case study of ECM on Spectrum Scale 4.2",
    "filenet-p8": "The setup is that of IBM's study of FileNet P8 5.1 on Linux for System z",
}
_DRIVER = "driver"
_BY_TESTBED = "Written by the testbed of this book"


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
    with processes(workers) as pool:
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
    if place.exists():
        _make_room(place)
    place.mkdir(parents=True)
    course = unfold(planned)
    made = list(exports(planned, course))
    written = []
    for export in made:
        faults = export.faults
        chunks = encode(export.lines(), faults.line_end, faults.encoding, faults.cut_last_line)
        target = place / export.path
        compress(target, chunks, faults.compression)
        written.append(_written(target, folder))
    manifest = place / "run.yml"
    manifest.write_text(_manifest(planned, course, made), encoding="utf-8")
    written.append(_written(manifest, folder))
    return written


def _make_room(place: Path) -> None:
    """Delete what the testbed wrote there before, and nothing else."""
    manifest = place / "run.yml"
    if not manifest.is_file() or _BY_TESTBED not in manifest.read_text(encoding="utf-8"):
        raise StudyBookError(
            f"{place}: is there already, and was not written by the testbed\n"
            "  → move it away, or write another data set: --data-set NAME"
        )
    shutil.rmtree(place)


def _written(path: Path, folder: Path) -> Written:
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    return Written(path.relative_to(folder).as_posix(), digest, len(data))


def _manifest(planned: PlannedRun, course: Course, made: list[Export]) -> str:
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
        "hosts": _hosts(course),
        "files": [_file(export) for export in made],
        "notes": [
            f"{_BY_TESTBED}, seed {'-'.join(map(str, planned.seed))}; nothing of it was measured."
            f" {setup}."
        ],
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=4096)


def _file(export: Export) -> dict[str, Any]:
    found: dict[str, Any] = {"path": export.path, "provenance": "generated"}
    if export.host:
        found["host"] = export.host
    if export.notes:
        found["notes"] = list(export.notes)
    return found


def _hosts(course: Course) -> list[dict[str, Any]]:
    guests = (
        {
            "name": guest.name,
            "role": guest.role,
            "cpus": guest.vcpus,
            "memory_mib": guest.memory_mib,
        }
        for guest in course.guests
    )
    return [
        *guests,
        {"name": addresses.SYSTEM, "role": "hypervisor", "cpus": course.ifls},
        # Neither study's model has the driver's processors or memory.
        {"name": _DRIVER, "role": "driver"},
    ]
