-- Responses of hey as single samples, where their times are known: its CSV has seconds since hey
-- began, and run.yml says when the run did. Of several executions only the first began with the run,
-- so none has times. A status of 400 and more says that the request failed, as in hey's own summary. Those
-- that got no response have no row: shares of failures are of the responses.
WITH alone AS (
    SELECT s.*, c.run_id, c.host, r.start_utc
    FROM hey_sample s
    JOIN file_clock c USING (file_id)
    JOIN run r USING (run_id)
    WHERE r.start_utc IS NOT NULL
    QUALIFY min(s.file_id) OVER (PARTITION BY c.run_id) = max(s.file_id) OVER (PARTITION BY c.run_id)
        AND max(s.run_no) OVER (PARTITION BY c.run_id) = 0
)
SELECT
    'hey' AS tool, run_id, file_id, host, line, 'since the start in run.yml' AS clock,
    'sample' AS kind, NULL::VARCHAR AS label,
    start_utc + to_microseconds((offset_s * 1e6)::BIGINT) AS begin_utc,
    begin_utc + to_microseconds((response_ms * 1000)::BIGINT) AS end_utc,
    response_ms AS elapsed_ms, status >= 400 AS has_failed,
    'status ' || status AS code, NULL::VARCHAR AS message
FROM alone
