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

-- How long the intervals are, in seconds, in which samples of a load driver are counted: 10, and a
-- second where the load lasted for less than 20; all of it, from the run's start, below two.
CREATE OR REPLACE MACRO interval_length(start_utc, first_utc, last_utc) AS
    CASE
        WHEN last_utc - first_utc >= INTERVAL 20 SECOND THEN 10.0
        WHEN last_utc - start_utc BETWEEN INTERVAL 0 SECOND AND INTERVAL 2 SECOND
            THEN (epoch_ms(last_utc) - epoch_ms(start_utc) + 1) / 1000
        ELSE 1.0
    END::DOUBLE;

-- The interval in which a sample of a load driver was, counted from the run's start.
CREATE OR REPLACE MACRO interval_no_of(at_utc, start_utc, interval_s) AS
    floor((epoch_ms(at_utc) - epoch_ms(start_utc)) / (1000 * interval_s))::BIGINT;
