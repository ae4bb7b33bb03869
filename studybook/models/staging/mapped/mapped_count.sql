-- Counts per interval of tables that run.yml maps, each from the row before of its file, host and label
-- to its own time; where times are the beginnings of what rows count, to the row behind. Rows of one
-- time count together. The first row (or the last) has no interval, and is not there. A row much later
-- than usual after the one before may count since then, or rows are lost: how long it counted is not
-- known. Where more than a fifth are, no interval is usual, and each counts since the row before. Of
-- times in whole seconds, of which some have two rows, others are a second too far apart.
WITH counted AS (
    SELECT
        file_id, host, label, metric, time_utc, any_value(time_marks) AS time_marks,
        any_value(statistic) AS statistic, any_value(column_name) AS column_name,
        any_value(file_unit) AS file_unit, max(line) AS line, sum(value) AS counted, count(*) AS rows
    FROM mapped_value
    WHERE is_per_interval
    GROUP BY file_id, host, label, metric, time_utc
),
measured AS (
    SELECT
        * EXCLUDE (time_utc),
        if(time_marks = 'begin', lead(time_utc) OVER series, time_utc) AS time_utc,
        epoch(if(time_marks = 'begin', lead(time_utc) OVER series - time_utc,
            time_utc - lag(time_utc) OVER series)) AS interval_s,
        bool_or(rows > 1) OVER every AND bool_and(epoch_us(time_utc) % 1000000 = 0) OVER every
            AS is_coarse
    FROM counted
    WINDOW every AS (PARTITION BY file_id, host, label, metric),
        series AS (PARTITION BY file_id, host, label, metric ORDER BY time_utc)
),
judged AS (
    SELECT
        *, interval_s > greatest(
            1.5 * median(interval_s) OVER series, median(interval_s) OVER series + is_coarse::INTEGER
        ) AS is_long
    FROM measured
    WHERE interval_s IS NOT NULL
    WINDOW series AS (PARTITION BY file_id, host, label, metric)
)
SELECT
    * EXCLUDE (rows, is_coarse, is_long),
    is_long AND avg(is_long::INTEGER) OVER (PARTITION BY file_id, host, label, metric) <= 0.2 AS after_gap
FROM judged
