-- Interrupts per second, each with its processor; all stands for all of them together.
WITH record AS (
    FROM sar_stamped('sar_interrupt')
),
-- Where several records may say the same of an instant: of an interrupt or a processor there are
-- two, or some are of an interrupt and others of a processor, or a name stands in one twice. To
-- look for the same among all single values would take most of the time of a load.
twice AS (
    SELECT names FROM record GROUP BY names
    HAVING len(list_distinct(string_split(names, ' '))) < len(string_split(names, ' '))
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
single AS (
    SELECT
        r.*, d.run_id IS NOT NULL AS is_doubtful,
        unnest(string_split(names, ' ')) AS name, unnest(rates_per_s) AS interrupts_per_s
    FROM record r
    LEFT JOIN doubtful d
        ON d.run_id = r.run_id AND d.host IS NOT DISTINCT FROM r.host
        AND d.time_utc IS NOT DISTINCT FROM r.time_utc
),
named AS (
    SELECT
        run_id, file_id, line, host, time_utc, interval_s, is_doubtful,
        coalesce(interrupt, name) AS interrupt,
        if(interrupt IS NULL, coalesce(cpu, 'all'), name) AS cpu, interrupts_per_s
    FROM single
)
SELECT * EXCLUDE (line, is_doubtful) FROM named WHERE NOT is_doubtful
UNION ALL
SELECT * EXCLUDE (line, is_doubtful) FROM named WHERE is_doubtful
-- As sar_series has it.
QUALIFY row_number() OVER (
    PARTITION BY run_id, host, row(interrupt, cpu), time_utc, interval_s IS NOT DISTINCT FROM 0
    ORDER BY interval_s, file_id, line
) = 1
