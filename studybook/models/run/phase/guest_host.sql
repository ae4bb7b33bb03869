-- Hosts by the name of their guest, which has eight letters at most; none where two would have one.
SELECT run_id, left(upper(host), 8) AS userid, any_value(host) AS host, any_value(role) AS role
FROM host
GROUP BY ALL
HAVING count(*) = 1
