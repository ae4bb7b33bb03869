"""The Sphinx extension for the search: what pages say, sentence by sentence, without a server.

Sphinx's own search fetches each page that it found, which a browser refuses for a book opened from
a folder, and shows the letters around a word wherever it stands: in code, in the contents, across
the cells of a table. Here the index has the prose itself, passage by passage, and each row of a
table as its cells; only the page of the search loads it.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from studybook import __version__

SCRIPT, INDEX = "study-search.js", "study-search-index.js"

#: What was found on a page, until the page is made anew; beside what Sphinx keeps.
_KEPT = "study-search.json"

#: A place in a page, the heading above it, and what it says.
Passage = tuple[str, str, str]

#: Prose in the HTML of outputs, and rows of tables; drawings, values and code are none.
_NO_PROSE = re.compile(
    r"<(script|svg|style|pre)\b.*?</\1>|<details class=\"study-chart-(?:data|more)\">.*?</details>",
    re.S,
)
_PROSE = re.compile(
    r"<(?P<begin>table)\b"
    r"|<tr(?: id=\"(?P<place>[^\"]*)\")?[^>]*>(?P<row>.*?)</tr>"
    r"|<(?:p(?! class=\"study-chart-)|caption|div class=\"study-chart-title\")\b[^>]*>(?P<text>.*?)"
    r"</(?:p|caption|div)>",
    re.S,
)
_CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.S)
#: What a cell has in a fold, such as the columns of each table of data, is no answer.
_FOLD = re.compile(r"<details\b.*?</details>", re.S)
_TAG = re.compile(r"<[^>]*>")
#: A row that has no word has numbers only; one of an output says something from four on.
_WORD = re.compile(r"[^\W\d_]{3}")
_WORDS = re.compile(r"(?:[^\W\d_]{2,},? ){3}[^\W\d_]{2,}")
#: More rows of one table are data, if nothing leads to each of them.
_ROWS = 40

#: Pages whose tables count files and rows: what is said of them stands in their prose.
_REPORTS = "pipelines/"

#: Between the cells of a row.
_CELLS = " · "

#: Words that more pages have are how the book is made: the first of them is found by these.
_SAME = 3


#: Nodes that say something, and those of which all that is within is one passage, or none.
_KINDS = (nodes.raw, nodes.paragraph, nodes.row, nodes.definition_list_item)
_OWN = (*_KINDS, addnodes.toctree)
#: Where a figure comes from: the same words on all pages.
_META = "study-meta"


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
    app.connect("builder-inited", _begin)
    app.connect("doctree-resolved", _note)
    app.connect("html-collect-pages", _page_of_search)
    app.connect("html-page-context", _load_index)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": False}


def _begin(app: Sphinx) -> None:
    builder = app.builder
    if not isinstance(builder, StandaloneHTMLBuilder):
        return
    builder.search = False  # neither Sphinx's index nor its page
    kept = Path(app.doctreedir) / _KEPT
    found = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    app.env.study_search = found  # type: ignore[attr-defined]
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    script = Path(__file__).with_name("search.js").read_text(encoding="utf-8")
    (static / SCRIPT).write_text(script, encoding="utf-8")


def _note(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    if not isinstance(app.builder, StandaloneHTMLBuilder):
        return
    title = app.env.titles[docname].astext()
    uri = app.builder.get_target_uri(docname)
    parts: dict[tuple[str, str], dict[str, None]] = {}
    for place, heading, text in _passages(doctree):
        if text and not (_CELLS in text and docname.startswith(_REPORTS)):
            parts.setdefault((place, heading), {})[text] = None
    said = [[place, heading, *texts] for (place, heading), texts in parts.items()]
    app.env.study_search[docname] = [uri, title, said]  # type: ignore[attr-defined]


def _passages(doctree: nodes.document) -> Iterator[Passage]:
    for node in doctree.findall(_is_prose):
        above = node.parent
        while above is not None and not isinstance(above, nodes.section):
            above = above.parent
        place = above["ids"][0] if above else ""
        heading = above.next_node(nodes.title).astext() if above else ""
        if isinstance(node, nodes.raw):
            for own, text in _of_html(node.astext()):
                yield own or place, heading, text
        elif isinstance(node, nodes.row):
            if _WORD.search(text := _row(map(_text, node.findall(nodes.entry)))):
                yield place, heading, text
        elif isinstance(node, nodes.definition_list_item):
            term = node.next_node(nodes.term)
            own = term["ids"][0] if term is not None and term["ids"] else place
            yield own, heading, ": ".join(map(_text, node.children))
        else:
            yield place, heading, _text(node)


def _text(node: nodes.Element) -> str:
    """What a node says; what it holds for browsers only is left out."""
    said = (each for each in node.findall(nodes.Text) if not isinstance(each.parent, nodes.raw))
    return " ".join("".join(said).split())


def _is_prose(node: nodes.Node) -> bool:
    """Whether a node is a passage of its own: outermost ones only."""
    if not isinstance(node, _KINDS):
        return False
    above = node.parent
    while above is not None:
        if isinstance(above, _OWN) or _META in above.get("classes", ()):
            return False
        above = above.parent
    return True


def _of_html(text: str) -> Iterator[tuple[str, str]]:
    rows = 0
    for found in _PROSE.finditer(_NO_PROSE.sub("", text)):
        if found["begin"]:
            rows = 0
        elif found["row"] is None:
            if _WORD.search(said := _plain(found["text"])):
                yield "", said
        else:
            rows += 1
            said = _row(map(_plain, _CELL.findall(_FOLD.sub("", found["row"]))))
            if _WORDS.search(said) and (found["place"] or rows <= _ROWS):
                yield found["place"] or "", said


def _row(cells: Iterable[str]) -> str:
    """The cells of a row that have words; numbers and marks are read in the table itself."""
    first, *others = [each for each in cells if each] or [""]
    return _CELLS.join([first, *filter(_WORD.search, others)])


def _once(pages: list[Any]) -> list[Any]:
    """Leave out what an earlier page has: rows of tables, and words that many pages have."""
    counted = Counter(text for _, _, parts in pages for _, _, *texts in parts for text in {*texts})
    seen: set[str] = set()

    def is_new(text: str) -> bool:
        again = text in seen and (_CELLS in text or counted[text] > _SAME)
        seen.add(text)
        return not again

    kept = []
    for uri, title, parts in pages:
        own = [[place, heading, *filter(is_new, texts)] for place, heading, *texts in parts]
        kept.append([uri, title, [part for part in own if len(part) > 2]])
    return kept


def _plain(text: str) -> str:
    return " ".join(html.unescape(_TAG.sub(" ", text)).split())


def _page_of_search(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Give the page, and write the index before: its checksum is in the address there."""
    if isinstance(app.builder, StandaloneHTMLBuilder):
        found = app.env.study_search  # type: ignore[attr-defined]
        kept = {name: found[name] for name in sorted(app.env.found_docs) if name in found}
        text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
        (Path(app.doctreedir) / _KEPT).write_text(text, encoding="utf-8")
        index = json.dumps(_once(list(kept.values())), ensure_ascii=False, separators=(",", ":"))
        (Path(app.outdir) / "_static" / INDEX).write_text(
            f"studySearch={index};\n", encoding="utf-8"
        )
        yield "search", {}, "search.html"


def _load_index(
    app: Sphinx, pagename: str, _template: str, _context: dict[str, Any], _doctree: object
) -> None:
    if pagename == "search":
        app.add_js_file(INDEX, loading_method="defer")
        app.add_js_file(SCRIPT, loading_method="defer")
