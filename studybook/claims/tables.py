"""Tables of claims: published and measured values side by side, with the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from studybook.claims import verdict_text
from studybook.claims.verdict import Judgement, Verdict
from studybook.table import Table, badge


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
    """How many claims have which verdict.

    Parameters
    ----------
    judgements : sequence of Judgement
        The evaluated claims.
    caption : str, optional
        What the table shows.
    """
    found = Counter(each.verdict for each in judgements)
    rows = [[str(verdict), str(found[verdict])] for verdict in Verdict]
    return Table(["Verdict", "Claims"], rows, caption, {"Verdict": badge})


def _data(judgement: Judgement) -> str:
    text, n = verdict_text.estimate(judgement), judgement.repetitions
    if bounds := verdict_text.interval(judgement):
        text = f"{text}\n{bounds}"
    return f"{text}, n = {n}" if judgement.measured and n > 1 else text
