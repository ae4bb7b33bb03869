-- Rates of operations on metadata by mdtest, all tasks together, over the iterations of a run. What was
-- not tested, which is printed as 0, and runs without a result are left out.
SELECT
    f.run_id, o.file_id, o.operation, r.tasks AS processes, r.nodes, r.items, r.iterations AS n,
    o.mean_per_s, o.sd_per_s, o.min_per_s, o.max_per_s, r.command, r.version, o.line
FROM mdtest_operation o
JOIN mdtest_run r USING (file_id, run_no)
JOIN raw_file f USING (file_id)
WHERE r.status = 'complete' AND o.mean_per_s > 0
