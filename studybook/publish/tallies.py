"""The verdicts of all studies of a book, for its front page: what could have gone wrong first."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from itertools import chain

from studybook.claims.tally import ORIGINS, Row, origin_place, tally
from studybook.claims.verdict import Verdict
from studybook.engine.outputs import Record
from studybook.frames import document
from studybook.table import Table, badge, origin_badge
from studybook.text import counted

#: The name of the notebook that judges all claims of its study.
PAGE = "claims"

#: What can fail most, for a reader who has no table beside it.
_COULD_FAIL = {"predicted": "predictions of the model", "rates and times": "measured rates"}

_NONE = "No study of this book has claims of a document."


def where_from(records: Sequence[Record], captions: Mapping[str, str]) -> str:
    """Say loudly of which studies the data are simulated, and of which measured.

    Parameters
    ----------
    records : sequence of Record
        The figures: of studies with one named ``<study>/claims``, all of them are asked.
    captions : mapping
        Study to its name for readers; its own, where it has none.

    Returns
    -------
    str
        A box in Markdown; empty where no claims are judged.
    """
    judged = [each.id.rpartition("/")[0] for each in records if each.id.endswith(f"/{PAGE}")]
    origins = dict[str, list[str]]()
    for study in judged:
        of_study = (each.origins for each in records if each.id.startswith(f"{study}/"))
        for origin in {*chain(*of_study)} - {*document.ORIGINS}:
            origins.setdefault(origin, []).append(captions.get(study, study))
    if not origins:
        return ""
    said = [
        f"- {badge(origin)} {ORIGINS.get(origin, origin).partition(': ')[2] or origin}:"
        f" **{', '.join(names)}**"
        for origin, names in sorted(origins.items(), key=lambda each: origin_place(each[0]))
    ]
    return "\n".join(
        [":::{admonition} Where the numbers come from", ":class: important", *said, ":::"]
    )


def tallies(ids: Sequence[str], records: Sequence[Record], captions: Mapping[str, str]) -> str:
    """Write the verdicts of each study, by origin of the data and role of the claim.

    Parameters
    ----------
    ids : sequence of str
        The figures that belong into the book; those named ``<study>/claims`` judge claims.
    records : sequence of Record
        What came of them; a figure that never ran has none.
    captions : mapping
        Study to its name for readers; its own, where it has none.

    Returns
    -------
    str
        A table as HTML, or a sentence.
    """
    pages = [each for each in ids if each.split("/")[-1] == PAGE]
    if not pages:
        return _NONE
    of_id = {record.id: record for record in records}
    links = dict[str, str]()
    rows = []
    for page in pages:
        study, record = page.split("/")[0], of_id.get(page)
        name = captions.get(study, study)
        found = tally(record.judgements.values()) if record else []
        if record:  # else it is not in the book
            links[name] = f'<a href="../notebooks/{page}.html">{html.escape(name)}</a>'
        rows += [[name, *_cells(row)] for row in found]
        if not found:
            rows.append([name, "–", _without(record), "–", *("–" for _ in Verdict)])
    columns = ["Study", "Data", "Claims", "Number", *map(str, Verdict)]
    marked = {"Study": lambda name: links.get(name) or html.escape(name), "Data": origin_badge}
    return Table(columns, rows, _caption(records), marked)._repr_html_()


def in_short(record: Record | None) -> str:
    """Say in a sentence how many claims of a study could have gone wrong, and did.

    Parameters
    ----------
    record : Record or None
        What came of its page of claims.
    """
    rows = tally(record.judgements.values()) if record else []
    told = [row for row in rows if row.origin]
    every = sum(row.claims for row in rows)
    if not told:
        of = counted(every, "claim") if every else "claims"
        return f"Of the document's {of} none can be judged: there are no data for any."
    first = told[0]
    held, failed, left = (
        first.counts.get(each, 0) for each in (Verdict.HOLDS, Verdict.FAILS, Verdict.OPEN)
    )
    kind = _COULD_FAIL.get(first.role, first.name)
    return (
        f"Of {counted(every, 'claim')}, {first.claims} ({kind}) could have gone wrong:"
        f" {held} hold{'s' * (held == 1)}, {failed} do{'es' * (failed == 1)} not,"
        f" {left} {'is' if left == 1 else 'are'} open."
    )


def _cells(row: Row) -> list[str]:
    return [row.origin or "–", row.name, str(row.claims), *(row.shown(each) for each in Verdict)]


def _without(record: Record | None) -> str:
    if record is None:
        return "not judged\nits page of claims was not run"
    if record.state == "ok":
        return "not judged\nits page of claims gives no verdicts"
    return f"not judged\nits page of claims: {record.state}"


def _caption(records: Sequence[Record]) -> str:
    judged = sum(len(record.judgements) for record in records if record.id.split("/")[-1] == PAGE)
    return f"Verdicts on {counted(judged, 'claim')}" if judged else ""
