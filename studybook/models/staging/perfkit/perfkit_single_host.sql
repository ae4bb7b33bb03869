-- The host that run.yml names for a file of the Performance Toolkit, if the file holds reports of one
-- system at most: with several, each report goes by the system that it names.
SELECT f.file_id, if(count(DISTINCT r.system_id) <= 1, f.host, NULL) AS host
FROM perfkit_report r
JOIN file_clock f USING (file_id)
GROUP BY f.file_id, f.host
