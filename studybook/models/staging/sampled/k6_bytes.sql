-- Bytes that k6 received and sent in each interval: values of their own, not of a request.
SELECT
    'k6' AS tool, v.run_id,
    interval_no_of(v.at_utc, s.start_utc, s.step_s, s.first_no, s.last_no) AS interval_no,
    sum(v.value) FILTER (v.metric = 'data_received') AS bytes_received,
    sum(v.value) FILTER (v.metric = 'data_sent') AS bytes_sent
FROM k6_value v
JOIN sample_span s USING (run_id)
WHERE v.metric IN ('data_received', 'data_sent')
GROUP BY v.run_id, interval_no
