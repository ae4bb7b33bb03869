-- The stable phase of each run: the part that counts.
--
-- All users are logged in (no interval begins or ends with 1 % fewer than the most, unless hardly any
-- ever has as many), and both throughput and response time are steady: the warm-up still within that
-- time is cut off by MSER-5
-- (K. P. White, "An effective truncation heuristic for bias reduction in simulation output",
-- Simulation 69 (1997), 323-334; batches of five: White, Cobb, Spratt, 2000). Of n batch means it
-- drops the first d for which the squared standard error of the mean of the rest,
-- sum((x - mean)^2) / (n - d)^2, is least, d up to a half of them. The later of the two cuts
-- counts. A minimum at the half itself, with a mean that differs by more than 5 % from that of the
-- half before it, says that the series was still moving: steady is then false. It is NULL for fewer
-- than ten batches, which are too few to say.
--
-- Of a load that stopped and began again, that is asked of the longest execution, and the phase lies in it.
--
-- run.yml may say otherwise, or study.yml for all runs, and so may a notebook (the variables
-- stable_from_s, stable_to_s), if the start of the run is known. A run without the export of a load
-- driver counts as a whole. Seconds are since the start of the run, or of the driver where the run has
-- no start; or since the first row of a table that run.yml or study.yml maps, where there is no driver
-- either and somebody says from when to when. Such a table is of no host, or of one that drives the
-- load; of several of a run that do not begin together, nobody knows which drives it.
WITH cut AS (
    SELECT run_id, series, from_utc, dropped, steady FROM mser_batch WHERE first
),
found AS (
    SELECT
        run_id, max(from_utc) AS from_utc, bool_and(steady) AS steady,
        -- Neither, if no batch of either is dropped.
        if(max(dropped) = 0, NULL, arg_max(series, (from_utc, series))) AS decided_by
    FROM cut
    GROUP BY run_id
),
driver AS (
    SELECT
        run_id, min(time_utc - to_microseconds((since_start_s * 1000000)::BIGINT)) AS start_utc,
        max(time_utc) FILTER (logged_in) AS last_utc,
        min(time_utc - to_microseconds((interval_s * 1000000)::BIGINT)) FILTER (logged_in)
            AS first_utc,
        coalesce(max(users) FILTER (logged_in), max(users)) AS users
    FROM driver_interval
    GROUP BY run_id
),
mapped AS (
    SELECT
        run_id,
        if(max(begin_utc) <= min(begin_utc) + to_microseconds((max(step_s) * 1000000)::BIGINT),
            min(begin_utc), NULL) AS start_utc
    FROM (
        SELECT
            s.run_id,
            min(at_utc - to_microseconds((coalesce(interval_s, 0) * 1000000)::BIGINT)) AS begin_utc,
            coalesce(epoch(max(at_utc) - min(at_utc)) / nullif(count(DISTINCT at_utc) - 1, 0), 0)
                AS step_s
        FROM mapped_sample s
        LEFT JOIN host h USING (run_id, host)
        WHERE s.host IS NULL OR h.kind = 'load-driver'
        GROUP BY s.run_id, s.file_id
    )
    GROUP BY run_id
),
given AS (
    SELECT
        r.run_id, r.study, r.run, r.stable_said_in,
        getvariable('stable_from_s')::DOUBLE AS asked_from_s,
        getvariable('stable_to_s')::DOUBLE AS asked_to_s,
        coalesce(
            r.start_utc, d.start_utc,
            if(coalesce(asked_from_s, r.stable_from_s) IS NULL, NULL, m.start_utc)
        ) AS start_utc,
        d.first_utc AS all_users_utc, d.users, f.run_id IS NOT NULL AS found, f.decided_by, f.steady,
        r.stable_from_s, r.stable_to_s, coalesce(f.from_utc, d.first_utc) AS found_from_utc,
        d.last_utc AS found_to_utc
    FROM run r
    LEFT JOIN driver d USING (run_id)
    LEFT JOIN mapped m USING (run_id)
    LEFT JOIN found f USING (run_id)
    WHERE r.kind = 'measurement'
)
SELECT
    run_id, study, run, start_utc, all_users_utc, users,
    CASE
        WHEN start_utc IS NOT NULL AND asked_from_s IS NOT NULL THEN 'parameter of the notebook'
        WHEN start_utc IS NOT NULL AND stable_from_s IS NOT NULL THEN stable_said_in
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
FROM given
