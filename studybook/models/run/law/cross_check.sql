-- The verdicts: one row per run and law, or per host where a law is of hosts. host is NULL for the
-- run; allowed_from and allowed_to are the bounds of ratio, NULL where there is none.
WITH bounded AS (
    SELECT
        s.run_id, s.host, s.law, l.place, l.unit, s.left_value, s.right_value, l.right_name,
        l.left_name || coalesce(' (' || s.what || ')', '') AS left_name,
        -- No bound can be below 0; of a row that has one of its own, 0 stands for none.
        nullif(coalesce(s.lowest, l.lowest), 0) * s.right_value - l.slack AS least,
        coalesce(s.highest, l.highest) * s.right_value + l.slack AS most,
        s.left_value IS NOT NULL AND s.right_value IS NOT NULL
            AND (s.left_value <> 0 OR s.right_value <> 0) AS judged,
        CASE
            WHEN s.missing IS NOT NULL THEN 'needs ' || s.missing
            WHEN s.left_value IS NULL THEN 'needs ' || l.left_needs
            WHEN s.right_value IS NULL THEN 'needs ' || l.right_needs
            ELSE 'both are 0'
        END AS open, s.missing
    FROM law_side s
    JOIN law l USING (law)
),
-- A law by which nothing of a run can be judged has one row; none if the run has neither side.
kept AS (
    SELECT * FROM bounded QUALIFY bool_or(judged) OVER (PARTITION BY run_id, law)
    UNION ALL BY NAME
    SELECT
        run_id, NULL::VARCHAR AS host, law, any_value(place) AS place, any_value(unit) AS unit,
        if(count(*) = 1, any_value(left_value), NULL) AS left_value,
        if(count(*) = 1, any_value(right_value), NULL) AS right_value,
        any_value(left_name) AS left_name, any_value(right_name) AS right_name, false AS judged,
        min(open) AS open
    FROM bounded
    GROUP BY run_id, law
    HAVING NOT bool_or(judged)
        AND count(left_value) + count(right_value) + count(missing) > 0
),
verdict AS (
    SELECT
        *, left_value / nullif(right_value, 0) AS ratio,
        least / nullif(right_value, 0) AS allowed_from, most / nullif(right_value, 0) AS allowed_to,
        CASE
            WHEN NOT judged THEN 'cannot be judged'
            WHEN left_value < least OR left_value > most THEN 'violated'
            ELSE 'holds'
        END AS verdict
    FROM kept
)
SELECT
    r.study, v.run_id, r.origin, v.host, v.law, v.place, v.left_name, v.left_value, v.right_name,
    v.right_value, v.unit, v.ratio, v.allowed_from, v.allowed_to, v.verdict,
    CASE
        WHEN NOT v.judged THEN v.open
        WHEN v.left_value < v.least THEN 'less than ' || four_digits(v.least)
        WHEN v.left_value > v.most THEN 'more than ' || four_digits(v.most)
        WHEN v.most IS NULL THEN 'at least ' || four_digits(v.least)
        WHEN v.least IS NULL THEN 'at most ' || four_digits(v.most)
        ELSE 'between ' || four_digits(v.least) || ' and ' || four_digits(v.most)
    END AS why
FROM verdict v
JOIN run r USING (run_id)
