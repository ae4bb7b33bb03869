"""Checks on tables of one's own, of which ``run.yml`` or ``study.yml`` says what counts."""

from __future__ import annotations

from studybook.doctor.data.check import DataCheck

#: What tables of one's own have of a metric, of which no value with a time is of the stable phase;
#: and running totals of which there is one row, that grew by nothing.
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
        'has no two rows of the running total ' || v.column_name || ', by which it could have grown'
    FROM (SELECT DISTINCT file_id, metric, column_name FROM mapped_value WHERE is_counter) v
    JOIN raw_file f USING (file_id)
    ANTI JOIN mapped_sample s ON s.file_id = v.file_id AND s.metric = v.metric
"""

#: Rows of one time, metric, host and label, of which nearly every time has as many: by their places
#: within their time they are as many series. Totals of one series never fall from row to row; other
#: values of one are as large at each place, but for chance.
_SEVERAL_SERIES = """
    WITH placed AS (
        SELECT
            file_id, metric, host, label, is_counter, value,
            count(*) OVER same AS at_once, row_number() OVER (same ORDER BY line) AS place,
            value < lag(value) OVER (
                PARTITION BY file_id, metric, host, label ORDER BY time_utc, line) AS falls
        FROM mapped_value
        WHERE time_utc IS NOT NULL
        WINDOW same AS (PARTITION BY file_id, metric, host, label, time_utc)
    ),
    usual AS (
        SELECT file_id, metric, host, label, mode(at_once) FILTER (place = 1) AS at_once
        FROM placed
        GROUP BY file_id, metric, host, label
        HAVING max(place) > 1
    ),
    place AS (
        SELECT
            p.file_id, p.metric, p.host, p.label, p.is_counter, u.at_once, p.place,
            count(*) FILTER (p.at_once = u.at_once) AS times, count(*) AS all_times,
            avg(value) FILTER (p.at_once = u.at_once) AS mean,
            var_samp(value) FILTER (p.at_once = u.at_once) / times AS error,
            count(*) FILTER (falls) AS falls
        FROM placed p
        JOIN usual u ON u.file_id = p.file_id AND u.metric = p.metric
            AND u.host IS NOT DISTINCT FROM p.host AND u.label IS NOT DISTINCT FROM p.label
        WHERE u.at_once > 1
        GROUP BY ALL
    ),
    series AS (
        SELECT
            file_id, metric, host, label, at_once, max(all_times) AS times,
            if(any_value(is_counter), sum(falls) > 0.25 * max(all_times),
                max(mean) - min(mean) > 4 * sqrt(2 * max(error))) AS differ
        FROM place
        GROUP BY file_id, metric, host, label, at_once
        HAVING min(times) >= 5 AND min(times) > 0.9 * max(all_times)
    )
    SELECT
        f.run_id, 1, name_in_run(f.name, f.run_id),
        s.at_once || ' rows of each time have ' || concat_ws(' ', s.metric, s.host, s.label)
            || ', which are unlike each other'
    FROM series s
    JOIN raw_file f USING (file_id)
    WHERE s.differ
"""

CHECKS = (
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
            "Of a running total the last row of each time counts, of other values the mean of all:"
            " neither is that of any of them. It fires where nine of ten times have as many rows,"
            " and what stands first is unlike what stands second by more than chance, or totals"
            " fall from row to row."
        ),
        do="take the column that tells them apart, such as that of a disk, as label or as host of"
        " the table",
        ask=_SEVERAL_SERIES,
    ),
)
