-- IFLs of each guest, as the hypervisor counts them. host: the guest by the name of the manifest.
SELECT
    g.run_id, coalesce(h.host, g.userid) AS host, any_value(h.role) AS role, g.report,
    mean_over_time(g.used_ifl, g.interval_s) AS used_ifl
FROM guest_cpu g
JOIN stable_phase p USING (run_id)
LEFT JOIN guest_host h USING (run_id, userid)
WHERE g.used_ifl IS NOT NULL AND g.interval_s > 0
    AND within_phase(g.time_utc, g.interval_s, p.from_utc, p.to_utc)
GROUP BY g.run_id, coalesce(h.host, g.userid), g.report
QUALIFY g.report = min(g.report) OVER (PARTITION BY g.run_id)
