-- The stable phase of each run: the part that counts.
--
-- All users are logged in (no interval begins or ends with 1 % fewer than the most), and both
-- throughput and response time are steady: the warm-up still within that time is cut off by MSER-5
-- (K. P. White, "An effective truncation heuristic for bias reduction in simulation output",
-- Simulation 69 (1997), 323-334; batches of five: White, Cobb, Spratt, 2000). Of n batch means it
-- drops the first d for which the squared standard error of the mean of the rest,
-- sum((x - mean)^2) / (n - d)^2, is least, d up to a half of them. The later of the two cuts
-- counts. A minimum at the half itself, with a mean that differs by more than 5 % from that of the
-- half before it, says that the series was still moving: steady is then false. It is NULL for fewer
-- than ten batches, which are too few to say.
--
-- run.yml may say otherwise, and so may a notebook (the variables stable_from_s, stable_to_s), if
-- the start of the run is known. A run without the export of a load driver counts as a whole.
-- Seconds are since the start of the run, or of the driver where the run has no start.

-- What holds for all hosts and all names together, or where an export has no such rows, all rows.
CREATE OR REPLACE MACRO of_all(is_all, is_any) AS is_all OR NOT is_any;

-- Intervals of the load driver over all pages (samples, transactions: what it has first).
CREATE OR REPLACE VIEW driver_interval AS
WITH throughput_of AS (
    SELECT *, list_position(['page', 'sample', 'transaction'], kind) AS place
    FROM throughput
    WHERE completed_per_s IS NOT NULL AND interval_s > 0
    WINDOW own AS (PARTITION BY run_id, kind)
    QUALIFY of_all(name IS NULL, bool_or(name IS NULL) OVER own)
        AND of_all(host = 'all hosts', bool_or(host = 'all hosts') OVER own)
),
chosen AS (
    SELECT * FROM throughput_of
    QUALIFY place = min(place) OVER (PARTITION BY run_id)
),
-- The elapsed time of a transaction goes before its net server time.
response AS (
    SELECT run_id, kind, time_utc, sum(mean_ms * hits) / sum(hits) AS response_ms
    FROM (
        FROM response_time
        WHERE hits > 0
        WINDOW own AS (PARTITION BY run_id, kind)
        QUALIFY measure = min(measure) OVER own
            AND of_all(name IS NULL, bool_or(name IS NULL) OVER own)
            AND of_all(host = 'all hosts', bool_or(host = 'all hosts') OVER own)
    )
    GROUP BY run_id, kind, time_utc
),
users AS (
    SELECT run_id, time_utc, sum(active) AS users
    FROM (
        FROM virtual_users
        QUALIFY of_all(
            host = 'all hosts', bool_or(host = 'all hosts') OVER (PARTITION BY run_id))
    )
    GROUP BY run_id, time_utc
),
rate AS (
    SELECT
        run_id, kind, time_utc, any_value(since_start_s) AS since_start_s,
        any_value(interval_s) AS interval_s, sum(completed_per_s) AS completed_per_s
    FROM chosen
    GROUP BY run_id, kind, time_utc
)
SELECT
    rate.*, response.response_ms, users.users,
    -- users is the number at the end of the interval; it begins with that of the one before.
    coalesce(
        least(users.users, lag(users.users) OVER (PARTITION BY rate.run_id ORDER BY time_utc))
            >= 0.99 * max(users.users) OVER (PARTITION BY rate.run_id), true) AS logged_in
FROM rate
LEFT JOIN response USING (run_id, kind, time_utc)
LEFT JOIN users USING (run_id, time_utc);

-- The batch means of the two series while all users are logged in, and for each the statistic of
-- MSER if the batches before it are dropped.
CREATE OR REPLACE VIEW mser_batch AS
WITH logged_in AS (
    FROM driver_interval
    QUALIFY time_utc BETWEEN min(time_utc) FILTER (logged_in) OVER (PARTITION BY run_id)
        AND max(time_utc) FILTER (logged_in) OVER (PARTITION BY run_id)
),
plateau AS (
    SELECT *, row_number() OVER (PARTITION BY run_id ORDER BY time_utc) - 1 AS number
    FROM logged_in
),
series AS (
    SELECT run_id, 'throughput' AS series, number, time_utc, interval_s, completed_per_s AS value
    FROM plateau
    UNION ALL
    SELECT run_id, 'response time', number, time_utc, interval_s, response_ms
    FROM plateau
    WHERE response_ms IS NOT NULL
),
batch AS (
    SELECT
        run_id, series, number // 5 AS batch, avg(value) AS mean, max(time_utc) AS to_utc,
        min(time_utc - to_microseconds((interval_s * 1000000)::BIGINT)) AS from_utc
    FROM series
    GROUP BY run_id, series, batch
    HAVING count(*) = 5
),
-- Less their mean, so that the sums of squares lose no digits.
centred AS (
    SELECT *, mean - level AS centred
    FROM (SELECT *, avg(mean) OVER (PARTITION BY run_id, series) AS level FROM batch)
),
summed AS (
    SELECT
        *, row_number() OVER (PARTITION BY run_id, series ORDER BY batch) - 1 AS dropped,
        count(*) OVER (PARTITION BY run_id, series) AS batches, count(*) OVER rest AS kept,
        sum(centred * centred) OVER rest - (sum(centred) OVER rest) ** 2 / kept AS squares
    FROM centred
    WINDOW rest AS (
        PARTITION BY run_id, series ORDER BY batch
        ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
    )
)
SELECT
    run_id, series, batch, from_utc, to_utc, mean, dropped, batches,
    -- Batches that differ in the tenth digit and beyond are equal: that is rounding.
    if(squares <= kept * (1e-9 * level) ** 2, 0, squares) / kept ** 2 AS mser
FROM summed;

CREATE OR REPLACE VIEW stable_phase AS
WITH cut AS (
    -- One batch that is left has no spread: of two, none is dropped.
    SELECT
        run_id, series,
        arg_min(from_utc, (mser, dropped))
            FILTER (dropped <= batches // 2 AND (dropped = 0 OR dropped < batches - 1)) AS from_utc,
        arg_min(dropped, (mser, dropped))
            FILTER (dropped <= batches // 2 AND (dropped = 0 OR dropped < batches - 1)) AS first,
        avg(mean) FILTER (dropped < batches // 2) AS before,
        avg(mean) FILTER (dropped >= batches // 2) AS after,
        if(count(*) < 10, NULL, first < count(*) // 2 OR abs(before / after - 1) <= 0.05) AS steady
    FROM mser_batch
    GROUP BY run_id, series
),
found AS (
    SELECT
        run_id, max(from_utc) AS from_utc, bool_and(steady) AS steady,
        -- Neither, if no batch of either is dropped.
        if(max(first) = 0, NULL, arg_max(series, (from_utc, series))) AS decided_by
    FROM cut
    GROUP BY run_id
),
driver AS (
    SELECT
        run_id, min(time_utc - to_microseconds((since_start_s * 1000000)::BIGINT)) AS start_utc,
        max(time_utc) FILTER (logged_in) AS last_utc,
        min(time_utc - to_microseconds((interval_s * 1000000)::BIGINT)) FILTER (logged_in)
            AS first_utc,
        max(users) AS users
    FROM driver_interval
    GROUP BY run_id
),
given AS (
    SELECT
        r.run_id, r.study, r.run, coalesce(r.start_utc, d.start_utc) AS start_utc,
        d.first_utc AS all_users_utc, d.users, f.run_id IS NOT NULL AS found, f.decided_by, f.steady,
        getvariable('stable_from_s')::DOUBLE AS asked_from_s,
        getvariable('stable_to_s')::DOUBLE AS asked_to_s,
        r.stable_from_s, r.stable_to_s, coalesce(f.from_utc, d.first_utc) AS found_from_utc,
        d.last_utc AS found_to_utc
    FROM run r
    LEFT JOIN driver d USING (run_id)
    LEFT JOIN found f USING (run_id)
    WHERE r.kind = 'measurement'
)
SELECT
    run_id, study, run, start_utc, all_users_utc, users,
    CASE
        WHEN start_utc IS NOT NULL AND asked_from_s IS NOT NULL THEN 'parameter of the notebook'
        WHEN start_utc IS NOT NULL AND stable_from_s IS NOT NULL THEN 'run.yml'
        WHEN found THEN 'MSER-5'
        -- Fewer than five intervals make no batch.
        WHEN found_from_utc IS NOT NULL THEN 'all users logged in'
        ELSE 'whole run'
    END AS method,
    if(method = 'MSER-5', decided_by, NULL) AS decided_by,
    if(method = 'MSER-5', steady, NULL) AS steady,
    coalesce(
        start_utc + to_microseconds((coalesce(asked_from_s, stable_from_s) * 1000000)::BIGINT),
        found_from_utc, TIMESTAMP '-infinity'
    ) AS from_utc,
    coalesce(
        start_utc + to_microseconds((coalesce(asked_to_s, stable_to_s) * 1000000)::BIGINT),
        found_to_utc, TIMESTAMP 'infinity'
    ) AS to_utc,
    if(isfinite(from_utc), epoch_us(from_utc) - epoch_us(start_utc), NULL) / 1000000 AS from_s,
    if(isfinite(to_utc), epoch_us(to_utc) - epoch_us(start_utc), NULL) / 1000000 AS to_s
FROM given;
