"""Which files of a folder are of one run: those of one folder, or of one time."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from zoneinfo import ZoneInfo

from studybook.intake.look import Seen, Unread
from studybook.text import counted

#: From when to when, in UTC.
Span = tuple[datetime, datetime]

#: What is recorded for a tenth and a moment longer than a load without times leaves open when that
#: began; or for long, where nothing tells how long the load was.
_MOMENT, _LONG = timedelta(seconds=2), timedelta(minutes=10)

#: Load drivers of one run begin and end together: at least so much of the time is common to them.
_ALIKE = 0.75


@dataclass(frozen=True)
class Group:
    """Files that are of one run.

    Parameters
    ----------
    files : tuple of Seen
        In the order of their names.
    folder : str
        The folder below the one that was looked at which holds them all.
    part : str
        What tells it from other runs of the same folder; empty where there are none.
    span : tuple of datetime, optional
        From when to when it went on, in UTC: as the load drivers have it, where there are any.
    unread : tuple of Unread
        Files that cannot be read, and lie beside these.
    """

    files: tuple[Seen, ...]
    folder: str
    part: str = ""
    span: Span | None = None
    unread: tuple[Unread, ...] = ()

    @property
    def all_files(self) -> list[Seen | Unread]:
        """Those that are read, and those that cannot be."""
        return [*self.files, *self.unread]

    @property
    def has_driver(self) -> bool:
        """Whether a load driver's file is among them."""
        return any(each.is_driver for each in self.files)

    @property
    def is_setting(self) -> bool:
        """Whether it holds nothing but settings."""
        return all(each.is_setting for each in self.files)


def span_of(seen: Seen, zone: ZoneInfo) -> Span | None:
    """From when to when a file goes on, in UTC; local times are those of the zone."""
    if seen.is_setting or seen.first is None or seen.last is None:
        return None
    if seen.clock == "UTC":
        return seen.first, seen.last
    first, last = (each.replace(tzinfo=zone) for each in (seen.first, seen.last))
    return first.astimezone(UTC).replace(tzinfo=None), last.astimezone(UTC).replace(tzinfo=None)


def group(seen: Iterable[Seen], zone: ZoneInfo) -> list[Group]:
    """Group files into runs.

    The files of a folder are of one run; of several if load drivers in it, or else its files,
    recorded at different times. Folders side by side are of one run if they went on at the same
    time, such as those of several hosts. Two that recorded the same, and overlap for less than
    half of the shorter, are two runs (see :func:`doubts`). What has no time goes with the run of
    its folder, or is a run of its own where there are several. Files of which a tool writes several
    under one name are never apart.

    Parameters
    ----------
    seen : iterable of Seen
        The files.
    zone : zoneinfo.ZoneInfo
        The time zone of local times.

    Returns
    -------
    list of Group
        In the order of their folders and times.
    """
    below: dict[PurePosixPath, list[Group]] = defaultdict(list)
    folders = {PurePosixPath()}
    outputs: dict[tuple[str, str], list[Group]] = defaultdict(list)
    for each in seen:
        place = PurePosixPath(each.name).parent
        alone = Group((each,), str(place), span=span_of(each, zone))
        outputs[each.source, each.output].append(alone)
        folders |= {place, *place.parents}
    for one in outputs.values():
        place = PurePosixPath(one[0].folder)
        below[place].append(_merged(one, place))
    for folder in sorted(folders, key=lambda each: (-len(each.parts), each)):
        joined = _joined(below[folder], folder)
        if folder.parts:
            below[folder.parent] += joined
    latest = (datetime.max, datetime.max)
    return sorted(joined, key=lambda each: (each.folder, each.span or latest, each.part))


def group_by_folder(seen: Iterable[Seen], zone: ZoneInfo) -> list[Group]:
    """Make one run of each folder, whatever the times of its files, and those of folders within.

    Parameters
    ----------
    seen : iterable of Seen
        The files; those that lie beside the folders are one run, too.
    zone : zoneinfo.ZoneInfo
        The time zone of local times.
    """
    of_folder: dict[str, list[Group]] = defaultdict(list)
    for each in seen:
        outermost, *inner = PurePosixPath(each.name).parts
        folder = outermost if inner else "."
        of_folder[folder].append(Group((each,), folder, span=span_of(each, zone)))
    found = []
    for folder, groups in sorted(of_folder.items()):
        leading = [each for each in groups if each.has_driver and each.span] or groups
        spans = [each.span for each in leading if each.span]
        run = _merged(groups, PurePosixPath(folder))
        found.append(replace(run, span=_hull(spans) if spans else None))
    return found


def with_unread(groups: Sequence[Group], unread: Iterable[Unread]) -> list[Group]:
    """Put files that cannot be read to the runs beside whose files they lie.

    What they tell is not known, and so is not when: a run takes such a file if no other has files
    in the folder; where none has, in the next one around it, but not in that of all. Where several
    have, it is of the one around it that alone has files of its name, as of other hosts that day.

    Parameters
    ----------
    groups : sequence of Group
        The runs.
    unread : iterable of Unread
        The files; one that may be of several runs, or of none, is left.
    """
    of_folder: dict[PurePosixPath, set[int]] = defaultdict(set)
    for number, one in enumerate(groups):
        for each in one.files:
            place, *around = PurePosixPath(each.name).parents
            for folder in (place, *around[:-1]):
                of_folder[folder].add(number)
    found = list(groups)
    for cannot in unread:
        place, *around = PurePosixPath(cannot.name).parents
        near = next((of_folder[each] for each in (place, *around[:-1]) if of_folder[each]), set())
        if len(near) > 1:
            name = PurePosixPath(cannot.name).name
            near = {
                number
                for number, one in enumerate(groups)
                if place.is_relative_to(one.folder) and name in {_bare(each) for each in one.files}
            }
        if len(near) == 1:
            (number,) = near
            found[number] = replace(found[number], unread=(*found[number].unread, cannot))
    return found


def _bare(seen: Seen) -> str:
    return PurePosixPath(seen.name).name


def _joined(groups: Sequence[Group], folder: PurePosixPath) -> list[Group]:
    """Make one of each groups that are of one run, among the files and the runs of a folder."""
    timed = [each for each in groups if each.span]
    # A day of sar holds many runs, and makes none of them.
    leading = [each for each in timed if each.has_driver] or timed
    runs = [_merged(cluster, folder) for cluster in _clusters(leading)]
    others = [each for each in timed if each not in leading]
    alone = []
    for other in others:
        of_runs = [number for number, run in enumerate(runs) if _overlap(other, run)]
        for number in of_runs:
            runs[number] = _with(runs[number], other, folder)
        if not of_runs:
            alone.append(other)
    runs += [_merged(cluster, folder) for cluster in _clusters(alone)]
    return _named(_with_untimed(runs, [each for each in groups if not each.span], folder))


def _with_untimed(
    runs: list[Group], untimed: Sequence[Group], folder: PurePosixPath
) -> list[Group]:
    """Put what has no time to the only run that there is, or make runs of it."""
    here = [each for each in untimed if each.folder == str(folder) and not each.part]
    kinds = Counter(_kind(each.files[0]) for each in here)
    several = [each for each in here if not each.is_setting and kinds[_kind(each.files[0])] > 1]
    if len(runs) == 1:
        joins = [each for each in untimed if each.is_setting or each in here or len(untimed) == 1]
        for each in joins:
            runs = [_with(runs[0], each, folder)]
        return runs + [each for each in untimed if each not in joins]
    # Outputs of one tool side by side, none of which says when it was: each is of a run.
    together = [each for each in here if each not in several]
    further = [each for each in untimed if each not in here]
    return runs + several + further + ([_merged(together, folder)] if together else [])


def _kind(seen: Seen) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """What tells outputs of one tool from those of others."""
    metrics = tuple(each.name for each in seen.table.metrics) if seen.table else ()
    return seen.format, seen.hosts, metrics


def _with(run: Group, other: Group, folder: PurePosixPath) -> Group:
    """A run with files of another group; it goes on as long as before, and keeps its name."""
    return replace(run, files=_merged([run, other], folder).files)


def _merged(groups: Sequence[Group], folder: PurePosixPath) -> Group:
    """One group of several."""
    if len(groups) == 1:
        return groups[0]
    files = {seen.name: seen for each in groups for seen in each.files}
    spans = _spans(groups)
    places = {each.folder for each in groups}
    return Group(
        tuple(files[name] for name in sorted(files)),
        groups[0].folder if len(places) == 1 else _common(groups, folder),
        span=_hull(spans) if spans else None,
    )


def _common(groups: Sequence[Group], folder: PurePosixPath) -> str:
    """The name for groups of several folders: that of the only part in which they agree."""
    tails = [set(PurePosixPath(each.folder).relative_to(folder).parts) for each in groups]
    agreed = set.intersection(*tails)
    return str(folder / sorted(agreed)[0]) if len(agreed) == 1 else str(folder)


def _clusters(groups: Iterable[Group]) -> list[list[Group]]:
    """Groups that go on together, or are joined by such that do, in the order of their times."""
    found: list[list[Group]] = []
    going: list[list[Group]] = []
    for first, _, each in sorted(
        ((*each.span, each) for each in groups if each.span), key=lambda found: found[:2]
    ):
        going = [one for one in going if _hull(_spans(one))[1] >= first]
        for one in reversed(going):
            if any(_together(other, each) and not _apart(other, each) for other in one):
                one.append(each)
                break
        else:
            found.append([each])
            going.append(found[-1])
    return found


def _together(one: Group, later: Group) -> bool:
    """Whether one went on when another began, or both were the same moment."""
    (_, until), (first, last) = _spans([one, later])
    return first < until or first == last == until


def _apart(one: Group, other: Group) -> bool:
    """Whether two that overlap are two runs: both recorded the same, for the most part alone."""
    kinds = [{(each.source, each.hosts) for each in group.files} for group in (one, other)]
    spans = _spans([one, other])
    common = _common_time(*spans)
    return bool(kinds[0] & kinds[1]) and common < min(last - first for first, last in spans) / 2


def _common_time(one: Span, other: Span) -> timedelta:
    return min(one[1], other[1]) - max(one[0], other[0])


def begun_at_any_time(run: Group) -> Seen | None:
    """A file of a load driver that tells no times, of a run that was recorded for longer."""
    if run.span is None:
        return None
    recorded = run.span[1] - run.span[0]
    for each in run.files:
        lasted = timedelta(seconds=each.lasts_s)
        beyond = max(lasted / 10, _MOMENT) if lasted else _LONG
        told = any(other.source == each.source and other.first for other in run.files)
        if each.is_driver and each.first is None and not told and recorded - lasted > beyond:
            return each
    return None


def doubts(groups: Sequence[Group], zone: ZoneInfo, *, stated: bool) -> list[str]:
    """What may be otherwise: the zone, runs that overlap in time, and one that may be two.

    Parameters
    ----------
    groups : sequence of Group
        The runs that were found.
    zone : zoneinfo.ZoneInfo
        The time zone of local times.
    stated : bool
        Whether a person said so.
    """
    found = []
    local = [each for run in groups for each in run.files if each.clock not in ("", "UTC")]
    if local and not stated:
        more = f" and {counted(len(local) - 1, 'other file')}" if local[1:] else ""
        found.append(
            f"{local[0].name}{more}: by the clock of their hosts, taken as {zone}; if that is"
            " another zone they belong to other times, and perhaps to other runs: say"
            " --time-zone, such as Europe/Berlin"
        )
        if split := _split(groups):
            more = f" and {counted(len(split) - 1, 'other folder')}" if split[1:] else ""
            found.append(
                f"{split[0]}{more}: files that lie together went to several runs, and are there"
                " with files of other folders; if each folder is a run, say --by-folder"
            )
    found += [told for each in local if (told := _other_zone(each, zone))]
    found += [told for each in local if (told := _clock_set(each, zone))]
    timed = sorted(((each.span, each) for each in groups if each.span), key=lambda each: each[0])
    for place, (span, one) in enumerate(timed):
        for later, other in timed[place + 1 :]:
            if not _together(one, other):
                break
            if not (one.has_driver or other.has_driver):
                continue  # of no load
            found.append(
                f"{_leading(one).name} and {_leading(other).name}: both went on"
                f" {_when(span, later)}: taken as two runs; what was measured then is of both loads"
            )
    for run in groups:
        if run.span and (load := begun_at_any_time(run)):
            found.append(
                f"{load.name}: tells no times, and may have begun whenever its hosts were recorded:"
                f" taken as {run.span[0]:%Y-%m-%d %H:%M:%S} UTC; say when by start in run.yml, else"
                " what hosts did is of another time"
            )
        drivers = [
            (its, each) for each in run.files if each.is_driver and (its := span_of(each, zone))
        ]
        if drivers:
            longest, first = max(drivers, key=lambda each: each[0][1] - each[0][0])
        for its, each in drivers:
            common = _common_time(longest, its)
            if common < _ALIKE * (longest[1] - longest[0]):
                found.append(
                    f"{first.name} and {each.name}: both went on {_when(longest, its)} only: taken"
                    " as one run; if they are two, add each from a folder by itself"
                )
    return found


def _split(groups: Sequence[Group]) -> list[str]:
    """Folders whose files are in several runs, of which some have files of others, too."""
    runs_of: defaultdict[str, list[bool]] = defaultdict(list)
    for run in groups:
        folders = {str(PurePosixPath(each.name).parent) for each in run.files}
        for folder in folders:
            runs_of[folder].append(len(folders) > 1)
    return sorted(folder for folder, mixed in runs_of.items() if len(mixed) > 1 and any(mixed))


def _other_zone(seen: Seen, zone: ZoneInfo) -> str:
    """What is to be told of a file that prints another zone than that of its times; else empty."""
    span = span_of(seen, zone)
    if not span or not seen.zones:
        return ""
    known = {moment.replace(tzinfo=UTC).astimezone(zone).tzname() for moment in span}
    if not (others := sorted(seen.zones - known)):
        return ""
    return (
        f"{seen.name}: its times are in {' and '.join(others)}, as it prints, and were taken as of"
        f" {zone}, which was {' and '.join(sorted(filter(None, known)))} then: say the zone by"
        " --time-zone, such as America/New_York"
    )


def _clock_set(seen: Seen, zone: ZoneInfo) -> str:
    """What is to be told of a file by local times if the zone's clocks were set while it went on.

    Also where it has a time that was left out there; empty where neither is so.
    """
    span = span_of(seen, zone)
    if not span or not seen.first or not seen.last:
        return ""
    for moment, local in zip(span, (seen.first, seen.last), strict=True):
        shown = moment.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)
        if shown != local:
            return (
                f"{seen.name}: {local:%Y-%m-%d %H:%M:%S} is in the hour that clocks of {zone} left"
                " out: is it another zone?"
            )
    before, after = (
        local - moment for moment, local in zip(span, (seen.first, seen.last), strict=True)
    )
    if before == after:
        # The second time that the clock shows what it shows at the beginning.
        again = seen.first.replace(tzinfo=zone, fold=1).astimezone(UTC).replace(tzinfo=None)
        if again == span[0]:
            return ""
        return (
            f"{seen.name}: the clocks of {zone} show {seen.first:%Y-%m-%d %H:%M:%S} twice: taken"
            " as of the first time; if it was the second, say clock_offset_s: 3600 of its host in"
            " run.yml"
        )
    way = "back: an hour is there twice, told apart only by the order of the samples"
    return (
        f"{seen.name}: the clocks of {zone} were set while it went on, by {abs(after - before)}"
        f" {'forward' if after > before else way}"
    )


def _leading(run: Group) -> Seen:
    """The file by which a run is told."""
    return next((each for each in run.files if each.is_driver), run.files[0])


def _when(one: Span, other: Span) -> str:
    first, last = max(one[0], other[0]), min(one[1], other[1])
    return f"from {first:%Y-%m-%d %H:%M:%S} to {last:%H:%M:%S} UTC"


def _spans(groups: Iterable[Group]) -> list[Span]:
    return [each.span for each in groups if each.span]


def _overlap(one: Group, other: Group) -> bool:
    if one.span is None or other.span is None:
        return False
    return max(one.span[0], other.span[0]) <= min(one.span[1], other.span[1])


def _hull(spans: Iterable[Span]) -> Span:
    firsts, lasts = zip(*spans, strict=True)
    return min(firsts), max(lasts)


def _named(groups: list[Group]) -> list[Group]:
    """Tell groups of one folder apart: by the names of their files, or by number."""
    number = Counter(each.folder for each in groups)
    done = []
    for folder, count in number.items():
        same = [each for each in groups if each.folder == folder]
        if count == 1:
            done += same
            continue
        in_runs = Counter(each.name for one in same for each in one.files)
        stems = [
            _stem([each.name for each in one.files if in_runs[each.name] == 1]) for one in same
        ]
        clear = all(stems) and len(set(stems)) == count
        done += [
            replace(one, part=one.part or (stem if clear else str(place)))
            for place, (one, stem) in enumerate(zip(same, stems, strict=True), start=1)
        ]
    return done


def _stem(names: Sequence[str]) -> str:
    """The beginning of the names of files, up to a boundary; the name of a single one."""
    bare = [PurePosixPath(name).name.split(".")[0] for name in names]
    if len(set(bare)) == 1:
        return bare[0]
    words = [re.split(r"(?<=[-_ ])", each) for each in bare]
    same = []
    for column in zip(*words, strict=False):
        if len({word.rstrip("-_ ") for word in column}) > 1:
            break
        same.append(column[0])
    return "".join(same).rstrip("-_ ")
