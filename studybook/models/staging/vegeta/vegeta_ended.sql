-- Requests of vegeta as single samples, named by method and address; where older releases print
-- neither, by the attack. A request failed if its status is not from 200 to 399, which is what vegeta
-- itself counts as success; 0 stands for no response.
SELECT
    'vegeta' AS tool, c.run_id, v.file_id, c.host, v.line, 'UTC, in the file' AS clock,
    'sample' AS kind, coalesce(nullif(concat_ws(' ', v.method, v.url), ''), v.attack) AS label,
    utc_of(v.time_utc, NULL, c.zone, h.clock_offset_s) AS begin_utc,
    begin_utc + to_microseconds((v.latency_ms * 1000)::BIGINT) AS end_utc,
    v.latency_ms AS elapsed_ms, v.status NOT BETWEEN 200 AND 399 AS has_failed,
    if(v.status = 0, 'no response', 'status ' || v.status) AS code, v.error AS message
FROM vegeta_result v
JOIN file_clock c USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = c.host
-- Three years: longer is no response time.
WHERE v.latency_ms BETWEEN 0 AND 1e11
