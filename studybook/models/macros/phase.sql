-- What the exports say of the stable phase of each run: one row per run, and host where there are
-- several. Means are weighted by the length of the intervals; an interval counts if it lies within
-- the phase as a whole, give or take the second to which most exports print their clock, but no more
-- than half of itself.
--
-- Tools that cut their clock to whole seconds print it up to a second early; on average half of one.
-- Of intervals of a second the label alone would count the idle one after the load, and not the first
-- one of it. (A microsecond less than half: of a phase in whole seconds each label counts once.) For
-- ten seconds or longer, half a second is no matter.
CREATE OR REPLACE MACRO early_us(tool, time_utc, interval_s) AS
    if(tool IN ('sar', 'iostat', 'mpstat', 'vmstat', 'pidstat', 'nmon', 'pcp')
        AND interval_s < 10 AND epoch_us(time_utc) % 1000000 = 0, 499999, 0);

CREATE OR REPLACE MACRO within_phase(time_utc, interval_s, from_utc, to_utc, tool := NULL) AS
    time_utc <= to_utc + to_microseconds(
        (500000 * least(2, coalesce(interval_s, 2))
            - early_us(tool, time_utc, interval_s))::BIGINT)
    AND time_utc - to_microseconds((coalesce(interval_s, 0) * 1000000)::BIGINT)
        >= from_utc - to_microseconds(
            (500000 * least(2, coalesce(interval_s, 2))
                + early_us(tool, time_utc, interval_s))::BIGINT);

-- Rows of tables do not say how long they are. Where one ends and the next begins at an edge of the
-- phase, one of both counts: else a phase of 14 s has 15 rows of a second, and their sum is too large.
-- Those of counters do.
CREATE OR REPLACE MACRO row_within_phase(at_utc, begins, interval_s, from_utc, to_utc) AS
    CASE
        WHEN interval_s IS NOT NULL THEN within_phase(at_utc, interval_s, from_utc, to_utc)
        WHEN begins THEN at_utc >= from_utc AND at_utc < to_utc
        ELSE at_utc > from_utc AND at_utc <= to_utc
    END;

-- The mean over intervals of different length; NULLs count neither as value nor as time.
CREATE OR REPLACE MACRO mean_over_time(value, interval_s) AS
    sum(value * interval_s) / sum(interval_s) FILTER (value IS NOT NULL);

-- The order in which ifl_route_comparison takes its reference among the routes.
CREATE OR REPLACE MACRO ifl_route_place(route) AS list_position([
    'SYSSUMLG: busy × online', 'PROCLOG/PRCLOG: sum of processors', 'CPU: sum of processors',
    'LPARLOG: busy × processors', 'LPAR: sum of processors', 'PHYSLOG',
    'USERLOG: sum of guests', 'USER: sum of guests'], route);

-- Traffic of each network interface, without loopback and without interfaces that pass on what
-- another one carries (VLANs, aliases, bridges, bonds).
CREATE OR REPLACE MACRO carries_traffic_itself(interface) AS
    NOT regexp_matches(interface, '^(lo$|bond|br|virbr)|[.:]');
