-- How many numbers of users a study was run with: a number of the study, for each run of it.
SELECT DISTINCT
    run_id, count(DISTINCT f.value) OVER (PARTITION BY r.study) AS load_levels
FROM run r
JOIN factor f USING (run_id)
WHERE r.kind = 'measurement' AND f.name = 'users'
