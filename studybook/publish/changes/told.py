"""What changed, told: in a sentence, and as a page of the book."""

from __future__ import annotations

import html
import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from studybook.publish.changes.builds import Build
from studybook.publish.changes.compare import Change
from studybook.text import counted


def summary(found: Sequence[Change], before: Build, now: Build) -> str:
    """How many verdicts and figures say something else, of how many, in a sentence."""
    kinds = Counter(each.kind for each in found)
    both = before.records.keys() & now.records.keys()
    numbers = sum(len(each.moved_alone) for each in found)
    verdicts = sum(len(each.verdicts) for each in found)
    parts = [f"{counted(verdicts, 'verdict')} changed"] if verdicts else []
    parts += [
        f"{counted(kinds['changed'], 'figure')} of {len(both)} say something else"
        if kinds["changed"] != 1
        else f"1 figure of {len(both)} says something else",
        f"{counted(numbers, 'number')} moved",
    ]
    parts += [f"{kinds[kind]} {kind}" for kind in ("new", "gone") if kinds[kind]]
    return ", ".join(parts)


def page(found: Sequence[Change], before: Build, now: Build, path: PurePosixPath) -> str:
    """A page of what changed, in Markdown.

    Parameters
    ----------
    found : sequence of Change
        What :func:`~studybook.publish.changes.compare.changes` gave.
    before, now : Build
        The builds.
    path : pathlib.PurePosixPath
        Where the page lies in its book.
    """
    from studybook.table import Table  # with pandas, which only a page needs

    figures = os.path.relpath("notebooks", path.parent)
    of_id = {each.figure: each for each in found}

    def link(id_: str) -> str:
        title = _safe(of_id[id_].title)
        if of_id[id_].kind != "gone":
            title = f'<a href="{figures}/{_safe(id_)}.html">{title}</a>'
        return f"{title}<small>{_safe(id_)}</small>"

    rows = [
        [
            each.figure,
            each.said[0] or "–",
            each.said[1] or "–",
            "; ".join(filter(None, (*map(str, each.verdicts), each.told(), *each.lines)))
            or each.kind,
            "; ".join(each.why) or "–",
        ]
        for each in found
    ]
    columns = ["Figure", "It said", "It says", "What moved", "Because"]
    marked = dict.fromkeys(columns, _safe) | {"Figure": link}
    table = Table(columns, rows, marked=marked)._repr_html_() if rows else ""
    set_against = f"Set against {_safe(Path(before.name).name)}: {summary(found, before, now)}."
    rest = "All other figures have the same data and say the same." if now.records else ""
    return f"# What changed\n\n<p>{set_against} {rest}</p>\n\n{table}\n"


def _safe(text: str) -> str:
    """A text as HTML in which the book fills in nothing."""
    return re.sub(r"[\[\]]", lambda found: f"&#{ord(found[0])};", html.escape(text))
