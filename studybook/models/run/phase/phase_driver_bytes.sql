-- What the load driver sent and received, where it counts bytes.
SELECT
    t.run_id, mean_over_time(t.sent_mib_s, t.interval_s) AS sent_mib_s,
    mean_over_time(t.received_mib_s, t.interval_s) AS received_mib_s
FROM throughput t
JOIN stable_phase p USING (run_id)
WHERE t.kind = 'run' AND t.interval_s > 0
    AND within_phase(t.time_utc, t.interval_s, p.from_utc, p.to_utc)
GROUP BY t.run_id
-- A sampler that measures no bytes says 0.
HAVING sum(t.received_mib_s) > 0
