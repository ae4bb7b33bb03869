"""What to set: the advice of all documents, with what it brings and the check that tests it."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from studybook.claims.published_values import read_published
from studybook.claims.verdict import Verdict
from studybook.doctor.advice import CHECKS, effects, own_checks
from studybook.doctor.check import Check
from studybook.engine.outputs import Record
from studybook.errors import StudyBookError, did_you_mean
from studybook.publish.tallies import PAGE
from studybook.table import badge
from studybook.text import counted

#: The notebook that holds the captures of its study against the advice.
SETTINGS = "settings"


def what_to_set(root: Path, records: Sequence[Record], captions: Mapping[str, str]) -> str:
    """Write the advice of all documents, one piece after the other.

    Parameters
    ----------
    root : pathlib.Path
        The folder of the book.
    records : sequence of Record
        The figures: pages of claims have the verdicts, pages of settings the findings.
    captions : mapping
        Study to its name for readers; its own, where it has none.

    Returns
    -------
    str
        A table as HTML.

    Raises
    ------
    StudyBookError
        If a study says of a claim that it does not have that it tells of an effect.
    """
    of_id = {record.id: record for record in records}
    studies = list(dict.fromkeys(record.id.split("/")[0] for record in records))
    told = {study: effects(root, study) for study in studies}
    own = {check.id: check for study in studies for check in own_checks(root, study)}
    checks = [*(own.pop(check.id, check) for check in CHECKS), *own.values()]
    # What was measured, or simulated, stands before what nobody put to the test.
    rows = sorted(
        (_row(check, told, of_id, captions, root) for check in checks),
        key=lambda row: not row[1],
    )
    head = "".join(
        f'<th scope="col">{name}</th>' for name in ("Set", "What it brings", "Tested by")
    )
    body = "".join(
        f'<tr id="advice-{check.id}"><td data-label="Set">{advice}</td>'
        f'<td data-label="What it brings">{brings or "no run tells"}</td>'
        f'<td data-label="Tested by">{tested}</td></tr>'
        for (advice, brings, tested, check) in rows
    )
    known = sum(bool(brings) for _, brings, *_ in rows)
    return (
        f"<p>Of {counted(len(rows), 'piece')} of advice, these data tell the effect of {known}."
        " What others bring, no run tells; captures of settings tell whether it is followed.</p>\n"
        '<div class="study-table study-advice"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row(
    check: Check,
    told: Mapping[str, Mapping[str, Sequence[str]]],
    records: Mapping[str, Record],
    captions: Mapping[str, str],
    root: Path,
) -> tuple[str, str, str, Check]:
    brings = list(
        chain.from_iterable(
            _effects(root, study, of_study.get(check.id, ()), records, captions)
            for study, of_study in told.items()
        )
    )
    names = {study: html.escape(captions.get(study, study)) for study in told}
    pages = ", ".join(
        f'<a href="../notebooks/{study}/{SETTINGS}.html">{name}</a>'
        for study, name in names.items()
        if f"{study}/{SETTINGS}" in records
    )
    said = (
        f"<strong>{html.escape(check.title)}</strong><small>{html.escape(check.advice)}<br>"
        f"{html.escape(check.document.short)}: {html.escape(check.place)}</small>"
    )
    found = f"<small>what it found: {pages}</small>" if pages else ""
    return said, "<br>".join(brings), f"<code>studybook doctor</code>: {check.id}{found}", check


def _effects(
    root: Path,
    study: str,
    claims: Sequence[str],
    records: Mapping[str, Record],
    captions: Mapping[str, str],
) -> list[str]:
    """What claims of a study say that advice brings, those that were judged."""
    record = records.get(f"{study}/{PAGE}")
    if not claims or record is None:
        return []
    statements = {each.id: each.statement for each in read_published(root, study).claims}
    said = []
    for name in claims:
        if name not in statements:
            hint = did_you_mean(name, statements) or f"see data/published/{study}.yml"
            raise StudyBookError(
                f"pipelines/{study}/advice.yml: effects: there is no claim {name!r}\n  → {hint}"
            )
        found = record.judgements.get(name)
        if found is None or found["verdict"] == Verdict.UNJUDGED:
            continue
        interval = f" ({html.escape(found['interval'])})" if found["interval"] else ""
        said.append(
            f"{html.escape(statements[name])}"
            f" <strong>{html.escape(found['data'])}</strong>{interval}"
            f" {badge(found['origin'])}<small>{html.escape(captions.get(study, study))}; published:"
            f' {html.escape(found["published"])}; <a href="../notebooks/{study}/{PAGE}.html'
            f'#claim-{name}">{html.escape(found["verdict"])}</a></small>'
        )
    return said
