-- Swap space, and swapping, by collectl.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    max(value) FILTER (name = 'SwapUsed') AS used_kib,
    max(value) FILTER (name = 'SwapFree') AS free_kib,
    max(value) FILTER (name = 'SwapIn') AS in_pages_per_s,
    max(value) FILTER (name = 'SwapOut') AS out_pages_per_s
FROM collectl_value
WHERE part = 'MEM' AND name IN ('SwapUsed', 'SwapFree', 'SwapIn', 'SwapOut')
GROUP BY run_id, host, time_utc
