"""Checks on tables of one's own, of which ``run.yml`` or ``study.yml`` says what counts."""

from __future__ import annotations

from studybook.doctor.data.check import DataCheck

#: What tables of one's own have of a metric, of which no value with a time is of the stable phase;
#: and running totals and counts per interval of which there is one row.
_NO_ROW_COUNTS = """
    WITH outside AS (
        SELECT
            s.run_id, s.file_id, concat_ws(' ', s.metric, s.host, s.label) AS what,
            min(s.at_utc - to_microseconds((coalesce(s.interval_s, 0) * 1e6)::BIGINT)) AS first_utc,
            max(s.at_utc) AS last_utc, any_value(p.from_utc) AS from_utc,
            any_value(p.to_utc) AS to_utc
        FROM mapped_sample s
        JOIN stable_phase p USING (run_id)
        WHERE s.at_utc IS NOT NULL AND isfinite(p.from_utc) AND isfinite(p.to_utc)
        GROUP BY s.run_id, s.file_id, s.metric, s.host, s.label
        HAVING NOT bool_or(
            row_within_phase(s.at_utc, s.begins, s.interval_s, p.from_utc, p.to_utc))
    )
    SELECT
        o.run_id, 1, name_in_run(f.name, o.run_id),
        'nothing that it has of ' || array_to_string(list(what ORDER BY what)[:4], ', ')
            || if(count(*) > 4, ' and ' || count(*) - 4 || ' more', '')
            || ' is of the stable phase (' || strftime(any_value(from_utc), '%H:%M:%S') || ' to '
            || strftime(any_value(to_utc), '%H:%M:%S') || '): it goes from '
            || strftime(min(first_utc), '%Y-%m-%d %H:%M:%S') || ' to '
            || strftime(max(last_utc), '%Y-%m-%d %H:%M:%S')
            || if(bool_or(first_utc < from_utc AND last_utc > to_utc),
                ', in intervals that reach beyond the phase', '')
    FROM outside o
    JOIN raw_file f USING (file_id)
    GROUP BY o.run_id, f.name
    UNION ALL
    SELECT
        f.run_id, 1, name_in_run(f.name, f.run_id),
        'has no two rows of the ' || if(is_counter, 'running total ', 'count per interval ')
            || v.column_name
            || if(is_counter, ', by which it could have grown', ', between which it could count')
    FROM (
        SELECT DISTINCT file_id, metric, column_name, is_counter
        FROM mapped_value
        WHERE is_counter OR is_per_interval
    ) v
    JOIN raw_file f USING (file_id)
    ANTI JOIN mapped_sample s ON s.file_id = v.file_id AND s.metric = v.metric
"""

#: Several rows of one time, metric, host and label, where nearly every time has as many. Totals of
#: one series never fall in the order of times and sizes. Of other values the first row is set
#: against the last of the same time: of one series they differ by chance, or by less than it
#: changes from time to time.
_SEVERAL_SERIES = """
    WITH doubtful AS (
        -- Four of five times have two rows or more: few tables, found without a look at each time.
        SELECT file_id, metric
        FROM mapped_value
        WHERE time_utc IS NOT NULL
        GROUP BY file_id, metric, host, label
        HAVING count(*) > 1.4 * approx_count_distinct(time_utc)
    ),
    at_once AS (
        SELECT
            file_id, metric, host, label, time_utc, count(*) AS rows,
            any_value(is_counter) AS is_counter, min(value) AS least, max(value) AS most,
            arg_min(value, line) AS first, arg_max(value, line) - arg_min(value, line) AS beyond
        FROM mapped_value
        SEMI JOIN doubtful USING (file_id, metric)
        WHERE time_utc IS NOT NULL
        GROUP BY file_id, metric, host, label, time_utc
    ),
    in_order AS (
        SELECT *, least < lag(most) OVER series AS falls
        FROM at_once
        WINDOW series AS (PARTITION BY file_id, metric, host, label ORDER BY time_utc)
    ),
    usual AS (
        SELECT
            file_id, metric, host, label, mode(rows) AS rows, count(*) AS times,
            count(*) FILTER (falls) AS falls, any_value(is_counter) AS is_counter
        FROM in_order
        GROUP BY file_id, metric, host, label
    ),
    series AS (
        SELECT
            u.*, count(*) AS such,
            abs(avg(beyond)) AS apart, stddev_samp(beyond) / sqrt(count(*)) AS by_chance,
            abs(arg_max(first, time_utc) - arg_min(first, time_utc)) / (count(*) - 1) AS step
        FROM in_order o
        JOIN usual u ON u.file_id = o.file_id AND u.metric = o.metric AND u.rows = o.rows
            AND u.host IS NOT DISTINCT FROM o.host AND u.label IS NOT DISTINCT FROM o.label
        WHERE u.rows > 1
        GROUP BY ALL
    )
    SELECT
        f.run_id, 2, name_in_run(f.name, f.run_id),
        s.rows || ' rows of each time have ' || concat_ws(' ', s.metric, s.host, s.label)
            || ', which are unlike each other'
    FROM series s
    JOIN raw_file f USING (file_id)
    WHERE such >= 5 AND such > 0.8 * times
        AND if(is_counter, falls > 0.25 * times, apart > 4 * by_chance AND apart > 2 * step)
"""

#: Two files of one run that say the same of most times: of what both tell, not the commonest row of
#: a series, which others have by chance. Files that say the same by chance do so at less than half
#: of the other times. What several hosts do by plan may be the same: of these only what goes up and
#: down, as nothing planned does, is told.
_SAME_ROWS = """
    WITH several AS (
        SELECT file_id, run_id
        FROM raw_file
        WHERE file_id IN (SELECT file_id FROM mapped_value WHERE time_utc IS NOT NULL)
        QUALIFY count(*) OVER (PARTITION BY run_id) > 1
    ),
    turning AS (
        SELECT file_id, max(turns) > 0.3 AS is_noisy
        FROM (
            SELECT file_id, metric, avg(turns::INTEGER) AS turns
            FROM (
                SELECT
                    file_id, metric,
                    (value - lag(value) OVER series) * (lead(value) OVER series - value) < 0
                        AS turns
                FROM mapped_value
                JOIN several USING (file_id)
                WINDOW series AS (
                    PARTITION BY file_id, host, label, metric ORDER BY time_utc, line)
            )
            GROUP BY file_id, metric
        )
        GROUP BY file_id
    ),
    told AS (
        SELECT
            s.run_id, file_id,
            concat_ws(chr(31), coalesce(v.host, c.host, ''), coalesce(v.label, '')) AS of,
            v.time_utc, sum(hash(v.metric, v.value)) AS what
        FROM mapped_value v
        JOIN several s USING (file_id)
        JOIN file_clock c USING (file_id)
        WHERE v.time_utc IS NOT NULL
        GROUP BY ALL
    ),
    of_time AS (
        FROM told
        QUALIFY what <> mode(what) OVER (PARTITION BY file_id, of)
    ),
    of_file AS (SELECT file_id, count(*) AS times FROM of_time GROUP BY file_id),
    same AS (
        SELECT
            a.file_id, b.file_id AS other_id, s.times,
            count(DISTINCT (a.of, a.time_utc)) AS as_there, t.is_noisy
        FROM of_time a
        JOIN told b ON b.run_id = a.run_id AND b.time_utc = a.time_utc AND b.what = a.what
        JOIN of_file s ON s.file_id = a.file_id
        JOIN of_file l ON l.file_id = b.file_id
        JOIN turning t ON t.file_id = a.file_id
        WHERE (s.times, s.file_id) < (l.times, l.file_id) AND (a.of = b.of OR t.is_noisy)
        GROUP BY a.file_id, b.file_id, s.times, t.is_noisy
        HAVING count(DISTINCT a.what) >= 5 AND as_there > 0.5 * s.times
    )
    SELECT
        f.run_id, if(s.as_there = s.times AND s.is_noisy, 1, 2), name_in_run(f.name, f.run_id),
        format(
            'of {:,} of its {:,} times, the commonest values left aside, {} says the same',
            s.as_there, s.times, name_in_run(o.name, o.run_id))
    FROM same s
    JOIN raw_file f ON f.file_id = s.file_id
    JOIN raw_file o ON o.file_id = s.other_id
    WHERE f.sha256 <> o.sha256
"""

#: Rates that several files of a run tell of one time, and nothing says of which part each is.
_AVERAGED = """
    WITH told AS (
        SELECT
            run_id, metric, host, label, file_id, min(at_utc) AS first_utc, max(at_utc) AS last_utc
        FROM mapped_sample
        WHERE interval_s IS NOT NULL
        GROUP BY ALL
    )
    SELECT
        a.run_id, 2, a.metric,
        format('{:,} files have it at the same time, and nothing tells them apart:'
            ' their mean counts, not their sum', count(DISTINCT b.file_id) + 1)
    FROM told a
    JOIN told b ON b.run_id = a.run_id AND b.metric = a.metric AND b.file_id > a.file_id
        AND b.host IS NOT DISTINCT FROM a.host AND b.label IS NOT DISTINCT FROM a.label
        AND least(a.last_utc, b.last_utc) - greatest(a.first_utc, b.first_utc)
            > 0.5 * least(a.last_utc - a.first_utc, b.last_utc - b.first_utc)
    GROUP BY a.run_id, a.metric
"""

_COUNTS_LEFT_OUT = """
    SELECT
        e.run_id, if(bool_or(e.time_utc BETWEEN p.from_utc AND p.to_utc), 2, 3),
        name_in_run(e.file, e.run_id),
        if(count(*) = 1, '1 count comes', count(*) || ' counts come')
            || ' later than usual after the row before, the first at '
            || strftime(min(e.time_utc), '%Y-%m-%d %H:%M:%S') || ' UTC ('
            || arg_min(e.text, (e.time_utc, e.text)) || ')'
    FROM run_event e
    LEFT JOIN stable_phase p USING (run_id)
    WHERE e.kind = 'count after a gap'
    GROUP BY e.run_id, e.file
"""

CHECKS = (
    DataCheck(
        id="same-rows",
        title="Rows of a table of your own are counted twice",
        because=(
            "Sums are too high, and other numbers are of one part twice: a file of the run is"
            " nearly that of another, such as a copy that was made while it grew. It fires where of"
            " more than half of its times all that is mapped is the same in both, the commonest"
            " values left aside, with five different ones or more; of tables of two hosts or"
            " labels, only if values go up and down as nothing planned does. It is wrong where that"
            " is so at all of these times."
        ),
        do="keep the longer of the files, and take the other out of run.yml and its patterns; if"
        " both follow one plan, say of each what it is of: rows_are, label or host",
        ask=_SAME_ROWS,
    ),
    DataCheck(
        id="rates-averaged",
        title="Rates of several tables of your own are averaged",
        because=(
            "Of two load generators that give half of the load each, the mean of their rates is"
            " half of what the system did. It fires where several files of a run have the same"
            " metric by counter or per_interval, of the same host and label, at the same time."
        ),
        do="say of each file what it is of, if each is of a part: rows_are, label or host of its"
        " table; else take one of them out",
        ask=_AVERAGED,
    ),
    DataCheck(
        id="counts-left-out",
        title="Counts of a table of your own are left out",
        because=(
            "What is counted per interval is divided by the time since the row before. One that"
            " comes after more than one and a half of the usual time may be of all of it, or rows"
            " are lost: it is in no rate. Where more than a fifth come so, none is left out."
        ),
        do="look what happened then; of a log that leaves out rows in which it counted nothing, add"
        " them with 0, or map a running total with counter: true",
        ask=_COUNTS_LEFT_OUT,
    ),
    DataCheck(
        id="no-row-counts",
        title="A table of your own has no row that counts",
        because=(
            "Of a table with times the rows of the stable phase count. Where none of a metric, host"
            " and label is of it, that has no value for the run, and is in no figure, comparison or"
            " goal."
        ),
        do="of what was measured before or after the load on purpose, take time out of the mapping"
        " in run.yml, or give it a run of its own; else correct time_zone, start or stable_phase",
        ask=_NO_ROW_COUNTS,
    ),
    DataCheck(
        id="several-series",
        title="Rows of a table of your own are of several series, and nothing tells them apart",
        because=(
            "Of a running total the last row of each time counts, of counts per interval their sum,"
            " of other values the mean of all: none is that of any of them. It fires where four of"
            " five times have as many rows, and the first of them differs from the last by more"
            " than chance, and by more than from time to time; or totals fall."
        ),
        do="take the column that tells them apart, such as that of a disk, as label or as host of"
        " the table",
        ask=_SEVERAL_SERIES,
    ),
)
