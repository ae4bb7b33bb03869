-- Resets, failures, requests to the histogram and messages, with hosts and times like those.
SELECT
    f.run_id,
    m.* REPLACE (
        coalesce(f.host, m.host) AS host,
        utc_of(m.time_utc, NULL::TIMESTAMP, NULL::VARCHAR, h.clock_offset_s) AS time_utc)
FROM mmpmon_mark m
JOIN mmpmon_single_host f USING (file_id)
LEFT JOIN host h ON h.run_id = f.run_id AND h.host = coalesce(f.host, m.host)
