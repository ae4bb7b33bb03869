-- Times as UTC instants. Raw exports have UTC (time_utc) or the time of day of the host's clock
-- (time_local); the latter become UTC by the time zone in run.yml. When summer time ends, the
-- clock goes through an hour twice: set_back says that it is the second time, else it is the first.
CREATE OR REPLACE MACRO is_ambiguous(time_local, zone) AS
    timezone(zone::VARCHAR, timezone(zone::VARCHAR, time_local::TIMESTAMP) - INTERVAL 1 HOUR)
        = time_local;

CREATE OR REPLACE MACRO utc_of_pass(time_utc, time_local, set_back, zone, clock_offset_s) AS
    -- Of the two, DuckDB takes the second.
    coalesce(time_utc, timezone('UTC', timezone(zone::VARCHAR, time_local::TIMESTAMP))
        - if(is_ambiguous(time_local, zone) AND NOT coalesce(set_back, false),
             INTERVAL 1 HOUR, INTERVAL 0 HOUR))
    + to_microseconds((coalesce(clock_offset_s, 0) * 1000000)::BIGINT);

CREATE OR REPLACE MACRO utc_of(time_utc, time_local, zone, clock_offset_s) AS
    utc_of_pass(time_utc, time_local, false, zone, clock_offset_s);
