-- The host of files that name none, neither themselves nor in run.yml: the only one of the run, else one
-- that is called host, in all runs alike.
SELECT r.run_id, if(count(h.host) = 1, min(h.host), 'host') AS host
FROM run r
LEFT JOIN host h USING (run_id)
GROUP BY r.run_id
