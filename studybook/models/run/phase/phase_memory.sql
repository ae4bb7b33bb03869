-- Memory in use by each host: what is not available to programs, as a share of all. Kernels before
-- 3.14 do not say what is available; it is then what is free, or buffers and page cache.
SELECT
    m.run_id, m.host, any_value(h.role) AS role,
    mean_over_time(
        100 * (1 - coalesce(available_kib, free_kib + buffers_kib + cached_kib)
            / nullif(total_kib, 0)),
        interval_s) AS used_percent
FROM memory m
JOIN stable_phase p USING (run_id)
LEFT JOIN host h USING (run_id, host)
WHERE m.interval_s > 0 AND within_phase(m.time_utc, m.interval_s, p.from_utc, p.to_utc, m.tool)
GROUP BY m.run_id, m.host
