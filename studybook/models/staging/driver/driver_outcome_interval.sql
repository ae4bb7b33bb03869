-- How single samples ended, in the intervals of driver_sample_interval: how many had the same code and the
-- same message. Messages are kept of what failed. An exception of JMeter is named by its class alone.
WITH ended AS (
    SELECT
        'jtl' AS tool, run_id, kind, label, until_utc, interval_no, interval_s,
        regexp_replace(response_code, '^Non HTTP response code: (.*\.)?', '') AS code,
        coalesce(failure_message, response_message) AS message, samples, failed
    FROM jtl_placed
    UNION ALL BY NAME
    SELECT
        tool, run_id, kind, label, until_utc, interval_no, interval_s, code, message, 1 AS samples,
        coalesce(has_failed, false)::BIGINT AS failed
    FROM sampled_placed
)
SELECT
    tool, run_id, kind, label, coalesce(ended.code, 'without a code') AS code,
    if(ended.failed > 0, message, NULL) AS failure, interval_no,
    any_value(until_utc) AS time_utc, any_value(interval_s) AS interval_s, sum(ended.samples)::BIGINT AS samples,
    sum(ended.failed)::BIGINT AS failed
FROM ended
GROUP BY tool, run_id, kind, label, ended.code, failure, interval_no
