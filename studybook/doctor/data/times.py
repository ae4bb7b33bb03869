"""Checks on when things happened: files of another time, holes in the data, restarts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from studybook.doctor.data.check import Asked, DataCheck, Seen, Weight
from studybook.text import lasting

#: Files no further apart are of one time: hosts are often started one after another.
TOGETHER = timedelta(hours=1)

#: The time zones of the world are no further apart, in hours.
_ZONES = 26
#: How far whole hours may be missed, to be taken for a time zone.
_NEAR = timedelta(minutes=10)


class _Span(NamedTuple):
    run_id: str
    file: str
    is_local: bool
    drives: bool
    first: datetime
    last: datetime
    samples: int


_SPANS = """
    SELECT
        c.run_id, name_in_run(c.file, c.run_id) AS file,
        bool_or(c.clock LIKE 'local%') AS is_local,
        bool_or(c.source IN (FROM timed_driver)) AS drives,
        min(c.first_utc) AS first, max(c.last_utc) AS last, sum(c.samples)::BIGINT AS samples
    FROM coverage c
    JOIN run r USING (run_id)
    WHERE r.kind = 'measurement' AND c.first_utc IS NOT NULL AND c.last_utc IS NOT NULL
    GROUP BY c.run_id, c.file
    ORDER BY c.run_id, first, file
"""


def _of_another_time(asked: Asked) -> Iterator[Seen]:
    """Files of a run that lie apart from the others, or beside its load."""
    spans = [_Span(*row) for row in asked.execute(_SPANS).fetchall()]
    for _, same in groupby(spans, lambda each: each.run_id):
        of_run = list(same)
        main = _main(_together(of_run))
        for each in of_run:
            if each not in main:
                yield _apart(each, main)
        load = [each for each in main if each.drives]
        if not load:
            continue
        first, last = min(each.first for each in load), max(each.last for each in load)
        for each in main:
            # A file of one moment, as of a load that ended at once, is all of its own load.
            if each.last < first or each.first > last:
                yield _apart(each, load, Weight.DOUBTFUL)


def _together(spans: Sequence[_Span]) -> list[list[_Span]]:
    """Spans in the order of their beginnings, those with no more than an hour between as one."""
    found: list[list[_Span]] = []
    until = datetime.min
    for each in spans:
        if not found or each.first > until + TOGETHER:
            found.append([])
        found[-1].append(each)
        until = max(until, each.last)
    return found


def _main(groups: Iterable[list[_Span]]) -> list[_Span]:
    """The files that a run is taken to be of: those of its load, or else the most."""
    return max(
        groups,
        key=lambda group: (
            sum(each.samples for each in group if each.drives), len(group),
            sum(each.samples for each in group),
        ),
    )  # fmt: skip


def _apart(span: _Span, main: Sequence[_Span], weight: Weight = Weight.WRONG) -> Seen:
    first, last = min(each.first for each in main), max(each.last for each in main)
    before = span.last <= first
    distance = first - span.last if before else span.first - last
    others = "the load" if all(each.drives for each in main) else "the other files"
    found = (
        f"{_moment(span.first)} to {_moment(span.last)}: {lasting(distance.total_seconds())}"
        f" {'before' if before else 'after'} {others} ({_moment(first)} to {_moment(last)})"
    )
    return Seen(span.run_id, weight, span.file, found, _do(span, first - span.first))


def _do(span: _Span, shift: timedelta) -> str:
    """What to do, if moving the file by that would make it begin with the others."""
    hours = round(shift / timedelta(hours=1))
    near = abs(shift - timedelta(hours=hours)) <= _NEAR
    days = round(shift / timedelta(days=1))
    if near and 0 < abs(hours) <= _ZONES and span.is_local:
        return (
            f"its times are local, and {abs(hours)} h {'later' if hours > 0 else 'earlier'} they"
            " would begin with the others: look at time_zone in run.yml"
        )
    if abs(days) in (365, 366) and abs(shift - timedelta(days=days)) < timedelta(days=1):
        return (
            "it is about a year away: is the date order or the year of its host's clock wrong? If"
            " it is of another run, move it there"
        )
    return ""


def _moment(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S}"


#: Where the run is taken to begin, against what its load driver saw.
_START = """
    SELECT
        r.run_id, if(r.start_utc > d.last_utc OR r.start_utc < d.first_utc - INTERVAL 1 DAY, 1, 2),
        'start in run.yml',
        strftime(r.start_utc, '%Y-%m-%d %H:%M:%S') || ' UTC; the load driver was at work from '
            || strftime(d.first_utc, '%Y-%m-%d %H:%M:%S') || ' to '
            || strftime(d.last_utc, '%Y-%m-%d %H:%M:%S')
    FROM run r
    JOIN (
        SELECT
            run_id, max(time_utc) AS last_utc,
            min(time_utc - to_microseconds((interval_s * 1e6)::BIGINT)) AS first_utc,
            max(interval_s) AS interval_s
        FROM driver_interval
        WHERE completed_per_s > 0
        GROUP BY run_id
    ) d USING (run_id)
    WHERE r.start_utc > d.first_utc + to_microseconds((d.interval_s * 1e6)::BIGINT)
        OR r.start_utc < d.first_utc - INTERVAL 1 HOUR
"""

#: A stable phase in seconds since a moment that nothing tells.
_NO_START = """
    SELECT
        r.run_id, 1, 'stable_phase in ' || r.stable_said_in,
        'nothing tells when the run started, so that the whole of it counts',
        'write start in run.yml' || coalesce(': the first record is of '
            || strftime(min(c.first_utc), '%Y-%m-%d %H:%M:%S') || ' UTC', '')
    FROM run r
    JOIN stable_phase p USING (run_id)
    LEFT JOIN coverage c USING (run_id)
    WHERE r.stable_from_s IS NOT NULL AND p.start_utc IS NULL
    GROUP BY r.run_id, r.stable_said_in
"""

#: Holes in what hosts were measured of: longer than one and a half of the usual distance, where
#: nearly all others are of that length.
_GAPS = """
    WITH apart AS (
        SELECT
            *, lag(time_utc) OVER one AS before_utc,
            (epoch_us(time_utc) - epoch_us(before_utc)) / 1e6 AS distance_s
        FROM sampled
        WHERE time_utc IS NOT NULL
        WINDOW one AS (PARTITION BY run_id, host, what ORDER BY time_utc)
    ),
    usual AS (
        SELECT *, median(distance_s) OVER one AS usual_s, count(distance_s) OVER one AS distances
        FROM apart
        WINDOW one AS (PARTITION BY run_id, host, what)
    ),
    hole AS (
        SELECT
            u.*, distance_s - usual_s AS missing_s,
            -- Of a run without a load, all of it counts.
            u.before_utc < p.to_utc AND u.time_utc > p.from_utc AND isfinite(p.from_utc) AS counts
        FROM usual u
        LEFT JOIN stable_phase p USING (run_id)
        WHERE distance_s > 1.5 * usual_s AND missing_s >= 1
    ),
    series AS (
        SELECT
            run_id, host, what, count(*) AS holes, sum(missing_s) AS missing_s,
            count(*) FILTER (counts) AS counting, max(missing_s) AS longest_s,
            arg_max(before_utc, missing_s) AS longest_utc, any_value(usual_s) AS usual_s
        FROM hole
        GROUP BY run_id, host, what
        HAVING any_value(distances) >= 10 AND holes <= 0.2 * any_value(distances)
    ),
    -- Of a host whose tool stood still nothing was measured: it is said once.
    host_of AS (
        SELECT
            run_id, host, holes, counting, any_value(usual_s) AS usual_s, longest_utc,
            max(missing_s) AS missing_s, max(longest_s) AS longest_s,
            string_agg(what, ', ' ORDER BY what) AS what
        FROM series
        GROUP BY run_id, host, holes, counting, longest_utc
    )
    SELECT
        run_id, if(counting > 0, 2, 3), coalesce(host, 'host not known') || ' (' || what || ')',
        holes || if(holes = 1, ' gap', ' gaps')
            || if(counting > 0, ', ' || counting || ' in the stable phase', '')
            || ': ' || four_digits(missing_s) || ' s are missing at intervals of '
            || four_digits(usual_s) || ' s; the longest, ' || four_digits(longest_s)
            || ' s, after ' || strftime(longest_utc, '%Y-%m-%d %H:%M:%S')
    FROM host_of
"""

#: Hosts that are measured, but not during the whole of what counts.
_NOT_COVERED = """
    WITH span AS (
        SELECT
            c.run_id, c.host, c.source, p.from_utc, p.to_utc,
            min(c.first_utc - to_microseconds((coalesce(c.interval_s, 0) * 1e6)::BIGINT))
                AS first_utc,
            max(c.last_utc) AS last_utc
        FROM coverage c
        JOIN stable_phase p USING (run_id)
        WHERE isfinite(p.from_utc) AND isfinite(p.to_utc) AND p.to_utc > p.from_utc
            AND c.first_utc IS NOT NULL
            -- The phase is theirs.
            AND c.source NOT IN (FROM timed_driver)
        GROUP BY c.run_id, c.host, c.source, p.from_utc, p.to_utc
    ),
    covered AS (
        SELECT
            *,
            greatest(0, epoch_us(least(last_utc, to_utc)) - epoch_us(greatest(first_utc, from_utc)))
                / (epoch_us(to_utc) - epoch_us(from_utc)) AS part
        FROM span
    )
    SELECT
        run_id, if(part < 0.5, 1, 2), coalesce(host, 'host not known') || ' (' || source || ')',
        CASE WHEN part = 0 THEN 'nothing' ELSE printf('%.0f %%', 100 * part) END
            || ' of the stable phase ('
            || strftime(from_utc, '%H:%M:%S') || ' to ' || strftime(to_utc, '%H:%M:%S')
            || ') is in its files, which go from ' || strftime(first_utc, '%Y-%m-%d %H:%M:%S')
            || ' to ' || strftime(last_utc, '%Y-%m-%d %H:%M:%S')
    FROM covered
    -- At either end an interval counts of which a second lies outside (within_phase).
    WHERE (part < 0.5
            OR part < 0.95 AND (1 - part) * (epoch_us(to_utc) - epoch_us(from_utc)) > 2000000)
        AND (source <> 'mapped' OR part > 0)  -- see no-row-counts
"""

#: Loads beside hosts that were recorded for longer: where add takes the first record of any file
#: for the start of a load that tells no times; and where nothing tells which part is of the load.
_LOAD_AT_NO_TIME = """
    WITH lasted AS (
        SELECT run_id, any_value(tool) AS tool, sum(duration_s) AS lasted_s
        FROM load_run GROUP BY run_id
    ),
    load AS (
        SELECT
            i.run_id, any_value(i.tool) AS tool,
            greatest(max(i.since_start_s), any_value(l.lasted_s)) AS lasted_s,
            'tells no times' AS why, 'that both began at once is assumed' AS assumed, '' AS advice
        FROM (
            SELECT run_id, tool, since_start_s FROM progress_interval WHERE NOT is_instant
            UNION ALL BY NAME
            SELECT
                e.run_id, e.tool,
                (epoch_us(e.end_utc) - epoch_us(r.start_utc)) / 1e6 AS since_start_s
            FROM sampled_ended e
            JOIN run r USING (run_id)
            WHERE e.clock = 'since the start in run.yml'
        ) i
        JOIN run r USING (run_id)
        LEFT JOIN lasted l USING (run_id)
        WHERE r.start_known = 'assumed'
        GROUP BY i.run_id
        UNION ALL BY NAME
        SELECT
            l.*, 'has no intervals' AS why, 'means of hosts are of all of it' AS assumed,
            'say the part that counts by start and stable_phase in run.yml' AS advice
        FROM lasted l
        JOIN stable_phase p USING (run_id)
        WHERE p.method = 'whole run'
            -- Of these, that is told with their progress.
            AND run_id NOT IN (
                SELECT f.run_id FROM raw_file f JOIN pgbench_interval USING (file_id)
                UNION ALL SELECT f.run_id FROM raw_file f JOIN sysbench_interval USING (file_id))
    ),
    recorded AS (
        SELECT
            run_id, (epoch_us(max(last_utc)) - epoch_us(min(first_utc))) / 1e6 AS recorded_s
        FROM coverage
        WHERE source NOT IN (FROM timed_driver)
        GROUP BY run_id
    )
    SELECT
        run_id, 2, 'the load of ' || tool,
        'it lasted ' || four_digits(lasted_s) || ' s and ' || why || '; hosts were recorded for '
            || four_digits(recorded_s) || ' s: ' || assumed,
        advice
    FROM load
    JOIN recorded USING (run_id)
    WHERE recorded_s - lasted_s > greatest(lasted_s / 10, 2)
"""

#: What makes counters and clocks begin anew.
_RESTARTS = """
    WITH told AS (
        SELECT
            e.*, p.from_utc, p.to_utc, isfinite(p.from_utc)
                AND e.time_utc BETWEEN p.from_utc AND p.to_utc AS counts
        FROM run_event e
        LEFT JOIN stable_phase p USING (run_id)
        WHERE regexp_matches(e.kind, 'restart|reset|set back|node failed')
            AND e.kind NOT LIKE 'rhist %'  -- histograms only: rates go on
    )
    SELECT
        run_id,
        CASE WHEN NOT bool_or(counts) THEN 3 WHEN kind LIKE '%reset%' THEN 2 ELSE 1 END,
        coalesce(host, 'host not known') || ' (' || source || ')',
        kind || if(count(*) > 1, ', ' || count(*) || ' times', '')
            || if(bool_or(counts), ', in the stable phase', '')
            || coalesce(': ' || strftime(min(time_utc), '%Y-%m-%d %H:%M:%S')
                || if(count(*) > 1, ' and later', ''), '')
    FROM told
    GROUP BY run_id, source, host, kind
"""

#: Local times that begin within an hour that clocks go through twice, and nothing tells which time.
_TWICE = """
    WITH began AS (
        SELECT
            c.run_id, c.file, c.host, k.zone,
            timezone(k.zone, timezone('UTC', min(c.first_utc))) AS first_local
        FROM coverage c
        JOIN file_clock k USING (file_id)
        LEFT JOIN host h ON h.run_id = c.run_id AND h.host = c.host
        WHERE c.clock LIKE 'local%' AND c.first_utc IS NOT NULL
            AND abs(coalesce(h.clock_offset_s, 0)) < 1800  -- else it was said which
        GROUP BY c.run_id, c.file, c.host, k.zone
    )
    SELECT
        b.run_id, 2, name_in_run(b.file, b.run_id) || coalesce(', host ' || b.host, ''),
        'begins at ' || strftime(b.first_local, '%Y-%m-%d %H:%M:%S') || ', which the clocks of '
            || b.zone || ' show twice: taken as of the first time'
    FROM began b
    WHERE is_ambiguous(b.first_local, b.zone) AND NOT EXISTS (
        FROM run_event e
        WHERE e.run_id = b.run_id AND e.kind = 'clock set back' AND e.file = b.file)
"""


CHECKS = (
    DataCheck(
        id="another-time",
        title="A file is of another time than its run",
        because=(
            "Nothing of it meets the rest of the run on the time axis: its host has no part in the"
            " stable phase. It fires where more than an hour lies between a file and the others, or"
            " where a file ends before the load begins, or begins after it."
        ),
        do="if it is of another run, move it there; else correct its time zone or its host's"
        " clock (time_zone, clock_offset_s and date_order in run.yml)",
        ask=_of_another_time,
    ),
    DataCheck(
        id="start",
        title="The run's start does not fit its load",
        because=(
            "Times without a date take theirs from the start, and seconds are counted from it. It"
            " fires where the load was at work before it, or not within an hour after it."
        ),
        do="correct start in run.yml, or leave it out: the load driver's own first sample then"
        " counts",
        ask=_START,
    ),
    DataCheck(
        id="no-start",
        title="The stable phase that somebody has set is not used",
        because=(
            "Its seconds count from start in run.yml, else from the first interval of a load driver"
            " that tells times, or the first row of a table of the study's own. It fires where a"
            " run has none of them."
        ),
        do="write start in run.yml",
        ask=_NO_START,
    ),
    DataCheck(
        id="load-at-no-time",
        title="When the load was is not known, and hosts were recorded for longer",
        because=(
            "What hosts did before or after it is then taken for what they did under load. It fires"
            " where a load tells no times and nobody has said when the run began, or where nothing"
            " says which part of it counts; and hosts were recorded for longer than the load"
            " lasted: by a tenth, and by more than 2 s."
        ),
        do="write when the load began as start in run.yml, and take start_known: assumed out",
        ask=_LOAD_AT_NO_TIME,
    ),
    DataCheck(
        id="not-covered",
        title="A host was not measured during the whole stable phase",
        because=(
            "Its means are of another time than throughput and response time. It fires below 95 %"
            " of the stable phase, by the first and last moment of each kind of raw export."
        ),
        do="give the rest of the host's files, or set stable_phase in run.yml to the part that all"
        " exports tell of",
        ask=_NOT_COVERED,
    ),
    DataCheck(
        id="restarts",
        title="Something restarted, or counters or a clock began anew",
        because=(
            "What a host does after a restart is no steady state, and counters that begin anew"
            " hide what was counted before. Within the stable phase a restart makes its means"
            " wrong; outside it is to be known."
        ),
        do="repeat the run, or set stable_phase in run.yml to a part without it",
        ask=_RESTARTS,
    ),
    DataCheck(
        id="hour-twice",
        title="Local times of the hour that comes twice",
        because=(
            "When summer time ends, clocks go through an hour twice. Where they go back within a"
            " file, its samples are told apart by that; a file that begins in that hour, and never"
            " goes back, may be of either time: all of it may be an hour too early."
        ),
        do="if it is of the second time, say so by clock_offset_s: 3600 of its host in run.yml; or"
        " record with UTC (jmeter.save.saveservice.timestamp_format=ms, sadf without -T)",
        ask=_TWICE,
    ),
    DataCheck(
        id="gaps",
        title="Intervals are missing",
        because=(
            "What happened meanwhile is in no mean; a monitor that stood still may tell of a host"
            " that stood still. It fires where two samples are further apart than one and a half"
            " of the usual distance."
        ),
        do="look what the host did then; record in shorter files, or give the file that holds the"
        " rest",
        ask=_GAPS,
    ),
)
