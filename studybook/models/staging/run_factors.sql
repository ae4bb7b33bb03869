-- One row per run, with its factors as a map: factors['users'].
SELECT
    r.*,
    coalesce(f.factors, MAP {}) AS factors
FROM run r
LEFT JOIN (
    SELECT run_id, map_from_entries(list(ROW (name, value) ORDER BY name)) AS factors
    FROM factor
    GROUP BY run_id
) f USING (run_id)
