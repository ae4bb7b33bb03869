"""Runs of a data set made of groups of files: their names, their ``run.yml``, their folders."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import mkdtemp
from typing import Any, NamedTuple

import yaml

from studybook.checked_yaml import read_yaml
from studybook.dataset.manifest import FILE_NAME, Run, read_run
from studybook.dataset.names import slug
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.formats.raw import sha256
from studybook.intake.look import Seen, look_at
from studybook.intake.runs import Group, begun_at_any_time


@dataclass(frozen=True)
class Says:
    """What a person said of all runs that are added.

    Parameters
    ----------
    study : str
        Name of the study.
    origin : str
        Where the data come from.
    time_zone : str
        That of local times.
    zone_stated : bool
        Whether the person said so; else it is assumed.
    """

    study: str
    origin: str
    time_zone: str
    zone_stated: bool


class Written(NamedTuple):
    """Names of runs, by what became of them."""

    added: list[str]
    there: list[str]
    grown: list[str]


@dataclass(frozen=True)
class NewRun:
    """A run that is to be added.

    Parameters
    ----------
    name : str
        Its name in the study.
    group : Group
        Its files.
    paths : dict
        The path of each file in the run's folder, by its name.
    text : str
        Its manifest.
    """

    name: str
    group: Group
    paths: dict[str, str]
    text: str


def new_runs(groups: Sequence[Group], folder: str, says: Says) -> list[NewRun]:
    """Name groups and write the manifest of each.

    Parameters
    ----------
    groups : sequence of Group
        The runs that were found.
    folder : str
        Name of the folder that was looked at: that of a run that fills it.
    says : Says
        What holds for all of them.
    """
    names: Counter[str] = Counter()
    found = []
    for group in groups:
        parts = [] if group.folder == "." else group.folder.split("/")
        name = slug("-".join([*parts, group.part])) or slug(folder) or "run"
        names[name] += 1
        if names[name] > 1:
            name = f"{name}-{names[name]}"
        paths = _paths(group)
        found.append(NewRun(name, group, paths, _manifest(name, group, paths, says)))
    return found


def _paths(group: Group) -> dict[str, str]:
    """Paths of the files in the run's folder: as they were below the folder that holds them all."""
    top = os.path.commonpath([PurePosixPath(each.name).parent for each in group.files])
    short = {each.name: os.path.relpath(each.name, top or ".") for each in group.files}
    # Names may hold what YAML or a terminal would trip over.
    return {name: re.sub(r"[\x00-\x1f\x7f]", "_", path) for name, path in short.items()}


def _manifest(name: str, group: Group, paths: dict[str, str], says: Says) -> str:
    """The text of a run's manifest, with remarks on what a person should look at."""
    hosts, kinds = _hosts(group)
    of_file = {each.name: _host_of(each, hosts) for each in group.files}
    hosts |= {host: "other" for host in of_file.values() if host and host not in hosts}
    local = any(each.clock not in ("", "UTC") for each in group.files)
    parts = [
        _yaml({"study": says.study, "run": name, "title": _title(name, group)}),
        _yaml({"origin": says.origin}),
    ]
    if group.is_setting:
        parts.append(_yaml({"kind": "configuration"}))
    if not says.zone_stated and local:
        parts.append("# Local times were found, and nobody has said of which zone: look here.\n")
    parts.append(_yaml({"time_zone": says.time_zone}))
    if not says.zone_stated:
        parts.append(_yaml({"time_zone_known": "assumed"}))
    if group.span and any(each.first is None for each in group.files):
        if load := begun_at_any_time(group):
            parts.append(
                f"# {paths[load.name]} tells no times: taken to begin with what hosts recorded. Say"
                " when it did.\n"
            )
        parts.append(_yaml({"start": f"{group.span[0]:%Y-%m-%dT%H:%M:%S}+00:00"}))
    factors = _factors(group)
    parts.append(
        "# What was varied between runs; found in the files so far. Add what you varied.\n"
    )
    parts.append(_yaml({"factors": factors}))
    if hosts:
        unsure = [host for host in hosts if host not in kinds]
        if unsure:
            parts.append("# A role is a word of yours, such as web or db: look at “other”.\n")
        parts.append(
            "hosts:\n" + "".join(f"  - {_flow({'name': h, 'role': r})}\n" for h, r in hosts.items())
        )
    files = []
    for each in group.files:
        host = of_file[each.name]
        said = {"path": paths[each.name], "host": host, "date_order": each.date_order}
        said = {key: value for key, value in said.items() if value}
        files.append(f"  - {_flow(said)}\n")
    return "".join([*parts, "files:\n", *files])


def _title(name: str, group: Group) -> str:
    if group.span is None:
        return name
    first, last = group.span
    until = f"{last:%H:%M}" if first.date() == last.date() else f"{last:%Y-%m-%d %H:%M}"
    return f"{name}, {first:%Y-%m-%d %H:%M} to {until} UTC"


def _hosts(group: Group) -> tuple[dict[str, str], dict[str, str]]:
    """The role of each host, and the kinds that files tell."""
    kinds: dict[str, str] = {}
    for each in group.files:
        for host, kind in each.kinds.items():
            kinds.setdefault(host, kind)
    named = sorted({host for each in group.files for host in each.hosts} | kinds.keys())
    return {host: kinds.get(host, "other") for host in named}, kinds


def _host_of(seen: Seen, hosts: dict[str, str]) -> str:
    """The host of a file that names none: that which its name or folder begins with."""
    if seen.hosts or seen.is_driver:
        return ""
    path = PurePosixPath(seen.name)
    for word in reversed(path.parts):
        for host in hosts:
            if re.match(rf"{re.escape(host)}(?![A-Za-z0-9])", word):
                return host
    return path.parent.name if len(path.parts) > 1 and not seen.is_setting else ""


def _factors(group: Group) -> dict[str, Any]:
    found: dict[str, float] = {}
    for each in group.files:
        for name, value in each.factors.items():
            found[name] = max(value, found.get(name, value))
    return {
        name: int(value) if float(value).is_integer() else value for name, value in found.items()
    }


def _yaml(content: dict[str, Any]) -> str:
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=4096)


def _flow(content: dict[str, Any]) -> str:
    return yaml.safe_dump(
        content, sort_keys=False, allow_unicode=True, width=4096, default_flow_style=True
    ).strip()


def write_runs(
    data_set: DataSet,
    runs: Sequence[NewRun],
    study: str,
    *,
    link: bool = False,
    done: Callable[[str], None] = lambda _name: None,
) -> Written:
    """Put runs into a data set: all of them, or none.

    Parameters
    ----------
    data_set : DataSet
        Its folders need not be there.
    runs : sequence of NewRun
        The runs.
    study : str
        Name of their study.
    link : bool
        Whether files stay where they are, and only links to them are made.
    done : callable, optional
        Called with the name of each run that was made ready.

    Returns
    -------
    Written
        Names of the runs that were added, that are there already with equal files, and that are
        there and have the files now as they have grown since.

    Raises
    ------
    StudyBookError
        If a run of that name is there with other files, or something cannot be written.
    """
    there = [run.name for run in runs if _is_there(data_set.raw / study / run.name, run)]
    others = [run for run in runs if run.name not in there]
    grown = {run.name: files for run in others
             if (files := _grown(data_set.raw / study / run.name, run))}  # fmt: skip
    new = [run for run in others if run.name not in grown]
    taken = [run.name for run in new if (data_set.raw / study / run.name).exists()]
    if taken:
        raise StudyBookError(
            f"{data_set.raw / study}: holds other runs of these names: {', '.join(taken)}\n"
            "  → remove them, or name another study by --study"
        )
    made: list[Path] = []
    try:
        data_set.build.mkdir(parents=True, exist_ok=True)
        place = Path(mkdtemp(prefix="adding-", dir=data_set.build))
        try:
            for run in new:
                _make(place / study / run.name, run, link=link)
                done(run.name)
            anew: list[tuple[Path, Path]] = []
            for each, target in (pair for files in grown.values() for pair in files):
                anew.append((place / str(len(anew)), target))
                _copy(each, anew[-1][0], link=link)
            (data_set.raw / study).mkdir(parents=True, exist_ok=True)
            for run in new:
                target = data_set.raw / study / run.name
                (place / study / run.name).rename(target)
                made.append(target)
            for copy, target in anew:
                copy.replace(target)
        except BaseException:
            for target in made:
                shutil.rmtree(target, ignore_errors=True)
            raise
        finally:
            shutil.rmtree(place, ignore_errors=True)
    except OSError as error:
        # Of a copy that fails, the first name is that of the file that is read.
        place = error.filename2 or error.filename or data_set.raw
        raise StudyBookError(
            f"{place}: cannot be written: {error.strerror}\nnothing was added\n"
            "  → see whether there is room, and who may write there, and add again"
        ) from error
    return Written([run.name for run in new], there, [*grown])


def _make(folder: Path, run: NewRun, *, link: bool) -> None:
    folder.mkdir(parents=True)
    for each in run.group.files:
        target = folder / run.paths[each.name]
        target.parent.mkdir(parents=True, exist_ok=True)
        _copy(each, target, link=link)
    manifest = folder / FILE_NAME
    manifest.write_text(run.text, encoding="utf-8")
    read_run(manifest)  # what is written can be read


def _copy(seen: Seen, target: Path, *, link: bool) -> None:
    if link:
        target.symlink_to(seen.path.resolve())
        return
    shutil.copyfile(seen.path, target)
    if sha256(target) != seen.sha256:
        raise StudyBookError(f"{seen.path}: has changed meanwhile\n  → add it again")


def _grown(folder: Path, run: NewRun) -> list[tuple[Seen, Path]]:
    """The files of a run that go on beyond those in its folder, and where these lie.

    None where one of its files is another one.
    """
    try:
        listed = {file.path for file in read_yaml(folder / FILE_NAME, Run).files}
        if listed != set(run.paths.values()):
            return []
        found = []
        for each in run.group.files:
            target = folder / run.paths[each.name]
            if sha256(target) == each.sha256:
                continue
            if not _goes_on(each, target):
                return []
            found.append((each, target))
    except (OSError, StudyBookError):
        return []
    return found


def _goes_on(seen: Seen, there: Path) -> bool:
    """Whether a file is one that is there, and more: its beginning, or a longer recording."""
    if _begins_with(seen.path, there):
        return True
    before = look_at([(there, there.name)], date_order=seen.date_order).seen
    return not seen.is_driver and any(
        (each.format, each.hosts, each.first) == (seen.format, seen.hosts, seen.first)
        and each.last is not None
        and seen.last is not None
        and each.last < seen.last
        for each in before
    )


def _begins_with(path: Path, beginning: Path) -> bool:
    """Whether a file holds another one at its beginning, and goes on."""
    if path.stat().st_size <= beginning.stat().st_size:
        return False
    with path.open("rb") as whole, beginning.open("rb") as part:
        while block := part.read(1 << 20):
            if whole.read(len(block)) != block:
                return False
    return True


def _is_there(folder: Path, run: NewRun) -> bool:
    """Whether a run's folder holds the files of a new one."""
    try:
        listed = {file.path for file in read_yaml(folder / FILE_NAME, Run).files}
        return listed == set(run.paths.values()) and all(
            sha256(folder / run.paths[each.name]) == each.sha256 for each in run.group.files
        )
    except (OSError, StudyBookError):
        return False
