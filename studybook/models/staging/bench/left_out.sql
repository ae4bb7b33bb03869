-- Results of benchmarks that no figure uses, and why: what failed, was stopped, or has no known
-- unit. The loading report shows them.
SELECT f.source, f.name AS file, i.status, i.status_reason AS reason
FROM ior_run i JOIN raw_file f USING (file_id)
WHERE i.status NOT IN ('complete', 'check', 'library_run')
UNION ALL
SELECT f.source, f.name, 'unit unknown', 'Kbytes may be 1000 or 1024 bytes in this form of output'
FROM gpfsperf_run g JOIN raw_file f USING (file_id)
WHERE g.rate_bytes_s IS NULL
UNION ALL
SELECT
    f.source, f.name, if(d.status = 'complete', 'unit unknown', d.status),
    coalesce(d.error, if(d.status = 'complete', 'the MB of dbench before 2.0', 'no final rate'))
FROM dbench_run d JOIN raw_file f USING (file_id)
WHERE d.status <> 'complete' OR d.rate_bytes_s IS NULL
UNION ALL
SELECT f.source, f.name, i.status, i.error
FROM iozone_run i JOIN raw_file f USING (file_id)
WHERE i.status <> 'complete'
UNION ALL
SELECT
    f.source, f.name, if(n.rate_printed IS NULL, 'failed', 'check'),
    coalesce(n.error, if(n.rate_printed IS NULL, 'no result', 'confidence was not reached'))
FROM netperf_test n JOIN raw_file f USING (file_id)
WHERE n.rate_printed IS NULL OR n.confidence_reached IS false
UNION ALL
SELECT f.source, f.name, 'failed', coalesce(i.error, 'no result')
FROM iperf3_test i JOIN raw_file f USING (file_id)
WHERE i.error IS NOT NULL OR coalesce(i.sent_mbit_s, i.received_mbit_s) IS NULL
UNION ALL
SELECT f.source, f.name, l.status, coalesce(l.error, 'the summary is cut')
FROM (
    FROM wrk_run UNION ALL BY NAME FROM ab_run UNION ALL BY NAME FROM hey_run
    UNION ALL BY NAME FROM oha_run UNION ALL BY NAME FROM vegeta_run
) l JOIN raw_file f USING (file_id)
WHERE l.status IN ('cut', 'failed')
UNION ALL
SELECT
    f.source, f.name, if(d.status = 'complete', 'check', d.status),
    coalesce(d.error, if(d.status = 'complete', 'may be an intermediate report', 'see its records'))
FROM dd_run d JOIN raw_file f USING (file_id)
WHERE d.status <> 'complete' OR d.intermediate IS NULL
UNION ALL
SELECT f.source, f.name, 'failed', 'error ' || j.error
FROM fio_job j JOIN raw_file f USING (file_id)
WHERE j.error <> 0
UNION ALL
SELECT f.source, f.name, m.status, 'no summary'
FROM mdtest_run m JOIN raw_file f USING (file_id)
WHERE m.status <> 'complete'
UNION ALL
SELECT f.source, f.name, u.status, coalesce(u.error, 'no statistics')
FROM uperf_run u JOIN raw_file f USING (file_id)
WHERE u.status <> 'complete'
