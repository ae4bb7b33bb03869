-- What lmbench measured, but for context switches: times and bandwidths, by size where it varied that.
SELECT f.run_id, m.*
FROM (
    SELECT file_id, name AS test, latency_us, rate_mb_s, line FROM lmbench_value
    UNION ALL BY NAME
    SELECT
        file_id, section AS test, coalesce(size_mb * 1e6, size_mib * 1048576) AS size_bytes,
        latency_us, rate_mb_s, line
    FROM lmbench_point
) m
JOIN raw_file f USING (file_id)
