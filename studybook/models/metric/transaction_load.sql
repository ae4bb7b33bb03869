-- Transactions of netperf, all connections of a test together. In runs of the experiment
-- tcp-transactions, what stands in one file was measured at once, one connection each: rates add up.
-- Each netperf takes the processor time of the whole machine for its own few transactions; so the
-- time of one transaction is the inverse of the sum of inverses; without that of each connection it is
-- not known. Over loopback, what netperf calls remote is the same processors again. To another host,
-- that one's is added; but of new connections (CRR) it is not known: netserver goes on for seconds
-- after such a test, and counts them in.
WITH connection AS (
    SELECT
        *,
        nullif(local_us_per_transaction + CASE
            WHEN loopback THEN 0 WHEN kind = 'rr' THEN remote_us_per_transaction
        END, 0) AS cpu_us
    FROM bench_transaction
)
SELECT
    t.run_id, t.file_id, t.kind, t.request_bytes, t.response_bytes, count(*) AS connections,
    sum(t.transactions_per_s) AS transactions_per_s,
    if(count(cpu_us) = count(*), 1 / sum(1 / cpu_us), NULL) AS cpu_us_per_transaction,
    upper(t.kind) || ' ' || t.request_bytes || '/'
        || if(t.response_bytes % 1024 = 0, (t.response_bytes // 1024) || 'k', t.response_bytes || '')
        || ', ' || count(*) || if(count(*) = 1, ' connection', ' connections') AS test
FROM connection t
JOIN run_factors r USING (run_id)
WHERE r.factors['experiment'] = 'tcp-transactions' AND t.protocol = 'TCP'
    AND t.kind IN ('rr', 'crr')
GROUP BY t.run_id, t.file_id, t.kind, t.request_bytes, t.response_bytes
