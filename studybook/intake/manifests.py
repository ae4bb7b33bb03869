"""Runs made of groups of files: their names, and their ``run.yml``."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import PurePosixPath
from typing import Any

import yaml

from studybook.dataset.folder_names import factors_in
from studybook.dataset.names import slug
from studybook.intake.before import Before
from studybook.intake.facts import knowledge, of_one_file
from studybook.intake.look import Seen
from studybook.intake.runs import Group, begun_at_any_time
from studybook.text import counted

#: A host that neither a file nor a folder names.
NAMELESS = "host"


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
    folders : str
        What names of folders tell, as of :func:`studybook.dataset.folder_names.factors_in`; empty
        for nothing.
    """

    study: str
    origin: str
    time_zone: str
    zone_stated: bool
    folders: str = ""


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
    called_as_files : list of str
        Its hosts that are called as their file, for that names none and others are of its time.
    beside : list of str
        Its other hosts, where files that name none are taken as of one more.
    roles : dict
        The role of each host.
    factors : dict
        What files and the name of the folder tell of what was varied.
    fits : bool
        Whether the folder is called as somebody said that folders are.
    """

    name: str
    group: Group
    paths: dict[str, str]
    text: str
    called_as_files: list[str]
    beside: list[str]
    roles: dict[str, str]
    factors: dict[str, Any]
    fits: bool


def new_runs(groups: Sequence[Group], folder: str, says: Says, before: Before) -> list[NewRun]:
    """Name groups and write the manifest of each.

    Parameters
    ----------
    groups : sequence of Group
        The runs that were found.
    folder : str
        Name of the folder that was looked at: that of a run that fills it.
    says : Says
        What holds for all of them.
    before : Before
        What other runs of the study say.
    """
    shared = _shared(groups)
    names: Counter[str] = Counter()
    found = []
    for group in groups:
        parts = [] if group.folder == "." else group.folder.split("/")
        name = slug("-".join([*parts, group.part])) or slug(folder) or "run"
        plain = name
        while names[name]:
            names[plain] += 1
            name = f"{plain}-{names[plain]}"
        names[name] += 1
        paths = _paths(group)
        told = factors_in(says.folders, "/".join([folder, *parts])) if says.folders else {}
        found.append(_new_run(name, group, paths, says, shared, before, told))
    return found


def _shared(groups: Sequence[Group]) -> set[str]:
    """The folders that several runs have, and that may be hosts; what one has alone is the run."""
    of_runs = Counter(
        folder
        for group in groups
        for folder in {PurePosixPath(each.name).parent.name for each in group.files}
    )
    return {folder for folder, runs in of_runs.items() if runs > 1}


def _paths(group: Group) -> dict[str, str]:
    """Paths of the files in the run's folder: as they were below the folder that holds them all."""
    top = os.path.commonpath([PurePosixPath(each.name).parent for each in group.files])
    short = {each.name: os.path.relpath(each.name, top or ".") for each in group.files}
    for name in (each.name for each in group.unread):  # their places change nothing of the others
        path = os.path.relpath(name, top or ".")
        short[name] = path if not path.startswith("..") else f"left-out/{name}"
    # Names may hold what YAML or a terminal would trip over.
    return {name: re.sub(r"[\x00-\x1f\x7f]", "_", path) for name, path in short.items()}


def _new_run(
    name: str,
    group: Group,
    paths: dict[str, str],
    says: Says,
    shared: set[str],
    before: Before,
    told: Mapping[str, Any] | None,
) -> NewRun:
    """A run with the text of its manifest, which has remarks on what is to be looked at."""
    kinds = _kinds(group)
    named = {*kinds, *(host for each in group.files for host in each.hosts)}
    of_file, by_name = _hosts_of_files(group, sorted(named), paths, shared)
    hosts = dict.fromkeys([*sorted(named), *filter(None, of_file.values())])
    roles = {host: before.role_of(host, kinds.get(host)) for host in hosts}
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
        parts.append(_yaml({"start_known": "assumed"}))
    factors = _factors(group) | dict(told or {})
    where = "the files and the name of the folder" if told else "the files"
    parts.append(f"# What was varied between runs; found in {where} so far. Add what you varied.\n")
    parts.append(_yaml({"factors": factors}))
    if hosts:
        unsure = [host for host in hosts if host not in kinds and not before.knows(host)]
        if by_name:
            parts.append(
                "# Files that name no host are of the same time: each is taken as a host of its"
                " own, called\n# as the file. Say which host each is of.\n"
            )
        if NAMELESS in hosts:
            parts.append(
                f"# No file names the host “{NAMELESS}”: give it its name, there and below.\n"
            )
        if any(map(before.knows, hosts)):
            parts.append("# Roles are those that hosts of the same names have in other runs.\n")
        if unsure:
            parts.append("# A role is a word of yours, such as web or db: look at “other”.\n")
        parts.append(
            "hosts:\n" + "".join(f"  - {_flow({'name': h, 'role': r})}\n" for h, r in roles.items())
        )
    files = []
    for each in group.files:
        host = of_file[each.name]
        said = {"path": paths[each.name], "host": host, "date_order": each.date_order}
        said = {key: value for key, value in said.items() if value}
        files.append(f"  - {_flow(said)}\n")
    if group.unread:
        files.append("  # These cannot be read, and are left out until they can be.\n")
    files += [f"  - {_flow({'path': paths[each.name]})}\n" for each in group.unread]
    is_one_more = NAMELESS in of_file.values() and NAMELESS not in named
    beside = [host for host in hosts if host != NAMELESS] if is_one_more else []
    text = "".join([*parts, "files:\n", *files])
    return NewRun(name, group, paths, text, by_name, beside, roles, factors, told is not None)


def _title(name: str, group: Group) -> str:
    if group.span is None:
        return name
    first, last = group.span
    until = f"{last:%H:%M}" if first.date() == last.date() else f"{last:%Y-%m-%d %H:%M}"
    return f"{name}, {first:%Y-%m-%d %H:%M} to {until} UTC"


def _kinds(group: Group) -> dict[str, str]:
    """The kinds of hosts that files tell."""
    kinds: dict[str, str] = {}
    for each in group.files:
        for host, kind in each.kinds.items():
            kinds.setdefault(host, kind)
    return kinds


def _host_of(seen: Seen, hosts: Collection[str], within: str, shared: set[str]) -> str:
    """The host of a file that names none: that which stands in its name, or its folder.

    Its name or a folder may begin with a host, or its name hold the only one as a word. The folder
    may be one within that of the run, or one that several runs have. A host that nothing names is
    called the same in all runs, so that these can be compared.
    """
    if seen.hosts or seen.is_driver or (seen.table and seen.table.host):
        return ""
    path = PurePosixPath(seen.name)
    for word in reversed(path.parts):
        for host in hosts:
            if re.match(rf"{re.escape(host)}(?![A-Za-z0-9])", word):
                return host
    within_it = rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, hosts))})(?![A-Za-z0-9])"
    words = {str(word) for word in re.findall(within_it, path.name)} if hosts else set()
    if len(words) == 1:
        return words.pop()
    if seen.is_setting:
        return ""
    if "/" in within or path.parent.name in shared:
        return path.parent.name
    return NAMELESS if _tells_all(seen) else ""


def _hosts_of_files(
    group: Group, hosts: Iterable[str], paths: dict[str, str], shared: set[str]
) -> tuple[dict[str, str], list[str]]:
    """The host of each file that names none, empty where it needs none; and those called as files.

    These would be of one host, and recorded at the same time: it can be one only if they were
    recorded twice, and else one of two machines would be lost.
    """
    hosts = list(hosts)
    of_file = {each.name: _host_of(each, hosts, paths[each.name], shared) for each in group.files}
    by_name: dict[str, str] = {}
    for one, other in combinations([each for each in group.files if _tells_all(each)], 2):
        host, *stems = of_file[one.name], *(PurePosixPath(each.name).stem for each in (one, other))
        of_one = (one.format, host) == (other.format, of_file[other.name]) and host not in hosts
        if of_one and stems[0] != stems[1] and _at_once(one, other):
            by_name |= {one.name: stems[0], other.name: stems[1]}
    return of_file | by_name, sorted({*by_name.values()})


def hosts_to_name(runs: Sequence[NewRun]) -> list[str]:
    """What is to be told of files that name no host, where that may be another one than taken."""
    found = [
        f"{run.name}: files that name no host are of the same time: each is taken as a host of its"
        f" own, {', '.join(run.called_as_files)}; say in run.yml which host each is of"
        for run in runs
        if run.called_as_files
    ]
    if of_one_more := [run for run in runs if run.beside]:
        first, *others = of_one_more
        some = ", ".join(first.beside[:3]) + " …" * bool(first.beside[3:])
        also = f" (and so in {counted(len(others), 'other run')})" if others else ""
        found.append(
            f"{first.name}: files that name no host are taken as of one more, “{NAMELESS}”, beside"
            f" {some}{also}: if they are of one of these, say so in run.yml"
        )
    return found


def _tells_all(seen: Seen) -> bool:
    """Whether a file names no host, and tells all that its tool does of one."""
    return not seen.hosts and seen.source in knowledge().of_one_host


def _at_once(one: Seen, other: Seen) -> bool:
    """Whether two recorded at the same time; what has no times begins with the run."""
    if not (one.first and one.last and other.first and other.last):
        return True
    return one.first < other.last and other.first < one.last


def _factors(group: Group) -> dict[str, Any]:
    found: dict[str, list[float]] = {}
    for each in group.files:
        for name, value in each.factors.items():
            found.setdefault(name, []).append(value)
    said = {
        name: max(values)
        for name, values in found.items()
        if not any(map(math.isnan, values)) and (len(values) == 1 or name not in of_one_file())
    }
    return {name: int(value) if value.is_integer() else value for name, value in said.items()}


def _yaml(content: dict[str, Any]) -> str:
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=4096)


def _flow(content: dict[str, Any]) -> str:
    return yaml.safe_dump(
        content, sort_keys=False, allow_unicode=True, width=4096, default_flow_style=True
    ).strip()
