"""Running checks on a study, whatever opened it: a notebook or the command."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

import pandas as pd

from studybook.doctor.check import Check, Finding, Verdict
from studybook.errors import StudyBookError
from studybook.study.study import Study

_TEXTS = ("study", "run", "origin", "subject", "found", "wanted")
_ASK = """
    SELECT r.run_id, r.study, r.run, r.origin, c.subject, c.found, c.wanted, c.ok
    FROM ({sql}) c
    JOIN run r ON r.run_id = c.run_id
    ORDER BY r.run_id, c.subject
"""
#: Runs with captures of a kind, but without the records that a check needs.
_NOT_CAPTURED = """
    SELECT
        r.run_id, r.study, r.run, r.origin, $capture AS subject,
        'no output of ' || $capture AS found, 'a capture' AS wanted, NULL::BOOLEAN AS ok
    FROM run r
    WHERE r.run_id IN (SELECT run_id FROM raw_file WHERE source = $source)
        AND r.run_id NOT IN (SELECT f.run_id FROM {table} JOIN raw_file f USING (file_id))
    ORDER BY r.run_id
"""


def examine(study: Study, checks: Iterable[Check]) -> tuple[Finding, ...]:
    """Hold the captures of a study against the advice.

    Parameters
    ----------
    study : Study
        The study, opened with the sources of captures: ``linux`` and ``scale``.
    checks : iterable of Check
        What to ask.

    Returns
    -------
    tuple of Finding
        By check, run and subject. A check that finds nothing to judge in any run has none.
    """
    return tuple(
        Finding(
            check,
            verdict=_verdict(row["ok"]),
            **{name: str(row[name]) for name in _TEXTS},
        )
        for check in checks
        for row in _rows(study, check)
    )


def _rows(study: Study, check: Check) -> Iterator[dict[Hashable, Any]]:
    try:
        kind = study.query(f"DESCRIBE SELECT ok FROM ({check.sql})")["column_type"].iloc[0]
        if kind not in ("BOOLEAN", '"NULL"'):
            raise StudyBookError(f"ok is {kind}\n  → let it be true, false or NULL")
        judged = study.query(_ASK.format(sql=check.sql)).to_dict("records")
        missing = _not_captured(study, check) if check.source else []
    except StudyBookError as error:
        place = f"{check.written}: " if check.written else ""
        raise StudyBookError(f"{place}the check {check.id}: {error}") from error
    yield from judged
    known = {row["run_id"] for row in judged}
    yield from (row for row in missing if row["run_id"] not in known)


def _not_captured(study: Study, check: Check) -> list[dict[Hashable, Any]]:
    found = study.query(
        _NOT_CAPTURED.format(table=check.table), source=check.source, capture=check.capture
    )
    return found.to_dict("records")


def _verdict(ok: Any) -> Verdict:
    if pd.isna(ok):
        return Verdict.UNJUDGED
    return Verdict.KEEPS if ok else Verdict.AGAINST
