-- One row per variable of DB2 on a host: that of the instance before that of the whole host.
SELECT
    c.run_id, coalesce(c.host, s.host, 'file ' || c.file) AS machine, s.variable, s.value, s.set_by
FROM linux_db2_setting s
JOIN file_clock c USING (file_id)
QUALIFY row_number() OVER (
    PARTITION BY c.run_id, machine, s.variable
    ORDER BY coalesce(s.level, 'i') = 'g', s.file_id DESC, s.line DESC
) = 1
