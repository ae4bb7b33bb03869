"""Looking at every file of a folder: what it is, of which hosts, and from when to when."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

from studybook import formats
from studybook.dataset.inspection import inspect_file
from studybook.errors import AmbiguousDate, Refused, StudyBookError, Unknown
from studybook.formats import Format, Hints
from studybook.formats.contract import DateOrder
from studybook.formats.mapped.mapping import Mapping
from studybook.formats.raw import sha256
from studybook.intake.facts import Facts, knowledge
from studybook.intake.offer import offered
from studybook.process.pool import processes

#: How a date such as 05/06/16 may be meant.
_ORDERS: tuple[DateOrder, ...] = ("day-first", "month-first")

_DAY = timedelta(days=1)

#: Says of the name of a file how the columns of the table in it are mapped, if they are.
Tables = Callable[[str], Mapping | None]

#: Folders and files that are no raw exports whatever is in them.
_ASIDE = {"run.yml", "__MACOSX"}


@dataclass(frozen=True)
class Seen:
    """A file of a folder, and what was found in it.

    Parameters
    ----------
    path : pathlib.Path
        Where it lies.
    name : str
        Its path below the folder; of a member of an archive, below the archive's name.
    sha256 : str
        Hash of its content.
    format, source : str
        The format by which it was recognised, and the kind of raw export.
    hosts : tuple of str
        Hosts that its records name.
    first, last : datetime, optional
        When what it records began and ended: UTC, or by the clock of its host.
    clock : str
        Whose clock these are of; see :class:`~studybook.dataset.inspection.Inspection`.
    factors : dict
        Values of factors that it tells.
    kinds : dict
        Kinds of hosts that it tells.
    not_understood : int
        Lines that were not understood.
    remarks : tuple of str
        What its reader had to say.
    date_order : {"day-first", "month-first"}, optional
        How its dates are read, where it leaves that open.
    executions : str
        How many executions of a load it holds, and when, if it is not one.
    lasts_s : float
        Seconds from its start to its last row, where rows tell no times; 0 where it is not known.
    zones : frozenset of str
        Zones of its local times, as they are printed.
    table : Mapping, optional
        How it is mapped, if it is a table.
    """

    path: Path
    name: str
    sha256: str
    format: str
    source: str
    hosts: tuple[str, ...] = ()
    first: datetime | None = None
    last: datetime | None = None
    clock: str = ""
    factors: dict[str, float] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    not_understood: int = 0
    remarks: tuple[str, ...] = ()
    date_order: DateOrder | None = None
    executions: str = ""
    lasts_s: float = 0.0
    zones: frozenset[str] = frozenset()
    table: Mapping | None = None

    @property
    def is_driver(self) -> bool:
        """Whether it records the load of a run."""
        return self.source in knowledge().drivers

    @property
    def output(self) -> str:
        """The path and name under which its tool wrote it and other files; else its own."""
        for ending in knowledge().endings.get(self.source, ()):
            begins, found, after = self.name.rpartition(ending)
            if found and not after.partition(".")[0]:
                return begins
        return self.name

    @property
    def is_setting(self) -> bool:
        """Whether it holds settings only, whose times say nothing of a run."""
        return self.source in knowledge().settings


@dataclass(frozen=True)
class Unread:
    """A file of a folder that its reader refuses, or that is compressed and damaged.

    Also one of no known format that is called as others that are raw exports.

    Parameters
    ----------
    path, name, sha256
        As of :class:`Seen`.
    why : str
        The reason, behind its name.
    """

    path: Path
    name: str
    sha256: str
    why: str


@dataclass
class Look:
    """What a look at a folder gave.

    Attributes
    ----------
    seen : list of Seen
        The files that are raw exports.
    unread : list of Unread
        Those that are, and cannot be read.
    unknown, refused : list of str
        Of the others, why they are of no known format, or cannot be opened or placed.
    aside : list of str
        What was not looked at, with the reason.
    offers : list of (str, dict)
        Of the unknown, those that are tables: the name, and what would map it.
    """

    seen: list[Seen] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    offers: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


def look_at(
    files: Sequence[tuple[Path, str]],
    done: Callable[[str], None] = lambda _name: None,
    date_order: DateOrder | None = None,
    tables: Tables = lambda _name: None,
    *,
    by_folder: bool = False,
    look: Look | None = None,
) -> Look:
    """Look at files, side by side.

    Parameters
    ----------
    files : sequence of (pathlib.Path, str)
        Where each lies, and the name to call it by.
    done : callable, optional
        Called with the name of each file that was looked at.
    date_order : {"day-first", "month-first", "year-first"}, optional
        How to read dates that a file leaves open. Without it, they are read as those of the files
        that lie beside it say.
    tables : callable, optional
        Says of the name of a file how the columns of the table in it are mapped, if they are.
    by_folder : bool
        Whether each outermost folder is a run: in another, the same content is of another run.
    look : Look, optional
        What has been set aside so far: to this all is added.

    Returns
    -------
    Look
        In the order of their names; a file whose content was met before is set aside, but for
        what was recorded beside a load of its own: a day of a host may be of several runs.
    """
    found = _looked_at(files, done, date_order, tables)
    look = look or Look()
    first_of = _first_of(files, found, by_folder=by_folder)
    loads: dict[str, PurePosixPath] = {}
    timed: set[str] = set()
    for _, name in files:
        for seen in found[name].seen[:1]:
            if seen.is_driver and seen.sha256 not in loads:
                loads[seen.sha256] = PurePosixPath(name).parent
                if seen.first:
                    timed.add(seen.output)
    driven = {*loads.values()}
    known = {PurePosixPath(name).name for name, one in found.items() if one.seen}
    for path, name in files:
        one, folder = found[name], PurePosixPath(name).parent
        if one.unknown and PurePosixPath(name).name in known:
            # Of its name are others, which are raw exports: it is empty, perhaps, or its end alone.
            one = _unread(path, name, one.why)
        look.unknown += [one.why] if one.unknown else []
        look.offers += [(name, one.offer)] if one.offer else []
        if one.unread:
            look.unread.append(one.unread)
        elif one.why and not one.unknown and not one.seen:
            look.refused.append(one.why)
        for seen in one.seen[:1]:
            first = first_of[_of_run(name, by_folder), seen.sha256]
            if seen.is_driver:
                # Two runs may have failed in the same way.
                of_its_load = seen.first is None and seen.output in timed
            else:
                of_its_load = folder in driven and folder != PurePosixPath(first).parent
            if first != name and not of_its_load:
                look.aside.append(f"{name}: holds the same as {first}")
                one.seen.clear()
        look.seen += one.seen if len(one.seen) == 1 else []
    _settle([found[name] for _, name in files if len(found[name].seen) > 1], look)
    return look


def _rarity(name: str, times: Counter[str]) -> tuple[int, int]:
    return -times[name], len(name)


def _of_run(name: str, by_folder: bool) -> str:
    return PurePosixPath(name).parts[0] if by_folder else ""


def _first_of(
    files: Sequence[tuple[Path, str]], found: dict[str, _Found], *, by_folder: bool
) -> dict[tuple[str, str], str]:
    """Of files with the same content, the one that counts: that which is called as more others are.

    So the copy beside it is none of those that are set against the files of other runs.
    """
    names = [name for _, name in files]
    times = Counter(PurePosixPath(name).name for name in names)
    first: dict[tuple[str, str], str] = {}
    for name in sorted(names, key=lambda each: _rarity(PurePosixPath(each).name, times)):
        for seen in found[name].seen[:1]:
            first.setdefault((_of_run(name, by_folder), seen.sha256), name)
    return first


def _looked_at(
    files: Sequence[tuple[Path, str]],
    done: Callable[[str], None],
    date_order: DateOrder | None,
    tables: Tables,
) -> dict[str, _Found]:
    """What each file is, by its name."""
    if len(files) < 2:
        return {name: _look(path, name, date_order, tables(name)) for path, name in files}
    found = {}
    with processes(min(os.cpu_count() or 1, len(files))) as pool:
        tasks = {
            pool.submit(_look, path, name, date_order, tables(name)): name for path, name in files
        }
        for task in as_completed(tasks):
            found[tasks[task]] = task.result()
            done(tasks[task])
    return found


@dataclass
class _Found:
    """A file, read in each way that is possible; or why it was not."""

    seen: list[Seen] = field(default_factory=list)
    why: str = ""
    unread: Unread | None = None
    unknown: bool = False
    offer: dict[str, Any] | None = None


def _settle(ambiguous: Sequence[_Found], look: Look) -> None:
    """Take files whose dates may be two as those that were recorded beside them have it."""
    for one in ambiguous:
        place = PurePosixPath(one.seen[0].name).parent
        beside: list[Seen] = []
        while not beside:
            beside = [
                each
                for each in look.seen
                if each.first
                and not each.is_setting
                and PurePosixPath(each.name).is_relative_to(place)
                and not each.date_order
            ]
            if place == place.parent:
                break
            place = place.parent
        near = [each for each in one.seen if any(_near(each, other) for other in beside)]
        if len(near) == 1:
            look.seen.append(near[0])
        else:
            look.refused.append(one.why)
    look.seen.sort(key=lambda each: each.name)


def _near(one: Seen, other: Seen) -> bool:
    """Whether two files are of about the same day, whatever the zones of their clocks."""
    if not (one.first and one.last and other.first and other.last):
        return False
    return one.first <= other.last + _DAY and other.first <= one.last + _DAY


def _look(path: Path, name: str, date_order: DateOrder | None, table: Mapping | None) -> _Found:
    """Look at one file."""
    try:
        raw = formats.RawFile(path)
    except Refused as refusal:  # it may be of any format
        refusal.path = name
        return _unread(path, name, str(refusal))
    try:
        known, table = formats.recognise(raw), None
    except Refused as refusal:
        if table is None or not isinstance(refusal, Unknown):
            refusal.path = name
            found = _Found(why=str(refusal), unknown=True)
            with suppress(ValueError, ArithmeticError, LookupError):  # whatever is in a file
                found.offer = None if raw.binary else offered(raw.head)
            return found
        known = formats.mapped_format(raw)
    try:
        seen = _read(path, name, known, Hints(date_order, table=table))
        return _Found([replace(seen, table=table)])
    except AmbiguousDate as refusal:
        refusal.path = name
        refusal.do = "say which by --date-order"
        found = _Found(why=str(refusal))
        for order in _ORDERS:
            with suppress(StudyBookError, OSError):
                read = _read(path, name, known, Hints(order))
                # No manifest says so yet: it will, by what lies beside the file.
                told = [text.replace("by run.yml", "as files beside it") for text in read.remarks]
                found.seen.append(replace(read, remarks=tuple(told)))
        return found
    except Refused as refusal:
        refusal.path = name
        return _unread(path, name, str(refusal))
    except (OSError, StudyBookError) as error:
        return _Found(why=f"{name}: {error}")


def _unread(path: Path, name: str, why: str) -> _Found:
    try:
        return _Found(unread=Unread(path, name, sha256(path), why))
    except OSError:  # it cannot even be opened
        return _Found(why=why)


def _read(path: Path, name: str, known: Format, hints: Hints) -> Seen:
    facts = Facts()
    seen = inspect_file(path, keep=0, also=facts.see, hints=hints)
    digest = sha256(path)
    first, last = seen.first_time, seen.last_time
    if last and facts.lasts_s:
        last += timedelta(seconds=facts.lasts_s)
    return Seen(
        path, name, digest, known.name, known.source, tuple(seen.hosts), first, last, seen.clock,
        facts.factors, facts.kinds, seen.lines_not_understood,
        tuple(text for _, text in seen.remarks), hints.date_order, seen.executions,
        facts.lasts_s, frozenset(facts.zones),
    )  # fmt: skip


def files_below(folder: Path, aside: list[str], refused: list[str]) -> Iterator[tuple[Path, str]]:
    """Every file of a folder and its folders, with its path below the first.

    Parameters
    ----------
    folder : pathlib.Path
        The folder.
    aside : list of str
        What is left aside is added, with the reason: links that lead out of the folder, pipes and
        devices, hidden files.
    refused : list of str
        Folders that cannot be read are added.
    """

    def unreadable(error: OSError) -> None:
        name = Path(error.filename).relative_to(folder).as_posix()
        refused.append(f"{name}/: cannot be looked into: {error.strerror}")

    top = folder.resolve()
    for place, folders, names in os.walk(folder, onerror=unreadable):
        for name in [each for each in folders if each.startswith(".") or each in _ASIDE]:
            folders.remove(name)
            aside.append(f"{(Path(place) / name).relative_to(folder)}/: hidden")
        linked = [each for each in folders if (Path(place) / each).is_symlink()]
        aside += [f"{(Path(place) / each).relative_to(folder)}/: a link" for each in linked]
        folders.sort()
        for each in sorted(names):
            path = Path(place) / each
            name = path.relative_to(folder).as_posix()
            if why := _not_looked_at(path, top):
                aside.append(f"{name}: {why}")
            else:
                yield path, name


def _not_looked_at(path: Path, top: Path) -> str:
    """Why a file is not looked at; empty where it is."""
    if path.name.startswith("."):
        return "hidden"
    if path.name in _ASIDE:
        return "a manifest: it is not taken over"
    try:
        if path.is_symlink() and not path.resolve(strict=True).is_relative_to(top):
            return "a link that leads out of the folder"
        if not stat.S_ISREG(path.stat().st_mode):
            return "no file"
    except (OSError, RuntimeError) as error:
        return f"cannot be read: {getattr(error, 'strerror', None) or error}"
    return ""
