-- One row per disk, in the order of the capture.
SELECT f.run_id, n.file_system, n.nsd, n.servers, n.directly_attached, n.line
FROM scale_nsd n
JOIN raw_file f USING (file_id)
QUALIFY row_number() OVER (PARTITION BY f.run_id, n.file_system, n.nsd ORDER BY f.name, n.line) = 1
