"""What the checks of the data call wrong or doubtful, for the front page of a book."""

from __future__ import annotations

import html
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

from studybook.doctor.data.check import Weight
from studybook.doctor.data.examine import DATA_CHECKS
from studybook.doctor.data.report import Doubt, doubts
from studybook.records import store
from studybook.table import Table
from studybook.text import counted, few

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
        rows = connection.execute(
            "SELECT study, count(*), count(excluded) FROM run GROUP BY study"
        ).fetchall()
    studies = {study for study, *_ in rows}
    every = doubts(database, studies)
    found = [
        (kind, list(of_kind))
        for kind, of_kind in groupby(
            (each for each in every if each.weight.fails), lambda each: (each.weight, each.title)
        )
    ]
    known = sum(len(each.group.runs) for each in every if not each.weight.fails)
    excluded = sum(number for *_, number in rows)
    aside = [f"{counted(known, 'finding')} known and accepted"] if known else []
    aside += [f"{counted(excluded, 'run')} that somebody has excluded"] if excluded else []
    besides = f" Left aside: {', '.join(aside)}." if aside else ""
    runs = dict.fromkeys(name for _, of in found for each in of for name in each.group.runs)
    checks, of_runs = (
        counted(len(DATA_CHECKS), "check"),
        counted(sum(number for _, number, _ in rows), "run"),
    )
    said = f"{checks} of the data of {of_runs}"
    if not found:
        return f"<p>{said} found nothing wrong and nothing doubtful.{besides}</p>"
    cells, shown = list[list[str]](), dict[str, str]()
    for (weight, title), of_kind in found[:_MOST]:
        told, do = ([*dict.fromkeys(each)] for each in zip(*map(_words, of_kind), strict=True))
        names = [*dict.fromkeys(name for each in of_kind for name in each.group.runs)]
        what, where = f"{weight.words}: {title}", few(names, _RUNS)
        shown[what] = _weighed(weight, title)
        shown[where] = few([_link(each, pages, len(studies) > 1) for each in names], _RUNS)
        more, other = (
            f" and {len(of) - most:,} more" if of[most:] else ""
            for of, most in ((told, _FEW), (do, 1))
        )
        small = "; ".join(told[:_FEW]) + more
        cells.append([f"{what}\n{small}", where, f"{do[0]}\n{other}"])
    columns = ["Found", "In", "What to do"]
    table = Table(columns, cells, marked=dict.fromkeys(columns[:2], shown.__getitem__))
    left = f", {counted(len(found) - _MOST, 'kind')} of which left out here" * (len(found) > _MOST)
    return (
        f"<p>{said} found something wrong or doubtful in {len(runs)}{left};"
        f" <code>studybook doctor</code> tells all.{besides}</p>\n{table._repr_html_()}"
    )


def _words(doubt: Doubt) -> tuple[str, str]:
    return doubt.group.said, doubt.group.do


def _weighed(weight: Weight, title: str) -> str:
    """What is so, behind how much it matters."""
    kind = ' class="study-doubt fails"' if weight is Weight.WRONG else ""
    return f"<strong{kind}>{weight.words}:</strong> {html.escape(title)}"


def _link(run: str, pages: Mapping[str, str], with_study: bool) -> str:
    """A run, with the way to its page."""
    said = html.escape(run if with_study else run.partition("/")[2])
    return f'<a href="{html.escape(pages[run])}">{said}</a>' if run in pages else said
