"""Checks of what runs say that was varied."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from studybook.doctor.data.check import Asked, DataCheck, Seen, Weight
from studybook.intake.before import lacking, own_factors

#: So many other runs, at least, have what one lacks: two may be parts of a study that differ.
_FEWEST = 2

#: The factors of each run that is measured and counts.
_RUNS = """
    SELECT r.study, r.run_id, coalesce(list(f.name) FILTER (f.name IS NOT NULL), [])
    FROM run r
    LEFT JOIN factor f USING (run_id)
    WHERE r.kind = 'measurement' AND r.excluded IS NULL
    GROUP BY r.study, r.run_id
    ORDER BY ALL
"""


def _without(asked: Asked) -> Iterator[Seen]:
    studies: defaultdict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for study, run, names in asked.execute(_RUNS).fetchall():
        studies[study][run] = own_factors({*names})
    found: dict[str, tuple[list[str], str]] = {}
    for runs in studies.values():
        having = Counter(name for own in runs.values() for name in own)
        with_any = sum(map(bool, runs.values()))
        for run, own in runs.items():
            others = with_any - bool(own)
            if others >= _FEWEST and 2 * with_any >= len(runs):
                found[run] = lacking(own, having, others), f"of {others} other runs with factors"
    # What the rows of a run tell, such as an operation, is seen like a factor of the run.
    rows = asked.execute(
        "SELECT DISTINCT run_id, unnest(map_keys(factors)) FROM metric"
        " WHERE run_id IN (SELECT unnest(?::VARCHAR[]))",
        [[run for run, (names, _) in found.items() if names]],
    )
    told = {*rows.fetchall()}
    for run, (names, of) in found.items():
        if lacks := [name for name in names if (run, name) not in told]:
            yield Seen(
                run, Weight.DOUBTFUL, "factors in run.yml",
                f"without {', '.join(lacks)}, which all or most {of} have",
            )  # fmt: skip


CHECKS = (
    DataCheck(
        id="factors-lacking",
        title="A run lacks factors that the other runs of its study have",
        because=(
            "Goals, comparisons and figures that name such a factor do not see the run, as though"
            " it were not there. It fires for a run without a factor that all others have that"
            f" have any, at least {_FEWEST} of them; and, where at least half of all runs have"
            " factors, for one without any, by those that most of the others have. Factors that"
            " files tell, such as users, and runs that do not count are left out."
        ),
        do="write them under factors in its run.yml; if it has none such, accept that there",
        ask=_without,
    ),
)
