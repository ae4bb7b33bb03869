"""Tables of claims: published and measured values side by side, with the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from studybook.claims import verdict_text
from studybook.claims.judge import CannotJudge, evidence
from studybook.claims.published_values import Published, Side
from studybook.claims.tally import origins, tally
from studybook.claims.verdict import Judgement, Verdict
from studybook.study.study import Study
from studybook.table import Table, badge, origin_badge
from studybook.units import metric


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


def disagreements(study: Study, values: Published, caption: str = "") -> Table:
    """Statements in which a document disagrees with itself: both, with their numbers.

    Parameters
    ----------
    study : Study
        The study, for statements that its raw exports make.
    values : Published
        What was published.
    caption : str, optional
        What the table shows.
    """
    rows = [
        [each.about, _side(study, values, each.first), _side(study, values, each.second),
         each.explanation]
        for each in values.disagreements
    ]  # fmt: skip
    return Table(["About", "One place", "Another place", "How they fit"], rows, caption)


def _side(study: Study, values: Published, side: Side) -> str:
    number = ""
    if side.claim is not None:
        claim = values.claim(side.claim)
        number = f"{claim.value} {claim.unit}"
    elif side.metric is not None:
        try:
            mean = evidence(study, side.metric, side.of, values.baseline).sample.mean
            number = metric(side.metric).show(mean)
        except CannotJudge as reason:
            number = str(reason)
    elif side.value is not None:
        number = f"{side.value:g} {side.unit}"
    return f"{number.strip()}\n“{side.text}”, {side.place}"
