-- Interrupts per second, each with its processor; all stands for all of them together.
WITH single AS (
    SELECT *, unnest(string_split(names, ' ')) AS name, unnest(rates_per_s) AS interrupts_per_s
    FROM sar_interrupt
),
named AS (
    SELECT
        * EXCLUDE (interrupt, cpu, name, names, rates_per_s),
        coalesce(interrupt, name) AS interrupt,
        if(interrupt IS NULL, coalesce(cpu, 'all'), name) AS cpu
    FROM single
)
SELECT run_id, file_id, host, time_utc, interval_s, interrupt, cpu, interrupts_per_s
FROM sar_series('named', row(interrupt, cpu), 0)
