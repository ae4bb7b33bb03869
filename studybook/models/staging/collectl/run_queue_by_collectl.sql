-- Processes that run or wait for a processor, those that wait for disks, and load averages, by collectl.
SELECT
    run_id, min(file_id) AS file_id, host, time_utc, any_value(interval_s) AS interval_s,
    max(value) FILTER (name = 'RunTot') AS run_queue,
    max(value) FILTER (name = 'BlkTot') AS blocked_tasks,
    -- ProcQue is what Linux has behind the load averages: how many there are at all.
    max(value) FILTER (name = 'ProcQue') AS tasks,
    max(value) FILTER (name = 'L-Avg1') AS load_1min,
    max(value) FILTER (name = 'L-Avg5') AS load_5min,
    max(value) FILTER (name = 'L-Avg15') AS load_15min
FROM collectl_value
WHERE part = 'CPU' AND item IS NULL
    AND name IN ('RunTot', 'BlkTot', 'ProcQue', 'L-Avg1', 'L-Avg5', 'L-Avg15')
GROUP BY run_id, host, time_utc
