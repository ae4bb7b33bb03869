"""When a run started: three sources, of which the printed offset is the worst.

The start is printed as local time with the zone's offset *in winter*, whatever the season
(seen in real files): a run at 00:00:29 in Bucharest in May has ``+0200``. So the zone's
abbreviation in the run's name is preferred, and to that the launch time that RPT puts into
the names of exported files, in milliseconds since 1970 and UTC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

#: Offsets of zones in hours, by abbreviation; those of summer time are marked by a plus 1.
#: Abbreviations of several zones have several; the printed offset decides between them.
_ZONES: dict[str, list[tuple[float, int]]] = {
    "UTC": [(0, 0)], "GMT": [(0, 0)], "Z": [(0, 0)],
    "WET": [(0, 0)], "WEST": [(1, 1)], "BST": [(1, 1), (6, 0)], "IST": [(1, 1), (5.5, 0), (2, 0)],
    "CET": [(1, 0)], "CEST": [(2, 1)], "MEZ": [(1, 0)], "MESZ": [(2, 1)],
    "EET": [(2, 0)], "EEST": [(3, 1)], "IDT": [(3, 1)], "MSK": [(3, 0), (4, 0)], "MSD": [(4, 1)],
    "EST": [(-5, 0), (10, 0)], "EDT": [(-4, 1), (11, 1)],
    "CST": [(-6, 0), (8, 0), (9.5, 0)], "CDT": [(-5, 1), (10.5, 1)],
    "MST": [(-7, 0)], "MDT": [(-6, 1)], "PST": [(-8, 0)], "PDT": [(-7, 1)],
    "AKST": [(-9, 0)], "AKDT": [(-8, 1)], "HST": [(-10, 0)], "BRT": [(-3, 0)], "BRST": [(-2, 1)],
    "SAST": [(2, 0)], "GST": [(4, 0)], "SGT": [(8, 0)], "HKT": [(8, 0)], "AWST": [(8, 0)],
    "JST": [(9, 0)], "KST": [(9, 0)], "AEST": [(10, 0)], "AEDT": [(11, 1)],
    "NZST": [(12, 0)], "NZDT": [(13, 1)],
}  # fmt: skip

_START = re.compile(
    r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:(Z)|([+-])(\d\d):?(\d\d))?$", re.A
)
_ZONE = re.compile(r"\[[^\]]* ([A-Z]{1,5})\]\s*$")
_EPOCH = re.compile(r"_(\d{12,13})(?=[_.]|$)", re.A)
_COMPRESSED = re.compile(r"\.(gz|xz|bz2|zst)$", re.I)

#: How far apart launch and start may lie, in seconds: up to one in real files.
_NEAR_S = 120


@dataclass(frozen=True)
class Start:
    """When a run started, as far as its report tells."""

    local: datetime | None = None
    utc: datetime | None = None
    known: str | None = None
    launch: datetime | None = None
    offset_s: int | None = None
    printed_offset_s: int | None = None
    remark: str | None = None


def epoch_of(name: str) -> datetime | None:
    """The launch time in a file's name, as UTC: ``Peak_1304974828951_Report.csv``."""
    found = _EPOCH.findall(_COMPRESSED.sub("", name))
    return from_epoch_ms(int(found[-1])) if found else None


def from_epoch_ms(value: int) -> datetime | None:
    """Milliseconds since 1970 as UTC without zone; None outside of 1990 to 2100."""
    if not 631_152_000_000 <= value < 4_102_444_800_000:
        return None
    return datetime.fromtimestamp(0, UTC).replace(tzinfo=None) + timedelta(milliseconds=value)


def start_of(printed: str | None, run_name: str | None, file_name: str) -> Start:
    """Find the start of a run.

    Parameters
    ----------
    printed : str, optional
        The start as the report prints it, ``2011-05-10T00:00:29+0200``.
    run_name : str, optional
        The run's name, which ends in its time and zone: ``Peak [10 May 2011 00:00:28 EEST]``.
    file_name : str
        The name of the file.
    """
    launch = epoch_of(file_name)
    match = _START.match(printed or "")
    try:
        local = datetime.fromisoformat(f"{match[1]} {match[2]}") if match else None
    except ValueError:
        match = local = None
    if match is None or local is None:
        if launch:
            return Start(None, launch, "launch time in the file name", launch)
        return Start()
    offset = None
    if match[3]:
        offset = 0
    elif match[4]:
        offset = (int(match[5]) * 3600 + int(match[6]) * 60) * (-1 if match[4] == "-" else 1)
    if launch:
        apart = (local - launch).total_seconds()
        shift = round(apart / 900) * 900
        # Printed is the zone's offset in winter: another is that of another run.
        able = abs(shift) <= 14 * 3600 if offset is None else shift - offset in (0, 3600)
        if abs(apart - shift) <= _NEAR_S and able:
            remark = _summer(offset, shift, "the launch time in the file name")
            return Start(
                local, launch, "launch time in the file name", launch, shift, offset, remark
            )
    wrong = f"the time in the file name, {launch} UTC, is not that of the run" if launch else None
    zone = _ZONE.search(run_name or "")
    shifts = _shifts(zone[1], offset) if zone else set()
    if len(shifts) == 1:
        shift = shifts.pop()
        utc = _minus(local, shift)
        remark = wrong or _summer(offset, shift, f"the zone {zone and zone[1]} in the run's name")
        return Start(local, utc, "zone in the run's name", None, shift, offset, remark)
    remark = wrong or (
        "the start is taken as local time in the zone of run.yml; the printed offset is not"
        " relied on: RPT leaves out summer time"
    )
    return Start(local, None, "local time of the workbench", None, None, offset, remark)


def _shifts(zone: str, printed: int | None) -> set[int]:
    """The offsets that an abbreviation may mean, as far as they agree with the printed one."""
    return {
        int(hours * 3600)
        for hours, summer in _ZONES.get(zone, [])
        if printed is None or printed in (hours * 3600, (hours - summer) * 3600)
    }


def _minus(local: datetime, shift: int) -> datetime | None:
    try:
        return local - timedelta(seconds=shift)
    except OverflowError:
        return None


def _summer(printed: int | None, shift: int, proof: str) -> str | None:
    if printed is None or printed == shift:
        return None
    return (
        f"the start is printed with an offset of {printed / 3600:+g} h from UTC; by {proof} it is"
        f" {shift / 3600:+g} h, which is used"
    )
