"""Findings that are known, and no reason to fail: ``accepted`` in ``run.yml`` and ``study.yml``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from fnmatch import fnmatchcase

from studybook.doctor.data.check import Asked, DataCheck, Seen, Weight
from studybook.errors import did_you_mean


class Accepted:
    """What is accepted of the runs that someone asks.

    Parameters
    ----------
    asked : Asked
        The database, or a study.
    """

    def __init__(self, asked: Asked) -> None:
        self._of: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        rows = asked.execute("SELECT run_id, check_id, subject, because FROM accepted").fetchall()
        for run_id, check, subject, because in rows:
            self._of[run_id, check].append((subject, because))
        excluded = "SELECT run_id, excluded FROM run WHERE excluded IS NOT NULL"
        self._excluded = dict(asked.execute(excluded).fetchall())

    def weighed(self, check: str, seen: Seen) -> Seen:
        """What a check has found, as accepted where it is, or where the run does not count."""
        if Weight(seen.weight).fails and seen.run_id in self._excluded:
            why = self._excluded[seen.run_id]
            return seen._replace(weight=Weight.ACCEPTED, do=f"the run is excluded: {why}")
        for subject, because in self._of.get((seen.run_id, check), ()):
            if Weight(seen.weight).fails and fnmatchcase(seen.subject, subject):
                return seen._replace(weight=Weight.ACCEPTED, do=f"accepted: {because}")
        return seen


def check_of(known: Collection[str]) -> DataCheck:
    """The check that what is accepted is of one of these checks."""

    def unknown(asked: Asked) -> Iterator[Seen]:
        rows = asked.execute(
            "SELECT DISTINCT min(run_id), check_id FROM accepted JOIN run USING (run_id)"
            " GROUP BY check_id, if(of_study, study, run_id) ORDER BY ALL"
        )
        for run_id, check in rows.fetchall():
            if check not in known:
                yield Seen(
                    run_id, Weight.DOUBTFUL, "accepted", f"there is no check {check!r} of data",
                    did_you_mean(check, known),
                )  # fmt: skip

    return DataCheck(
        "accepted-check",
        "A finding is accepted of a check that there is not",
        "The finding that was meant still counts.",
        'see "studybook doctor --checks"',
        unknown,
    )
