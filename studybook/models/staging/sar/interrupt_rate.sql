-- Interrupts per second, each with its processor; all stands for all of them together.
WITH record AS (
    FROM sar_stamped('sar_interrupt')
),
-- Where several records may say the same of an instant: of an interrupt or a processor there are
-- two, or some are of an interrupt and others of a processor, or a name stands in one twice. To
-- look for the same among all single values would take most of the time of a load.
list_of_names AS MATERIALIZED (
    SELECT DISTINCT names FROM record
),
twice AS (
    SELECT names FROM list_of_names
    WHERE len(list_distinct(string_split(names, ' '))) < len(string_split(names, ' '))
),
told AS (
    SELECT
        run_id, host, time_utc, interrupt IS NULL AS of_cpu,
        count(*) > 1 OR bool_or(names IN (FROM twice)) AS again
    FROM record
    GROUP BY run_id, host, time_utc, of_cpu, coalesce(interrupt, cpu, 'all')
),
doubtful AS (
    SELECT run_id, host, time_utc FROM told
    GROUP BY run_id, host, time_utc
    HAVING bool_or(again) OR (bool_or(of_cpu) AND NOT bool_and(of_cpu))
),
-- Each part goes on as rows of single rates only once it is known which it is: these are many, and
-- go to the file as they come.
certain AS (
    FROM record r
    ANTI JOIN doubtful d
        ON d.run_id = r.run_id AND d.host IS NOT DISTINCT FROM r.host
        AND d.time_utc IS NOT DISTINCT FROM r.time_utc
),
uncertain AS (
    FROM record r
    SEMI JOIN doubtful d
        ON d.run_id = r.run_id AND d.host IS NOT DISTINCT FROM r.host
        AND d.time_utc IS NOT DISTINCT FROM r.time_utc
)
SELECT * EXCLUDE (line) FROM single_rates('certain')
UNION ALL
SELECT * EXCLUDE (line) FROM single_rates('uncertain')
-- As sar_series has it.
QUALIFY row_number() OVER (
    PARTITION BY run_id, host, row(interrupt, cpu), time_utc, interval_s IS NOT DISTINCT FROM 0
    ORDER BY interval_s, file_id, line
) = 1
