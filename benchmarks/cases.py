"""The claims about speed, each with the files that it needs and what it compares with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks import recording
from benchmarks.csv_text import write_csv
from benchmarks.measure import Case, Comparison, Task
from benchmarks.mmpmon_text import write_mmpmon
from benchmarks.rpt_text import write_rpt
from benchmarks.sar_activities import SLES11, SYSSTAT12, Version
from benchmarks.sar_text import write_sar

MB = 1_000_000

#: What loading may take of memory, however large the files.
PEAK_MIB = 600


def sar_sles11(folder: Path, size_mb: int) -> Case:
    """Text of ``sar -A`` as SLES 11 writes it."""
    return _sar("sar text, SLES 11", SLES11, folder, size_mb)


def sar_12(folder: Path, size_mb: int) -> Case:
    """Text of ``sar -A`` as sysstat 12 writes it."""
    return _sar("sar text, sysstat 12", SYSSTAT12, folder, size_mb)


def _sar(title: str, version: Version, folder: Path, size_mb: int) -> Case:
    file = _project(folder, ["sar.txt"]) / "sar.txt"
    write_sar(file, version, size_mb * MB)
    subject = _load(title, "sar", folder)
    parser = Task("line-splitting Python", "plain_parser", str(file), subject.size)
    return _case(
        subject,
        Comparison(subject, _csv(folder, subject.size), 0.75),
        Comparison(subject, parser, 4),
    )


def sadf(folder: Path, size_mb: int) -> Case | None:
    """A recording of this machine: by ``sadf -d``, and by its text. None without sysstat."""
    if recording.sadc() is None:
        return None
    file = _project(folder, ["sar.txt"]) / "sar.txt"
    binary = folder / "sa"
    # As many samples between restarts as a day has at intervals of ten minutes.
    recording.record(binary, samples=144, copies=max(2, size_mb // 12))
    recording.as_text(binary, file)
    subject = _load("sar text of a recording", "sar", folder)
    # As many bytes on both sides: it is the same data, so time is what counts.
    other = Task("sadf -d, to text only", "sadf", str(binary), subject.size)
    return _case(subject, Comparison(subject, other, 1))


def mmpmon(folder: Path, size_mb: int) -> Case:
    """Output of ``mmpmon -p``."""
    write_mmpmon(_project(folder, ["mmpmon.txt"]) / "mmpmon.txt", size_mb * MB)
    subject = _load("mmpmon -p", "mmpmon", folder)
    return _case(subject, Comparison(subject, _csv(folder, subject.size), 0.5))


def rpt(folder: Path, size_mb: int) -> Case:
    """A "Full" CSV of Rational Performance Tester."""
    name = "Bench_Full_01_1465920028951_Performance_Report.csv"
    write_rpt(_project(folder, [name]) / name, size_mb * MB)
    subject = _load("RPT, Full CSV", "rpt", folder)
    return _case(subject, Comparison(subject, _csv(folder, subject.size), 0.5))


def many_files(folder: Path, size_mb: int) -> Case:
    """Files of 1 to 5 MB, 300 of them at full size, against one file."""
    chance = np.random.default_rng(1)
    sizes = np.minimum(1 + chance.standard_exponential(max(3, size_mb * 3 // 2)) * 0.7, 5)
    names = [f"sar-{number:03}.txt" for number in range(len(sizes))]
    files = _project(folder / "many", names)
    for seed, (name, size) in enumerate(zip(names, sizes, strict=True)):
        host = name.removesuffix(".txt")
        write_sar(files / name, SLES11, int(size * MB), seed=seed, host=host, restart=False)
    one = folder / "one"
    write_sar(_project(one, ["sar.txt"]) / "sar.txt", SLES11, size_mb * MB)
    subject = _load(f"{len(names)} sar files of 1–5 MB", "sar", folder / "many")
    return _case(subject, Comparison(subject, _load("one large file", "sar", one), 0.6))


def large(folder: Path, size_mb: int) -> Case:
    """Four times the size: memory must not grow with the file, nor time faster than it."""
    once, more = folder / "once", folder / "more"
    write_sar(_project(once, ["sar.txt"]) / "sar.txt", SLES11, size_mb * MB)
    write_sar(_project(more, ["sar.txt"]) / "sar.txt", SLES11, 4 * size_mb * MB)
    subject = _load("sar text, four times the size", "sar", more)
    return _case(subject, Comparison(subject, _load("once the size", "sar", once), 0.8))


CASES: dict[str, Callable[[Path, int], Case | None]] = {
    "sar-sles11": sar_sles11,
    "sar-12": sar_12,
    "sadf": sadf,
    "mmpmon": mmpmon,
    "rpt": rpt,
    "many-files": many_files,
    "large": large,
}


def _case(subject: Task, *comparisons: Comparison) -> Case:
    return Case(subject.label, comparisons, subject, PEAK_MIB)


def _project(folder: Path, files: list[str]) -> Path:
    """A project with a data set ``bench`` of one run; where its files go."""
    run = folder / "data/raw/bench/speed/one"
    run.mkdir(parents=True)
    (folder / "_config.yml").touch()
    manifest = {
        "study": "speed", "run": "one", "title": "Files of invented values",
        "origin": "simulated", "time_zone": "UTC", "start": "2016-06-14T18:00:00",
        "files": [{"path": name, "provenance": "generated"} for name in files],
    }  # fmt: skip
    (run / "run.yml").write_text(json.dumps(manifest), encoding="utf-8")  # JSON is YAML, too
    return run


def _load(label: str, source: str, project: Path) -> Task:
    files = (project / "data/raw/bench/speed/one").iterdir()
    size = sum(file.stat().st_size for file in files if file.name != "run.yml")
    return Task(label, "load", source, size, project)


def _csv(folder: Path, size: int) -> Task:
    file = folder / "plain.csv"
    write_csv(file, size)
    return Task("read_csv, plain CSV", "read_csv", str(file), file.stat().st_size)
