"""The claims about speed, each with the files that it needs and what it compares with."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import books, recording, tools
from benchmarks.csv_text import write_csv
from benchmarks.jtl_text import write_jtl
from benchmarks.measure import Case, Comparison, Task
from benchmarks.mmpmon_text import write_mmpmon
from benchmarks.rpt_text import write_rpt
from benchmarks.sar_activities import SLES11, SYSSTAT12, Version
from benchmarks.sar_text import write_sar

MB = 1_000_000

#: A target that says no more than: not slower than others.
AS_FAST = 1


@dataclass(frozen=True)
class Asked:
    """What is asked for: sizes, and where programs of others are or may go."""

    size_mb: int
    figures: int
    tools: Path | None


class NotMeasuredError(Exception):
    """A case needs what is not there; says what."""


def sar_sles11(folder: Path, asked: Asked) -> Case:
    """Text of ``sar -A`` as SLES 11 writes it."""
    return _sar("sar text, SLES 11", SLES11, folder, asked)


def sar_12(folder: Path, asked: Asked) -> Case:
    """Text of ``sar -A`` as sysstat 12 writes it."""
    return _sar("sar text, sysstat 12", SYSSTAT12, folder, asked)


def _sar(title: str, version: Version, folder: Path, asked: Asked) -> Case:
    file = _project(folder, ["sar.txt"]) / "sar.txt"
    write_sar(file, version, asked.size_mb * MB)
    subject = _load(title, "sar", folder)
    parser = Task("line-splitting Python", "plain_parser", str(file), subject.size)
    return Case(title, [*_csv(subject, folder, 1), Comparison(subject, parser, 4)], subject)


def sadf(folder: Path, asked: Asked) -> Case:
    """A recording of this machine: by ``sadf -d``, and by its text."""
    if recording.sadc() is None:
        raise NotMeasuredError("sysstat is not installed (sadc, sar, sadf)")
    file = _project(folder, ["sar.txt"]) / "sar.txt"
    binary = folder / "sa"
    # As many samples between restarts as a day has at intervals of ten minutes.
    recording.record(binary, samples=144, copies=max(2, asked.size_mb // 12))
    recording.as_text(binary, file)
    subject = _load("sar text of a recording", "sar", folder)
    # As many bytes on both sides: it is the same data, so time is what counts.
    other = Task("sadf -d, to text only", "sadf", str(binary), subject.size)
    return Case(subject.label, [Comparison(subject, other, AS_FAST)], subject)


def mmpmon(folder: Path, asked: Asked) -> Case:
    """Output of ``mmpmon -p``."""
    write_mmpmon(_project(folder, ["mmpmon.txt"]) / "mmpmon.txt", asked.size_mb * MB)
    subject = _load("mmpmon -p", "mmpmon", folder)
    return Case(subject.label, _csv(subject, folder, 0.9), subject)


def rpt(folder: Path, asked: Asked) -> Case:
    """A "Full" CSV of Rational Performance Tester."""
    name = "Bench_Full_01_1465920028951_Performance_Report.csv"
    write_rpt(_project(folder, [name]) / name, asked.size_mb * MB)
    subject = _load("RPT, Full CSV", "rpt", folder)
    return Case(subject.label, _csv(subject, folder, 0.9), subject)


def many_files(folder: Path, asked: Asked) -> Case:
    """Files of 1 to 5 MB, 300 of them at full size, against one file."""
    chance = np.random.default_rng(1)
    sizes = np.minimum(1 + chance.standard_exponential(max(3, asked.size_mb * 3 // 2)) * 0.7, 5)
    names = [f"sar-{number:03}.txt" for number in range(len(sizes))]
    files = _project(folder / "many", names)
    for seed, (name, size) in enumerate(zip(names, sizes, strict=True)):
        host = name.removesuffix(".txt")
        write_sar(files / name, SLES11, int(size * MB), seed=seed, host=host, restart=False)
    one = folder / "one"
    write_sar(_project(one, ["sar.txt"]) / "sar.txt", SLES11, asked.size_mb * MB)
    subject = _load(f"{len(names)} sar files of 1–5 MB", "sar", folder / "many")
    return Case(
        subject.label, [Comparison(subject, _load("one large file", "sar", one), 0.9)], subject
    )


def large(folder: Path, asked: Asked) -> Case:
    """Four times the size: memory must not grow with the file, nor time faster than it."""
    once, more = folder / "once", folder / "more"
    write_sar(_project(once, ["sar.txt"]) / "sar.txt", SLES11, asked.size_mb * MB)
    write_sar(_project(more, ["sar.txt"]) / "sar.txt", SLES11, 4 * asked.size_mb * MB)
    subject = _load("sar text, four times the size", "sar", more)
    other = _load("once the size", "sar", once)
    return Case(subject.label, [Comparison(subject, other, 0.8)], subject)


def jtl(folder: Path, asked: Asked) -> Case:
    """A JTL, up to a book of its own, against the dashboard that JMeter makes of it."""
    home = _had(tools.jmeter, asked)
    if isinstance(home, str):
        raise NotMeasuredError(home)
    name = "driver.jtl"
    file = _project(books.empty(folder / "book"), [name], "main") / name
    write_jtl(file, asked.size_mb * MB)
    size = file.stat().st_size
    title = f"book of a JTL of {asked.size_mb} MB"
    subject = Task(title, "book", str(folder / "book"), size, folder / "book")
    other = Task("JMeter's HTML dashboard", "dashboard", str(file), size, program=home)
    return Case(title, [Comparison(subject, other, AS_FAST)], subject, whole=True)


def book(folder: Path, asked: Asked) -> Case:
    """The reference book, cold, against its notebooks run by the tools of others."""
    root = books.reference(folder / "book", asked.figures)
    plain = books.plain(root, folder / "plain")
    size = sum(file.stat().st_size for file in (root / "data/raw").rglob("*") if file.is_file())
    title = f"book of {asked.figures} figures" if asked.figures else "book of all figures"
    subject = Task(title, "book", str(root), size, root)

    def other(label: str, name: str, program: Path | None = None) -> Task:
        return Task(f"{label} and jupyter-book", name, str(plain), size, root, program)

    comparisons = [
        Comparison(subject, other("papermill one by one", "papermill"), 4),
        Comparison(subject, other("jupyter-cache", "jupyter_cache"), AS_FAST),
    ]
    left_out = []
    program = _had(tools.snakemake, asked)
    if isinstance(program, str):
        left_out.append(program)
    else:
        theirs = other("Snakemake", "snakemake", program)
        comparisons.append(Comparison(subject, theirs, AS_FAST))
    return Case(title, comparisons, subject, whole=True, left_out=left_out)


CASES: dict[str, Callable[[Path, Asked], Case]] = {
    "sar-sles11": sar_sles11,
    "sar-12": sar_12,
    "sadf": sadf,
    "mmpmon": mmpmon,
    "rpt": rpt,
    "many-files": many_files,
    "large": large,
    "jtl": jtl,
    "book": book,
}


def _had(program: Callable[[Path | None], Path], asked: Asked) -> Path | str:
    """A program of others, or why it is not there."""
    try:
        return program(asked.tools)
    except tools.NotThereError as error:
        return str(error)


def _project(folder: Path, files: list[str], data_set: str = "bench") -> Path:
    """A project with a data set of one run; where its files go."""
    run = folder / f"data/raw/{data_set}/speed/one"
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


def _csv(subject: Task, folder: Path, target: float) -> list[Comparison]:
    """Beside a plain CSV of as many bytes: by DuckDB itself, and by way of pandas."""
    file = folder / "plain.csv"
    write_csv(file, subject.size)
    size = file.stat().st_size
    return [
        Comparison(subject, Task("read_csv, plain CSV", "read_csv", str(file), size), target),
        Comparison(subject, Task("pandas, plain CSV", "pandas", str(file), size), AS_FAST),
    ]
