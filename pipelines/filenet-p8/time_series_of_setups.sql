-- The time series of all runs as time_series_of_runs has it, with what the runs of FileNet P8 differ in.
SELECT
    c.*, s.load_level,
    coalesce(replace(s.cpus, '-', ' CE/PE and ') || ' database processors', 'Other setups')
        AS processors
FROM time_series_of_runs c
LEFT JOIN (
    SELECT DISTINCT
        regexp_replace(split_part(run_id, '/', 2), '-[0-9]+$', '') AS setup, cpus, load_level
    FROM setup
) s USING (setup)
