"""What the checks of the data call wrong or doubtful, for the front page of a book."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from studybook.doctor.data.check import Weight
from studybook.doctor.data.examine import DATA_CHECKS
from studybook.doctor.data.report import Doubt, doubts
from studybook.records import store
from studybook.table import Table
from studybook.text import counted

#: Kinds of things that are told, things of a kind, and runs that each of them names.
_MOST, _FEW, _RUNS = 10, 3, 4


def what_is_doubtful(database: Path, pages: Mapping[str, str]) -> str:
    """Tell what is wrong or doubtful with the data of a book, before somebody asks.

    Parameters
    ----------
    database : pathlib.Path
        The DuckDB file of a data set, as it was loaded.
    pages : mapping
        The address of the page of each run that has one, by study/run.

    Returns
    -------
    str
        A paragraph as HTML, and a table where there is something to tell.
    """
    with store.connect(database) as connection:
        rows = connection.execute("SELECT study, count(*) FROM run GROUP BY study").fetchall()
    studies = dict[str, int](rows)
    found = [
        (kind, list(of_kind))
        for kind, of_kind in groupby(
            doubts(database, studies), lambda each: (each.weight, each.title)
        )
    ]
    runs = dict.fromkeys(name for _, of in found for each in of for name in each.group.runs)
    checks, of_runs = counted(len(DATA_CHECKS), "check"), counted(sum(studies.values()), "run")
    said = f"{checks} of the data of {of_runs}"
    if not found:
        return f"<p>{said} found nothing wrong and nothing doubtful.</p>"
    table = Table(
        ["Found", "In", "What to do"],
        [_row(*kind, of_kind) for kind, of_kind in found[:_MOST]],
        marked={
            "Found": _weighed,
            "In": lambda names: _linked(names, pages, several=len(studies) > 1),
        },
    )
    left = f", {counted(len(found) - _MOST, 'kind')} of which left out here" * (len(found) > _MOST)
    return (
        f"<p>{said} found something wrong or doubtful in {len(runs)}{left};"
        f" <code>studybook doctor</code> tells all.</p>\n{table._repr_html_()}"
    )


def _row(weight: Weight, title: str, of_kind: Sequence[Doubt]) -> list[str]:
    """A row of the table; what stands behind a line end is set small there."""
    told, do = ([*dict.fromkeys(each)] for each in zip(*map(_words, of_kind), strict=True))
    runs = [*dict.fromkeys(name for each in of_kind for name in each.group.runs)]
    return [
        f"{weight.words}: {title}\n{'; '.join(told[:_FEW])}{_more(told, _FEW)}",
        f"{', '.join(runs[:_RUNS])}\n{_more(runs, _RUNS)}",
        f"{do[0]}\n{_more(do, 1)}",
    ]


def _words(doubt: Doubt) -> tuple[str, str]:
    return f"{doubt.group.subject}: {doubt.group.found}", doubt.group.do


def _more(names: Sequence[str], most: int) -> str:
    return f" and {len(names) - most:,} more" if len(names) > most else ""


def _weighed(text: str) -> str:
    """What is so, behind a sign of how much it matters."""
    weight, _, title = text.partition(": ")
    kind = ' class="study-doubt fails"' if weight == Weight.WRONG.words else ""
    return f"<strong{kind}>{html.escape(weight)}:</strong> {html.escape(title)}"


def _linked(names: str, pages: Mapping[str, str], *, several: bool) -> str:
    """Runs, each with the way to its page; with their studies where there are several."""
    said = []
    for name in names.split(", "):
        words = html.escape(name if several else name.partition("/")[2] or name)
        page = pages.get(name)
        said.append(f'<a href="{html.escape(page)}">{words}</a>' if page else words)
    return ", ".join(said)
