-- Values of tables that run.yml maps, with their moments as UTC instants by the clock of their host,
-- and what tells them apart within the run.
SELECT
    c.run_id, v.file_id, coalesce(v.host, c.host) AS host,
    utc_of(v.time_utc, NULL, c.zone, h.clock_offset_s) AS at_utc, c.zone_known AS clock,
    v.label, v.metric, v.statistic, v.value, v.column_name, v.file_unit, v.line,
    map_concat(
        if(coalesce(v.host, c.host) IS NULL, MAP {}, host_and_role(coalesce(v.host, c.host), h.role)),
        if(v.label IS NULL, MAP {}, MAP {'label': v.label})
    )::MAP(VARCHAR, VARCHAR) AS own
FROM mapped_value v
JOIN file_clock c USING (file_id)
LEFT JOIN host h ON h.run_id = c.run_id AND h.host = coalesce(v.host, c.host)
