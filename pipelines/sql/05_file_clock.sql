-- Times as UTC instants. Raw exports have UTC (time_utc) or the time of day of the host's clock
-- (time_local); the latter become UTC by the time zone in run.yml. An hour that the clock goes
-- through twice when summer time ends is taken as the first of the two.
CREATE OR REPLACE MACRO utc_of(time_utc, time_local, zone, clock_offset_s) AS
    coalesce(time_utc, timezone('UTC', timezone(zone::VARCHAR, time_local::TIMESTAMP)))
    + to_microseconds((coalesce(clock_offset_s, 0) * 1000000)::BIGINT);

-- One row per raw file: the host that run.yml names for it, if any, and the run's time zone.
CREATE OR REPLACE VIEW file_clock AS
SELECT
    f.file_id, f.run_id, f.source, f.name AS file, f.host, r.study, r.origin,
    r.time_zone AS zone, 'local time, zone ' || r.time_zone_known AS zone_known
FROM raw_file f
JOIN run r USING (run_id);
