"""Checks of runs that should have said the same as others of their setup."""

from __future__ import annotations

from studybook.doctor.data.check import DataCheck
from studybook.doctor.data.setups import SETUPS

#: So far apart, at most, are the others, as a share of the least of them; and so far from all of
#: these is the one, as a share of the nearest.
_TOGETHER, _APART = 0.1, 0.25

#: What a load got, and how long it took: what hosts did besides is told by these.
_METRICS = (
    "requests_per_s", "pages_per_s", "operations_per_s", "transactions_per_s", "io_per_s",
    "bandwidth_gb_s", "response_mean_ms", "response_ms", "operation_ms", "io_completion_mean_ms",
)  # fmt: skip

_ALONE = f"""
    WITH {SETUPS},
    value AS (
        SELECT
            s.study, s.setup, m.run_id, m.metric, m.mean, m.test, list_sort(list_filter(
                map_entries(m.factors), lambda f: NOT list_contains(n.names, f.key))) AS of
        FROM metric m JOIN of_setup s USING (run_id) JOIN run r USING (run_id)
        CROSS JOIN (SELECT coalesce(list(DISTINCT name), []) AS names FROM factor) n
        WHERE m.mean > 0 AND r.excluded IS NULL AND m.metric IN {_METRICS!r}
    ),
    -- Of values in their order only the first and the last can lie alone.
    ranked AS (
        SELECT
            *, count(*) OVER alike - 1 AS others,
            if(row_number() OVER up = 1, lead(mean) OVER up, min(mean) OVER alike) AS least,
            if(row_number() OVER down = 1, lag(mean) OVER up, max(mean) OVER alike) AS most
        FROM value
        WINDOW alike AS (PARTITION BY study, setup, metric, test, of),
            up AS (PARTITION BY study, setup, metric, test, of ORDER BY mean, run_id),
            down AS (PARTITION BY study, setup, metric, test, of ORDER BY mean DESC, run_id DESC)
    )
    SELECT
        run_id, 2, concat_ws(', ', metric, nullif(array_to_string(
            list_transform(of, lambda e: e.value), ', '), '')) AS what,
        format('{{:,.4g}}, where the {{:,}} other runs of its setup have {{:,.4g}} to {{:,.4g}}',
            mean, others, least, most)
    FROM ranked
    WHERE others > 1 AND most <= {1 + _TOGETHER} * least
        AND (mean < {1 - _APART} * least OR mean > most / {1 - _APART})
    QUALIFY row_number() OVER (PARTITION BY run_id ORDER BY abs(ln(mean / least)) DESC, what) = 1
"""

#: Runs that count as a whole where of most others of their setup somebody has said which part does.
_WHOLE = f"""
    WITH {SETUPS},
    phase AS (
        SELECT
            s.study, s.setup, s.run_id,
            p.method = 'whole run' AND r.stable_from_s IS NULL AS is_whole,
            count(*) FILTER (p.method IN ('run.yml', 'study.yml')) OVER own AS said,
            count(*) OVER own AS runs
        FROM of_setup s
        JOIN stable_phase p USING (run_id)
        JOIN run r ON r.run_id = s.run_id AND r.excluded IS NULL
        WINDOW own AS (PARTITION BY s.study, s.setup)
    )
    SELECT
        run_id, 2, 'stable phase',
        format(
            'all of the run counts, and a part of {{:,}} of the {{:,}} other runs of its setup',
            said, runs - 1)
    FROM phase
    WHERE is_whole AND 2 * said >= runs
"""

CHECKS = (
    DataCheck(
        id="phase-unlike",
        title="A run counts as a whole, and others of its setup in part",
        because=(
            "Its warm-up is in its means and not in theirs: the run looks another, or the setup"
            " scatters. It fires where nobody says which part of a run counts, and nothing in the"
            " data does, and run.yml or study.yml says it of half of the runs of its setup or of"
            " more."
        ),
        do="say stable_phase once in study.yml, for all runs, or in the run.yml of this one",
        ask=_WHOLE,
    ),
    DataCheck(
        id="repetition-apart",
        title="A run is unlike the others of its setup",
        because=(
            "Its setup says less than it could: the interval of a mean over three runs of which one"
            " is a third slower holds almost anything. It fires where at least two others lie"
            f" within {100 * _TOGETHER:.0f} % of each other, and the run is {100 * _APART:.0f} % or"
            " more from all of these, in throughput or a mean time."
        ),
        do="find out what was otherwise: say excluded: WHY in its run.yml if it does not count, or"
        " repeat it",
        ask=_ALONE,
    ),
)
