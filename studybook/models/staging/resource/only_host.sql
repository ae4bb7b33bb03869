-- The host of each run that has one only: that of files which name none.
SELECT run_id, min(host) AS host
FROM host
GROUP BY run_id
HAVING count(*) = 1
