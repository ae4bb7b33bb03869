"""Checks on clocks: whether hosts saw the load at the time when it was there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from studybook.doctor.data.check import Asked, DataCheck, Seen, Weight
from studybook.statistics.lag import CORRELATED, Lag, Series, lag
from studybook.text import short

#: The correlation of work with a load from which on clocks are well as they are; how much longer
#: than a load hosts are told of where another load may have been in that time.
WELL_AS_IT_STANDS, LONGER = 0.9, 1.5

_LOAD = """
    SELECT
        run_id, epoch_us(time_utc) / 1e6 AS end_s, sum(interval_s) / count(*) AS interval_s,
        sum(completed_per_s) AS value
    FROM driver_interval
    GROUP BY run_id, time_utc
    ORDER BY run_id, time_utc
"""
#: Work of hosts; of a hypervisor by the report that counts all of it best.
_WORK = """
    WITH work AS (
        SELECT run_id, host, time_utc, interval_s, busy_percent AS value, 1 AS place
        FROM cpu_use
        WHERE cpu = 'all'
        UNION ALL
        SELECT run_id, host, time_utc, interval_s, used_ifl, 1 + ifl_route_place(route)
        FROM ifl_use
    )
    SELECT
        run_id, host, epoch_us(time_utc) / 1e6 AS end_s, any_value(interval_s) AS interval_s,
        avg(value) AS value
    FROM (
        FROM work
        WHERE host IS NOT NULL AND time_utc IS NOT NULL AND interval_s > 0 AND value IS NOT NULL
        QUALIFY place = min(place) OVER (PARTITION BY run_id, host)
    )
    GROUP BY run_id, host, time_utc
    ORDER BY run_id, host, time_utc
"""
_OFFSETS = "SELECT run_id, host, clock_offset_s FROM host WHERE clock_offset_s IS NOT NULL"


def _skewed(asked: Asked) -> Iterator[Seen]:
    loads = {run_id: _series(same) for run_id, same in asked.execute(_LOAD).df().groupby("run_id")}
    offsets = {(run, host): at for run, host, at in asked.execute(_OFFSETS).fetchall()}
    work = asked.execute(_WORK).df()
    hosts: dict[str, dict[str, Series]] = {}
    for (run_id, host), same in work.groupby(["run_id", "host"], sort=True):
        hosts.setdefault(str(run_id), {})[str(host)] = _series(same)
    for run_id, of_run in hosts.items():
        if load := loads.get(run_id):
            yield from _told(run_id, "the load driver", load, of_run, offsets, rests=True)
        elif len(of_run) > 1:
            first = max(of_run, key=lambda host: len(of_run[host].end_s))
            others = {host: series for host, series in of_run.items() if host != first}
            yield from _told(run_id, first, of_run[first], others, offsets, rests=False)


def _series(rows: pd.DataFrame) -> Series:
    return Series(*(rows[name].to_numpy() for name in ("end_s", "interval_s", "value")))


def _told(
    run_id: str, name: str, reference: Series, hosts: dict[str, Series],
    offsets: dict[tuple[str, str], float], *, rests: bool,
) -> Iterator[Seen]:  # fmt: skip
    lags = {host: lag(series, reference, rests=rests) for host, series in hosts.items()}
    told = {host: each for host, each in lags.items() if each and each.is_told}
    away = {
        host: each
        for host, each in told.items()
        # Without time in common the file is of another time, and another check says so.
        if not np.isnan(each.at_zero)
        and each.at_zero < WELL_AS_IT_STANDS
        and _beyond(each, _longer(hosts[host], reference))
    }
    lined = [each for each in lags.values() if each and each.correlation >= CORRELATED]
    if len(away) > 1 and len(away) == len(lined):
        low, high = max(e.low_s for e in away.values()), min(e.high_s for e in away.values())
        middle = float(np.median([each.seconds for each in away.values()]))
        if low <= high + 1:
            found = (
                f"all {len(away)} hosts that can be lined up are {_seconds(middle)}"
                f" {'ahead of' if middle > 0 else 'behind'} {name}"
            )
            weight, unless = _weight([hosts[host] for host in away], reference, rests)
            yield Seen(run_id, weight, name, found, _do_one(middle) + unless)
            return
    for host, each in away.items():
        direction = "ahead of" if each.seconds > 0 else "behind"
        half = (each.high_s - each.low_s) / 2
        found = (
            f"its clock is {_seconds(abs(each.seconds))} (± {short(half, 2)} s) {direction} {name}:"
            f" correlation of its work {each.correlation:.2f} there,"
            f" {each.at_zero:.2f} as it stands"
        )
        offset = offsets.get((run_id, host), 0.0) - each.seconds
        weight, unless = _weight([hosts[host]], reference, rests)
        yield Seen(run_id, weight, host, found, _do(host, offset, each) + unless)


def _weight(hosts: list[Series], load: Series, rests: bool) -> tuple[Weight, str]:
    """What a lag behind a load weighs, and where it is none: hosts may be told of for longer.

    In that time another load may have been there, such as that of the next run.
    """
    longest = max(_length_s(each) for each in hosts)
    if rests and longest > LONGER * _length_s(load):
        return Weight.DOUBTFUL, "; not if another load was there, before this one or behind it"
    return Weight.WRONG, ""


def _length_s(series: Series) -> float:
    return float(series.end_s[-1] - series.end_s[0])


def _longer(one: Series, other: Series) -> float:
    """The usual interval of two series, the longer of them."""
    return max(float(np.median(each.interval_s)) for each in (one, other))


def _beyond(each: Lag, interval_s: float) -> bool:
    """Whether no moment within the interval to which stamps are known explains the lag."""
    return each.low_s > interval_s or each.high_s < -interval_s


def _do(host: str, offset_s: float, each: Lag) -> str:
    zone = " (or time_zone: it is whole hours)" if _is_whole_hours(each.seconds) else ""
    return (
        f"set clock_offset_s: {offset_s:.0f} of {host} in run.yml{zone}, if nothing in its work"
        " comes that much later by its nature"
    )


def _do_one(seconds: float) -> str:
    zone = " and look at time_zone: it is whole hours" if _is_whole_hours(seconds) else ""
    return (
        "one clock against all others: correct the one that is wrong"
        f" (clock_offset_s of hosts in run.yml){zone}"
    )


def _is_whole_hours(seconds: float) -> bool:
    hours = round(seconds / 3600)
    return hours != 0 and abs(seconds - 3600 * hours) <= 120


def _seconds(seconds: float) -> str:
    seconds = abs(seconds)
    return f"{seconds:.0f} s" if seconds < 7200 else f"{short(seconds / 3600)} h"


#: Local times of a zone that nobody has stated, beside times in UTC.
_ASSUMED = """
    SELECT
        run_id, 3, 'time_zone in run.yml',
        count(DISTINCT file) FILTER (clock LIKE '%assumed%')
            || ' files have local times of a zone that is assumed, beside files in UTC'
    FROM coverage
    GROUP BY run_id
    HAVING bool_or(clock LIKE '%assumed%') AND bool_or(clock LIKE 'UTC%')
"""

CHECKS = (
    DataCheck(
        id="clock-skew",
        title="A host's clock does not fit the load",
        because=(
            "Means over the stable phase are then of another part of the run on that host. Its work"
            " is lined up with the completions of the load driver, or with the work of another"
            " host; it fires where the 95 % interval of the lag is further from zero than an"
            " interval of the data. A load that does not change says nothing, nor does a host that"
            " does not work for it."
        ),
        do="set clock_offset_s of the host in run.yml, and have the clocks kept by one source (NTP,"
        " PTP) from now on",
        ask=_skewed,
    ),
    DataCheck(
        id="zone-assumed",
        title="The time zone of local times is assumed",
        because=(
            "Files with local times stand beside files in UTC, and nobody has said which zone the"
            " local times are of: if the assumption is wrong, they are whole hours apart."
        ),
        do="state time_zone in run.yml, and take time_zone_known: assumed out",
        ask=_ASSUMED,
    ),
)
