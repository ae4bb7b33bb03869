"""Runs of one setup, as checks of data ask for them."""

#: Common table expressions: ``of_setup`` has a row for each measurement, with its setup as text. A
#: factor that says of each run which it is, such as a commit, makes no setup.
SETUPS = """
    named AS (
        SELECT r.study, name
        FROM factor JOIN run r USING (run_id)
        GROUP BY r.study, name
        HAVING name = 'repetition' OR (count(*) > 3 AND count(DISTINCT value) = count(*)
            AND bool_or(try_cast(value AS DOUBLE) IS NULL))
    ),
    of_setup AS (
        SELECT
            r.study, r.run_id, coalesce(
                string_agg(f.name || '=' || f.value, ', ' ORDER BY f.name)
                    FILTER (n.name IS NULL AND f.name IS NOT NULL), '') AS setup
        FROM run r
        LEFT JOIN factor f USING (run_id)
        LEFT JOIN named n ON n.study = r.study AND n.name = f.name
        WHERE r.kind = 'measurement'
        GROUP BY r.study, r.run_id
    )
"""
