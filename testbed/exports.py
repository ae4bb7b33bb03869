"""The raw exports of a run: which there are, and the lines of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from testbed import addresses, ecm
from testbed.course import Course
from testbed.faults import Faults
from testbed.filenet.storage import STORAGE
from testbed.planned import FILENET, PlannedRun, cluster_of
from testbed.writers import (
    disk_captures,
    jtl,
    linux_captures,
    mmpmon,
    perfkit,
    rpt,
    sar,
    scale_captures,
)

_LOCALES = {"C": sar.C, "en_US": sar.EN_US, "de_DE": sar.DE_DE, "ISO": sar.ISO}
#: SLES 11 SP2, of the FileNet study.
_SP2_KERNEL = "3.0.13-0.27-default"
_P8_MACHINE = perfkit.Machine(
    model="2817-M66",
    level="V.6.2.0 SLU 1101",
    vdev="1000",
)
#: Intervals of the hosts that one interval of the listing averages, and of those, per report.
_LISTING_EVERY, _LISTING_PERIOD = 2, 4


@dataclass(frozen=True)
class Export:
    """A raw export.

    Parameters
    ----------
    path : str
        Name of the file.
    host : str or None
        The host that it is of.
    faults : Faults
        What it carries of real life.
    lines : callable
        Makes its lines, without ends.
    notes : tuple of str
        What ``run.yml`` says of it.
    """

    path: str
    host: str | None
    faults: Faults
    lines: Callable[[], Iterator[str]]
    notes: tuple[str, ...] = field(default=())


def exports(planned: PlannedRun, course: Course) -> Iterator[Export]:
    """List the raw exports of a run; nothing is written before an export's lines are asked for.

    Parameters
    ----------
    planned : PlannedRun
        The run.
    course : Course
        What came of it.
    """
    if planned.captures_only:
        yield from _captures(planned, course)
        return
    if isinstance(planned.setup, ecm.Setup):
        yield from _driver_reports(planned, course)
    else:
        yield _export(planned, "driver", ".jtl", None, partial(jtl.lines, course), jtl.NOTE)
    yield from _of_hosts(planned, course)
    yield _listing(planned, course)
    if cluster_of(planned.setup):
        yield _mmpmon(planned, course)


def _export(
    planned: PlannedRun,
    name: str,
    suffix: str,
    host: str | None,
    lines: Callable[[], Iterator[str]],
    *notes: str,
    otherwise: Faults | None = None,
    file_name: str | None = None,
) -> Export:
    faults = planned.faults.get(name, otherwise or planned.packing)
    path = f"{file_name or name + suffix}{faults.suffix}"
    return Export(path, host, faults, lines, (*notes, *faults.sentences()))


def _driver_reports(planned: PlannedRun, course: Course) -> Iterator[Export]:
    reports: dict[str, rpt.Report] = {"rpt-pages": "Performance Report"}
    if planned.repetition == 1:
        reports["rpt-transactions"] = "Transaction Report"
    for name, report in reports.items():
        lines = partial(rpt.lines, course, report)
        file_name = rpt.file_name(course, report)
        yield _export(planned, name, ".csv", None, lines, file_name=file_name)


def _of_hosts(planned: PlannedRun, course: Course) -> Iterator[Export]:
    kernel = sar.KERNEL if isinstance(planned.setup, ecm.Setup) else _SP2_KERNEL
    for guest in course.guests:
        name = f"sar-{guest.name}"
        faults = planned.faults.get(name, planned.packing)
        lines = partial(
            sar.lines,
            course,
            guest,
            # All processors in the first repetition; the others are there to show the spread.
            per_cpu=planned.repetition == 1,
            locale=_LOCALES[faults.locale],
            restart_at=faults.restart_at,
            kernel=kernel,
        )
        yield _export(planned, name, ".txt", guest.name, lines)


def _listing(planned: PlannedRun, course: Course) -> Export:
    machine = perfkit.Machine() if isinstance(planned.setup, ecm.Setup) else _P8_MACHINE
    # Several interim reports lie within the stable phase, or it could not be told from the rest.
    within = planned.phases.stable_s // (planned.interval_s * _LISTING_EVERY)
    period = min(_LISTING_PERIOD, max(within // 3, 1))
    return _export(
        planned,
        "perfkit",
        ".txt",
        addresses.SYSTEM,
        lambda: perfkit.lines(course, every=_LISTING_EVERY, period=period, machine=machine),
        perfkit.NOTE,
    )


def _mmpmon(planned: PlannedRun, course: Course) -> Export:
    nodes = [guest for guest in course.guests if guest.file_system]
    faults = planned.faults.get("mmpmon", planned.packing)
    dead = None if faults.silent_at is None else (nodes[-1].name, faults.silent_at)
    return _export(
        planned,
        "mmpmon",
        ".txt",
        None,
        lambda: mmpmon.lines(course, nodes, reset_at=faults.reset_at, dead=dead),
    )


def _captures(planned: PlannedRun, course: Course) -> Iterator[Export]:
    """List what the commands print that show a setup: as text, for people to read, too."""
    commands: list[tuple[str, str, Callable[[], Iterator[str]]]] = []
    if made := cluster_of(planned.setup):
        first = made.nodes[0].name
        commands += [
            ("mmlscluster", first, partial(scale_captures.mmlscluster, made)),
            ("mmlsnsd", first, partial(scale_captures.mmlsnsd, made)),
            ("mmlsconfig", first, partial(scale_captures.mmlsconfig, made)),
            ("mmlsmount", first, partial(scale_captures.mmlsmount, made)),
        ]
    for guest in course.guests:
        ifconfig = partial(linux_captures.ifconfig, course, guest)
        commands.append((f"ifconfig-{guest.name}", guest.name, ifconfig))
        lsqeth = partial(linux_captures.lsqeth, guest)
        commands.append((f"lsqeth-{guest.name}", guest.name, lsqeth))
        if planned.study == FILENET:
            commands += _disk_commands(guest.name)
    for name, host, lines in commands:
        yield _export(planned, name, ".txt", host, lines, otherwise=Faults())


def _disk_commands(host: str) -> Iterator[tuple[str, str, Callable[[], Iterator[str]]]]:
    """List what commands print of a guest of FileNet P8 that has such disks or settings."""
    storage = STORAGE[host]
    for writer, shown in (
        (disk_captures.lsdasd, storage.dasds),
        (disk_captures.pvscan, storage.volumes),
        (disk_captures.lvdisplay, storage.volumes),
        (disk_captures.db2set, storage.db2),
    ):
        if shown:
            yield f"{writer.__name__}-{host}", host, partial(writer, host, storage)
