"""Tables of claims: published and measured values side by side, with the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from studybook.claims import verdict_text
from studybook.claims.tally import origins, tally
from studybook.claims.verdict import Judgement, Verdict
from studybook.table import Table, badge, origin_badge


def verdicts(judgements: Sequence[Judgement], caption: str = "") -> Table:
    """Claims with the published and the measured value side by side, and the verdict.

    Parameters
    ----------
    judgements : sequence of Judgement
        As :func:`studybook.claims.evaluate_all` gives them.
    caption : str, optional
        What the table shows.
    """
    rows = [
        [
            f"{each.claim.statement}\n{_places(each)}",
            verdict_text.published(each),
            _data(each),
            f"{each.verdict}\n{each.why}",
            each.role,
        ]
        for each in judgements
    ]
    columns = ["Claim", "Published", "From the data", "Verdict", "In the model's fit"]
    if not any(each.role for each in judgements):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    ids = [f"claim-{each.claim.id}" for each in judgements]
    return Table(columns, rows, caption, {"Verdict": badge}, ids)


def _places(judgement: Judgement) -> str:
    return "; ".join(filter(None, (judgement.claim.place, judgement.claim.also_in)))


def counts(judgements: Sequence[Judgement], caption: str = "") -> Table:
    """How many claims have which verdict: by what could have gone wrong.

    Parameters
    ----------
    judgements : sequence of Judgement
        The evaluated claims.
    caption : str, optional
        What the table shows; the origin of the data stands before it.
    """
    found = tally([verdict_text.texts(each) for each in judgements])
    rows = [
        [
            row.name + (f"\n{row.meaning}" if row.meaning else ""),
            str(row.claims),
            *(row.shown(verdict) for verdict in Verdict),
        ]
        for row in found
    ]
    several = len({row.origin for row in found} - {""}) > 1
    columns = ["Claims", "Number", *map(str, Verdict)]
    if several:
        columns = ["Data", *columns]
        rows = [[row.origin or "–", *cells] for row, cells in zip(found, rows, strict=True)]
    said = ". ".join(filter(None, [origins(found), caption]))
    return Table(columns, rows, said, {"Data": origin_badge})


def _data(judgement: Judgement) -> str:
    text, n = verdict_text.estimate(judgement), judgement.repetitions
    if bounds := verdict_text.interval(judgement):
        text = f"{text}\n{bounds}"
    return f"{text}, n = {n}" if judgement.measured and n > 1 else text
