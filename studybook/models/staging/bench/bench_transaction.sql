-- Transactions per second by sizes of request and response. kind: rr on an open connection, crr
-- with a new one each time. An omni test does not say which of the two, and is called rr. loopback:
-- both ends are the same machine, by an address of loopback, by the name of the host that run.yml has
-- for the file (or of the only one of the run), or because both ends have one address.
WITH only_host AS (
    SELECT run_id, any_value(host) AS host
    FROM host
    GROUP BY run_id
    HAVING count(*) = 1
)
SELECT
    f.run_id, n.file_id, n.protocol, n.kind, n.form, n.request_bytes, n.response_bytes,
    n.transactions_per_s, n.elapsed_s, coalesce(n.mean_latency_us, n.round_trip_us) AS latency_us,
    n.p99_latency_us, n.local_cpu_percent, n.remote_cpu_percent,
    if(n.service_demand_per IN ('us/Tr', 'usec/Tran'), n.local_service_demand_us, NULL)
        AS local_us_per_transaction,
    if(n.service_demand_per IN ('us/Tr', 'usec/Tran'), n.remote_service_demand_us, NULL)
        AS remote_us_per_transaction,
    coalesce(is_loopback(n.remote), false)
        OR coalesce(is_same_host(n.remote, coalesce(f.host, o.host)), false)
        OR coalesce(n.remote = n.local AND n.local NOT IN ('0.0.0.0', '::'), false) AS loopback,
    n.line
FROM netperf_test n
JOIN raw_file f USING (file_id)
LEFT JOIN only_host o ON o.run_id = f.run_id
WHERE n.transactions_per_s IS NOT NULL AND n.confidence_reached IS DISTINCT FROM false
