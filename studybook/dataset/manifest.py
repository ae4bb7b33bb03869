"""``run.yml``: what a run was, in the words of the person who made it.

One file per run, beside the raw exports: ``data/raw/<data set>/<study>/<run>/run.yml``.
"""

from __future__ import annotations

import re
import zoneinfo
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_validator,
)

from studybook.checked_yaml import (
    Misplaced,
    Strict,
    line_of,
    read_yaml,
    refuse_lost_digits,
    refuse_twice,
)
from studybook.dataset.patterns import is_pattern, matches
from studybook.errors import StudyBookError
from studybook.formats.contract import DateOrder, Hints
from studybook.formats.mapped.mapping import Mapping
from studybook.plugins import FOLDER
from studybook.zones import known_zone

#: Name of the manifest in a run's folder.
FILE_NAME = "run.yml"

#: Letters of a name that can be that of a folder on any system.
LONGEST_NAME = 100

#: Seconds that a run may last, and clocks differ: some thirty years.
MOST_S = 1e9

#: Years of which a run may be; beyond them times cannot be converted between zones everywhere.
YEARS = range(1970, 2200)

Origin = Literal["measured", "simulated", "published"]
FactorValue = StrictBool | StrictInt | StrictFloat | StrictStr


def _name(text: str) -> str:
    if not re.fullmatch("[a-z0-9][a-z0-9-]*", text):
        raise ValueError("small letters, digits and hyphens are expected")
    if len(text) > LONGEST_NAME:
        raise ValueError(f"at most {LONGEST_NAME} letters are expected")
    return text


def _factor_name(text: str) -> str:
    if not re.fullmatch("[a-z][a-z0-9_]*", text):
        raise ValueError("small letters, digits and underscores are expected")
    if text == "run":  # figures ask for runs by it
        raise ValueError("a factor cannot be called run: that is the name of the run itself")
    return text


Name = Annotated[str, AfterValidator(_name)]


def _study_name(text: str) -> str:
    if text == FOLDER.name:
        raise ValueError(f"a study cannot be called {text}: {FOLDER.as_posix()} holds formats")
    return text


#: A factor of this name numbers the runs of a setup, and makes no setup; any study has it.
REPETITION = "repetition"

FactorName = Annotated[str, AfterValidator(_factor_name)]


def _inside(path: str) -> str:
    plain = Path(path)
    if plain.is_absolute() or ".." in plain.parts or str(plain) != path:
        raise ValueError("a path inside the run's folder is expected")
    if any(len(part.encode()) > 255 for part in plain.parts) or len(path) > 1000:
        raise ValueError("no file can have a name of so many letters")
    return path


def _date_and_time(value: object) -> object:
    # A bare number would be taken for seconds since 1970.
    if value is not None and not isinstance(value, str | datetime):
        raise ValueError("a date and time such as 2024-07-01T12:00:00 is expected")
    return value


def _of_our_time(value: datetime | None) -> datetime | None:
    if value is not None and value.year not in YEARS:
        raise ValueError(f"a year from {YEARS[0]} to {YEARS[-1]} is expected")
    return value


def _reason(text: str) -> str:
    """A reason on one line."""
    if not (said := " ".join(text.split())):
        raise ValueError("says nothing\n  → say why the run does not count")
    return said


class Source(Strict):
    """The document that tells of the run, where there is one."""

    document: str
    """Its title."""
    id: str = ""
    """Its number, such as a DOI."""
    place: str = ""
    """Page, table or figure."""


class Host(Strict):
    """A guest or machine that took part, and its role."""

    name: str
    """As its files call it."""
    role: Name = "other"
    """A word of the study."""
    note: str = ""
    """What else is to be said of it."""
    clock_offset_s: float = Field(default=0.0, ge=-MOST_S, le=MOST_S)
    """Seconds that are added to its time stamps to bring them to true time."""
    cpus: StrictInt | None = Field(default=None, ge=1, le=10**6)
    """Its processors: virtual ones of a guest, IFLs of a hypervisor."""
    memory_mib: StrictInt | None = Field(default=None, ge=1, le=10**12)
    """Its memory, in MiB."""


class File(Strict):
    """A raw export of the run, and what was done to it before it came here.

    What is said of a pattern is said of each file that fits, but for those that the run lists by
    name.
    """

    path: Annotated[str, AfterValidator(_inside)]
    """Where it lies, below the run's folder; or a pattern such as ``*.csv`` or ``sar/**``."""
    provenance: Literal["captured", "transcribed", "generated"] = "captured"
    """How it came to be: captured from the tool, transcribed from a document, or generated."""
    host: str | None = None
    """The host that it is of, where it names none."""
    date_order: DateOrder | None = None
    """What dates such as 05/06/16 mean, where the file leaves it open."""
    interval_s: float | None = Field(default=None, gt=0, le=MOST_S)
    """Seconds between samples that have no time, as of vmstat without ``-t``."""
    table: Mapping | None = None
    """Which of its columns are metrics, where no reader knows it."""
    repairs: tuple[str, ...] = ()
    """What was done to it before it came here."""
    notes: tuple[str, ...] = ()
    """What else is to be said of it."""

    @model_validator(mode="after")
    def _table_is_clear(self) -> Self:
        if self.host is not None and self.table is not None and self.table.host is not None:
            raise ValueError(
                "the host is named, and is a column of the table, too\n  → take one of them out"
            )
        return self


class StablePhase(Strict):
    """The part of the run that counts, in seconds since its start."""

    from_s: float = Field(ge=0, le=MOST_S)
    """Its begin."""
    to_s: float = Field(gt=0, le=MOST_S)
    """Its end."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.to_s <= self.from_s:
            raise ValueError("to_s must be greater than from_s")
        return self


class Accepted(Strict):
    """A finding of ``studybook doctor`` that is known, and no reason to fail."""

    check: Name
    """The check, as ``studybook doctor --checks`` lists it."""
    subject: str = "*"
    """What it is of, such as a host or a file, or a pattern of it; by default anything."""
    because: Annotated[str, Field(min_length=1)]
    """Why it is none."""


def factor_text(value: object) -> str:
    """The value of a factor as text: the one form in which factors are compared."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


class Run(Strict):
    """One execution of a workload under one setup, or the capture of a configuration."""

    study: Annotated[Name, AfterValidator(_study_name)]
    """The name of the folder above the run's."""
    run: Name
    """The name of the run's folder: small letters, digits, hyphens."""
    title: str
    """What pages print of it."""
    origin: Origin
    """Where its values come from."""
    kind: Literal["measurement", "configuration"] = "measurement"
    """``configuration`` where it holds nothing but captured settings."""
    excluded: Annotated[str, AfterValidator(_reason)] | None = None
    """Why it does not count: it is compared with none and in no figure but those of its page."""
    source: Source | None = None
    """The document that tells of it."""
    time_zone: Annotated[str, AfterValidator(known_zone)]
    """That of local times in its files, such as Europe/Berlin."""
    time_zone_known: Literal["stated", "assumed"] = "stated"
    """``assumed`` where nobody has stated it."""
    start: Annotated[
        datetime | None, BeforeValidator(_date_and_time), AfterValidator(_of_our_time)
    ] = None
    """When it began: files with times but no date take theirs from it, and samples of which only
    ``interval_s`` is known begin at it.
    """
    start_known: Literal["stated", "assumed"] = "stated"
    """``assumed`` where nobody has stated it: the first record of any file."""
    stable_phase: StablePhase | None = None
    """The part that counts; without it, it is found from the data."""
    factors: dict[FactorName, FactorValue] = Field(default_factory=dict)
    """What was varied between runs: names and values."""
    hosts: tuple[Host, ...] = ()
    """The machines that took part."""
    files: tuple[File, ...] = Field(min_length=1)
    """Its raw exports."""
    notes: tuple[str, ...] = ()
    """What pages print of it besides."""
    accepted: tuple[Accepted, ...] = ()
    """What is wrong with its data, and known."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        refuse_twice("hosts", "name", [host.name for host in self.hosts])
        refuse_twice("files", "path", [file.path for file in self.files])
        known = {host.name for host in self.hosts}
        for number, file in enumerate(self.files):
            if file.host is not None and file.host not in known:
                raise Misplaced(
                    ("files", number, "host"),
                    f"{file.path} names the host {file.host!r}, which hosts does not list"
                    "\n  → add it there, with its role",
                )
        return self

    @property
    def run_id(self) -> str:
        """Study and run: unique in a data set."""
        return f"{self.study}/{self.run}"

    def hints(self, file: File) -> Hints:
        """Facts that the run knows, and one of its files may not say."""
        start = self.start
        if start and start.tzinfo:
            start = start.astimezone(zoneinfo.ZoneInfo(self.time_zone))  # the clock of its hosts
        table = file.table
        if table is not None and table.time_zone is None:
            table = table.model_copy(update={"time_zone": self.time_zone})
        return Hints(file.date_order, start.date() if start else None, file.interval_s, table)

    @property
    def start_utc(self) -> datetime | None:
        """The start as a UTC instant without zone, as the store keeps times."""
        if self.start is None:
            return None
        start = self.start
        if start.tzinfo is None:
            start = start.replace(tzinfo=zoneinfo.ZoneInfo(self.time_zone))
        return start.astimezone(UTC).replace(tzinfo=None)


def read_run(path: Path) -> Run:
    """Read and check one ``run.yml``.

    Parameters
    ----------
    path : pathlib.Path
        The manifest; its folder must be ``<study>/<run>`` as the manifest says.

    Raises
    ------
    StudyBookError
        Naming the file and, for each fault, the line, the key and what is allowed.
    """
    run = _with_files_of_patterns(read_yaml(path, Run), path)
    for name, value in run.factors.items():
        refuse_lost_digits(path, ("factors", name), value)
    expected = (run.study, run.run)
    found = (path.parent.parent.name, path.parent.name)
    if found != expected:
        raise StudyBookError(
            f"{path}: says study {run.study}, run {run.run}, but lies in {'/'.join(found)}\n"
            f"  → the folder must be {'/'.join(expected)}, or the keys changed"
        )
    return run


def _with_files_of_patterns(run: Run, manifest: Path) -> Run:
    """The run with the files that are there in the place of patterns.

    Raises
    ------
    StudyBookError
        If a pattern fits no file, or a file fits two of them.
    """
    folder = manifest.parent
    patterns = {file.path for file in run.files if is_pattern(folder, file.path)}
    if not patterns:
        return run
    named = {FILE_NAME, *(file.path for file in run.files)}
    files: list[File] = []
    by_pattern: dict[str, str] = {}
    for number, file in enumerate(run.files):
        if file.path not in patterns:
            files.append(file)
            continue
        place = f"{manifest}, line {line_of(manifest, 'files', number, 'path')}: files: {file.path}"
        found = list(matches(folder, file.path, named))
        if not found:
            raise StudyBookError(
                f"{place} fits no file that the run does not list by name\n"
                "  → * stands for any letters of a name, ** for folders; or take it out"
            )
        for each in found:
            if other := by_pattern.get(each):
                raise StudyBookError(
                    f"{place} fits {each}, and so does {other}\n"
                    f"  → list {each} by name, or make one of the patterns narrower"
                )
            by_pattern[each] = file.path
        files += [file.model_copy(update={"path": each}) for each in found]
    return run.model_copy(update={"files": tuple(files)})
