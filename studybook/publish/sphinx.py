"""The Sphinx extension of the pages: terms that are explained where they are met, and tables.

The words are those of a book, in its glossary (Sphinx's own): the first time that a page uses one,
it becomes a link to its meaning, which is shown when a reader stays on it. Each cell of a table
knows the head of its column, which it says where a phone shows its row as a card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.writers.html5 import HTML5Translator

from studybook import __version__

STYLE, SCRIPT = "study-pages.css", "study-tables.js"

#: What has a meaning of its own for readers or for machines is left as it is.
_LEFT = (
    nodes.title, nodes.reference, nodes.raw, nodes.literal, nodes.literal_block, nodes.math,
    nodes.caption, nodes.strong, addnodes.glossary, addnodes.toctree, addnodes.pending_xref,
)  # fmt: skip
#: A term or its plural, and no part of a longer word or of a name.
_WORD = r"(?<![\w-])(?:{})(?:s|es)?(?![\w-])"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension.

    Parameters
    ----------
    app : sphinx.application.Sphinx
        The build.

    Returns
    -------
    dict
        What Sphinx wants to know of it.
    """
    app.connect("builder-inited", _write_files)
    app.connect("doctree-read", _note_terms)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("doctree-resolved", _explain)
    app.add_node(nodes.entry, override=True, html=(_begin_cell, HTML5Translator.depart_entry))
    app.setup_extension("studybook.publish.others")
    app.setup_extension("studybook.publish.search")
    app.add_css_file(STYLE)
    app.add_js_file(SCRIPT, loading_method="defer")
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _write_files(app: Sphinx) -> None:
    # before the pages, so that Sphinx can add a checksum to the addresses in them
    if app.builder.format != "html":
        return
    static, here = Path(app.outdir) / "_static", Path(__file__).parent
    static.mkdir(parents=True, exist_ok=True)
    for name, source in ((STYLE, "pages.css"), (SCRIPT, "tables.js")):
        (static / name).write_text((here / source).read_text(encoding="utf-8"), encoding="utf-8")


def _begin_cell(page: HTML5Translator, cell: nodes.Element) -> None:
    row = cell.parent
    column = row.index(cell)
    head = row.parent.parent.next_node(nodes.thead)
    HTML5Translator.visit_entry(page, cell)
    # Where cells are joined, a row has fewer than the head, and no cell knows which is its own.
    if head is None or row.parent is head or len(row) != len(head[-1]):
        return
    if cell.astext() or next(cell.findall(nodes.image), None):
        label = escape(head[-1][column].astext())
        page.body[-1] = page.body[-1].replace("<td", f'<td data-label="{label}"', 1)


#: Term to the page that explains it, its place there, and what it says.
Terms = dict[str, tuple[str, str, str]]


def _terms(env: BuildEnvironment) -> Terms:
    if not hasattr(env, "study_terms"):
        env.study_terms = {}  # type: ignore[attr-defined]
    found: Terms = env.study_terms  # type: ignore[attr-defined]
    return found


def _note_terms(app: Sphinx, doctree: nodes.document) -> None:
    for item in doctree.findall(nodes.definition_list_item):
        if not isinstance(item.parent.parent, addnodes.glossary):
            continue
        says = " ".join(each.astext() for each in item.findall(nodes.definition))
        for term in item.findall(nodes.term):
            place = app.env.docname, term["ids"][0], " ".join(says.split())
            _terms(app.env)[term.astext()] = place


def _forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    for term in [name for name, place in _terms(env).items() if place[0] == docname]:
        del _terms(env)[term]


def _merge(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    """Take over what a process found that read some of the pages."""
    _terms(env).update(_terms(other))


def _explain(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Turn the first use of each term in a page into a link to what it means."""
    terms = {name: each for name, each in _terms(app.env).items() if each[0] != docname}
    if app.builder.format != "html":
        return
    for text in list(_prose(doctree)):
        said: list[nodes.Node] = []
        rest = text.astext()
        while terms and (found := _words(terms).search(rest)):
            name = next(
                each for each in terms if re.fullmatch(_WORD.format(re.escape(each)), found[0])
            )
            page, place, says = terms.pop(name)
            link = nodes.reference(
                "", found[0], internal=True, reftitle=says, classes=["study-term"],
                refuri=f"{app.builder.get_relative_uri(docname, page)}#{place}",
            )  # fmt: skip
            said += [nodes.Text(rest[: found.start()]), link]
            rest = rest[found.end() :]
        if said:
            text.parent.replace(text, [*said, nodes.Text(rest)])


def _words(terms: Iterable[str]) -> re.Pattern[str]:
    """One of the terms, or its plural; of two that begin alike, the longer one."""
    longest_first = sorted(terms, key=len, reverse=True)
    return re.compile(_WORD.format("|".join(map(re.escape, longest_first))))


def _prose(doctree: nodes.document) -> Iterator[nodes.Text]:
    for text in doctree.findall(nodes.Text):
        above = text.parent
        while above is not None and not (
            isinstance(above, _LEFT) or "sd-card-title" in above.get("classes", ())
        ):
            above = above.parent
        if above is None:
            yield text
