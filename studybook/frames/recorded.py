"""All that sar recorded of a run, quantity by quantity, as kSar shows it: each with its course."""

from __future__ import annotations

import pandas as pd

from studybook.formats.sar.activities import ACTIVITIES, Activity
from studybook.study.study import Study

#: Points of a course, at most: as many as its picture has room for.
POINTS = 24

#: What has rows of another shape, or more of them than anybody reads; models tell of them.
_LEFT_OUT = {"sar_interrupt"}

_ASKED = """
    WITH sample AS ({sampled}),
    length AS (
        SELECT
            min(epoch(time_utc)) AS begin_s,
            greatest((max(epoch(time_utc)) - begin_s) / {points}, max(interval_s), 1)
                AS bin_s
        FROM sample
    ),
    binned AS (
        SELECT
            activity, quantity, host, item, floor((epoch(time_utc) - begin_s) / bin_s) AS bin,
            avg(value) AS value, sum(value) AS total, min(value) AS least, max(value) AS most,
            count(*) AS intervals
        FROM sample, length
        WHERE value IS NOT NULL AND isfinite(value)
        GROUP BY ALL
    )
    SELECT
        activity, quantity, host, item, sum(total) / sum(intervals) AS mean, min(least) AS least,
        max(most) AS most, sum(intervals)::BIGINT AS intervals, list(bin ORDER BY bin) AS bins,
        list(value ORDER BY bin) AS course
    FROM binned
    GROUP BY activity, quantity, host, item
    HAVING max(most) > min(least)
    QUALIFY row_number() OVER (PARTITION BY activity, quantity ORDER BY mean DESC, host, item)
        <= {series}
    ORDER BY activity, quantity, mean DESC, host, item
"""

_OF_ACTIVITY = """
    SELECT activity, quantity, host, item, time_utc, interval_s, value
    FROM (
        UNPIVOT (
            SELECT '{table}' AS activity, s.host, {item} AS item,
                utc_of_pass(r.time_utc, r.time_local, r.set_back, s.zone, s.clock_offset_s)
                    AS time_utc, interval_s, {columns}
            FROM {table} r
            JOIN sar_source s USING (file_id, report_no)
        ) ON {columns} INTO NAME quantity VALUE value
    )
"""


def recorded_by_sar(study: Study, series: int = 4) -> pd.DataFrame:
    """Ask for each number that sar printed, over the whole run.

    Parameters
    ----------
    study : Study
        The run.
    series : int
        Of how many hosts, processors or devices each is told, at most: those of the highest mean.

    Returns
    -------
    pandas.DataFrame
        A row for each that changed: ``activity``, ``quantity``, ``host``, ``item``, ``mean``,
        ``least``, ``most``, ``intervals``, ``bins`` and ``course``; in the order of sar's sections.
    """
    sampled = [_of(each) for each in ACTIVITIES if each.table not in _LEFT_OUT]
    found = study.query(
        _ASKED.format(
            sampled=" UNION ALL ".join(filter(None, sampled)), points=POINTS, series=series
        )
    )
    order = {each.table: number for number, each in enumerate(ACTIVITIES)}
    place = found["activity"].map(order)
    return found.assign(place=place).sort_values("place", kind="stable").drop(columns="place")


def _of(activity: Activity) -> str:
    numbers = [column.name for column in activity.columns.values() if not column.text]
    columns = ", ".join(dict.fromkeys(numbers))
    item = f"coalesce({activity.item}, '')" if activity.item else "''"
    return columns and _OF_ACTIVITY.format(table=activity.table, item=item, columns=columns)
