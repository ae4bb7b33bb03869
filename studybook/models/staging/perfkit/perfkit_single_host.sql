-- Performance Toolkit reports: use of processors by each guest, traffic of virtual switches, response
-- times of disks. All shares of processors are in IFLs: 100 % of one processor is 1 IFL. Rows of logs
-- are stamped with the end of their interval.

-- The host that run.yml names for a file, if the file holds reports of one system at most: with
-- several, each report goes by the system that it names.
SELECT f.file_id, if(count(DISTINCT r.system_id) <= 1, f.host, NULL) AS host
FROM perfkit_report r
JOIN file_clock f USING (file_id)
GROUP BY f.file_id, f.host
