-- One row per raw file: the host that run.yml names for it, if any, and the run's time zone.
SELECT
    f.file_id, f.run_id, f.source, f.name AS file, f.host, r.study, r.origin,
    r.time_zone AS zone, 'local time, zone ' || r.time_zone_known AS zone_known
FROM raw_file f
JOIN run r USING (run_id)
