"""The book as one PDF: the pages as they were built, joined in their order, printed by Chromium.

Chromium tags what it prints, and makes an outline of the headings, but it cannot say in a table of
contents on which page a heading is. So the book is printed twice: where the headings are in the
first print is what the contents of the second one say.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml
from bs4 import BeautifulSoup, Tag
from pypdf import PdfReader

from studybook import __version__
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.process.pool import none_left_running
from studybook.process.scratch import scratch

#: Names of the browser, as systems call it; the last is where a Mac has it.
_BROWSERS = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)  # fmt: skip

#: Style sheets of the built pages that hold on paper, too. The theme's are for screens.
_STYLES = ("_static/pygments.css", "_static/study-chart.css", "_static/study-pages.css")

#: Pages that tell what was read of each file are looked up on a screen.
_LEFT_OUT = "pipelines/load/"

#: A table with more rows shows the first ones only; a fold with more, or of folds, stays closed.
_ROWS, _FIRST_ROWS, _FOLDED_ROWS = 200, 30, 40

#: What means nothing on paper: what is clicked on, code, and the numbers behind a chart.
_SCREEN_ONLY = (
    "script, button, a.headerlink, .toctree-wrapper, .study-filter, .study-chart-data,"
    " .study-explore, .study-tables,"
    " details.above-input, .cell.tag_hide-input > .cell_input, .study-meta p:has(a.download)"
)

#: Attributes that name other elements.
_NAMING = ("aria-labelledby", "aria-describedby", "aria-controls", "headers", "for")
_URL = re.compile(r"url\(\s*(['\"]?)#([^'\")]+)\1\s*\)")
_REFRESH = re.compile(r'http-equiv="Refresh" content="0; url=([^"]+)"', re.IGNORECASE)

#: How often the book is printed at most, until its contents are right.
_PRINTS = 4


@dataclass(frozen=True)
class Printed:
    """What was printed.

    Parameters
    ----------
    pages : int
        Number of sheets.
    chapters : int
        Number of the book's pages in it.
    left_out : int
        Number of the book's pages that are not in it.
    """

    pages: int
    chapters: int
    left_out: int


@dataclass(frozen=True)
class _Entry:
    """A line of the contents: a page of the book, or the caption of a part (``page`` is empty)."""

    title: str
    page: str
    depth: int
    name: str  # its destination in the PDF


def print_book(data_set: DataSet, target: Path) -> Printed:
    """Print the built book of a data set.

    Parameters
    ----------
    data_set : DataSet
        The data set.
    target : pathlib.Path
        The PDF, which is replaced when all of it is there.

    Returns
    -------
    Printed
        How much it is.

    Raises
    ------
    StudyBookError
        If there is no book, no browser, or it could not print.
    """
    if not (data_set.html / "index.html").is_file():
        raise StudyBookError(f"{data_set.html}: there is no book yet\n  → run: studybook book")
    chromium = _chromium()
    entries, left_out = _entries(data_set.html)
    body = _body(data_set.html, entries)
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.new")
    fresh.touch()  # one that cannot be written is told before the work
    # Below build/, as a browser that came as a snap sees no folder for temporary files.
    try:
        with scratch(data_set.build) as folder, none_left_running():
            made, says = folder / "book.pdf", dict[str, int]()
            for _ in range(_PRINTS):
                page = _document(data_set, entries, says, len(left_out), body)
                (folder / "book.html").write_text(page, encoding="utf-8")
                _print(chromium, folder, made)
                before, (says, pages) = says, _places(made)
                if says == before:
                    break
            else:
                raise StudyBookError(
                    f"the page numbers of the contents differ after {_PRINTS} prints from where"
                    " the chapters are\n  → another version of Chromium may print it"
                )
            shutil.copyfile(made, fresh)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
    return Printed(pages, sum(1 for entry in entries if entry.page), len(left_out))


def _chromium() -> str:
    for name in _BROWSERS:
        if found := shutil.which(name):
            return found
    raise StudyBookError(
        "there is no Chromium, which prints the book\n"
        "  → install it: apt install chromium (Debian), dnf install chromium (Fedora),"
        " snap install chromium (Ubuntu); Google Chrome will do, too"
    )


def _print(chromium: str, folder: Path, target: Path) -> None:
    """Have the browser print ``book.html`` in a folder; it keeps what it writes there, too."""
    target.unlink(missing_ok=True)
    done = subprocess.run(  # noqa: S603 - own command, no shell
        [
            chromium,
            "--headless",
            "--disable-gpu",
            "--disable-dev-shm-usage",  # a container has little of that
            *(["--no-sandbox"] if os.geteuid() == 0 else []),  # which it refuses to be root's
            "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={folder / 'browser'}",
            "--no-pdf-header-footer",
            "--generate-pdf-document-outline",
            f"--print-to-pdf={target}",
            (folder / "book.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode or not target.is_file():
        said = "\n".join(done.stderr.strip().splitlines()[-5:])
        raise StudyBookError(
            f"{chromium} could not print the book (exit code {done.returncode}):\n{said}\n"
            "  → see whether it starts: chromium --headless --dump-dom about:blank"
        )


def _places(pdf: Path) -> tuple[dict[str, int], int]:
    """On which page, counted from 1, each entry of the contents is; and how many pages there are.

    All are destinations of links, as the contents have one to each.
    """
    reader = PdfReader(pdf)
    found = {
        str(name): (reader.get_destination_page_number(place) or 0) + 1
        for name, place in reader.named_destinations.items()
        if re.fullmatch(r"/?p\d+", str(name))
    }
    return {name.lstrip("/"): page for name, page in found.items()}, len(reader.pages)


# ---- what is printed, in its order --------------------------------------------------------


def _entries(html: Path) -> tuple[list[_Entry], list[str]]:
    """The contents as the sidebar has them, and the pages that are left out."""
    index = (html / "index.html").read_text(encoding="utf-8")
    root = found[1] if (found := _REFRESH.search(index)) else "index.html"
    nav = _parsed(html / root).select_one("nav.bd-links")
    entries: list[_Entry] = []
    left_out: list[str] = []
    seen: set[str] = set()
    caption = ""
    for each in nav.select("p.caption, li > a.internal") if nav else ():
        title = " ".join(each.get_text().split())
        if each.name == "p":
            caption = title
            continue
        page = _resolved(root, str(each["href"]))[0] or root
        if page in seen or not (html / page).is_file():
            continue
        seen.add(page)
        if page.startswith(_LEFT_OUT):
            left_out.append(page)
            continue
        if caption:
            entries.append(_Entry(caption, "", 0, f"p{len(entries)}"))
            caption = ""
        within = each.find_parent("li")
        level = " ".join(within.get_attribute_list("class")) if within else ""
        depth = int(found[1]) if (found := re.search(r"toctree-l(\d)", level)) else 1
        entries.append(_Entry(title, page, depth, f"p{len(entries)}"))
    return entries, left_out


def _body(html: Path, entries: Sequence[_Entry]) -> str:
    """The pages of the book, one behind the other, with links that lead from one to another."""
    names = {entry.page: entry.name for entry in entries if entry.page}
    articles: dict[str, Tag] = {}
    ids: set[str] = set()
    for page, name in names.items():
        found = _parsed(html / page).select_one("article.bd-article")
        article = found or BeautifulSoup("", "html.parser").new_tag("article")
        _for_paper(article)
        articles[page] = article
        for each in article.select("[id]"):
            each["id"] = f"{name}-{each['id']}"
            ids.add(str(each["id"]))
    with_parts = any(not entry.page for entry in entries)
    said = []
    for entry in entries:
        if not entry.page:
            said.append(f'<h1 class="part" id="{entry.name}">{escape(entry.title)}</h1>')
            continue
        article = articles[entry.page]
        _rename(article, entry, html, names, ids)
        for heading in article.select("h1, h2, h3, h4, h5, h6"):
            level = int(heading.name[1])
            heading["class"] = f"level{level}"
            for text in heading.find_all(string=re.compile(r"\n")):
                text.replace_with(text.replace("\n", " "))
            heading.name = f"h{min(6, level + entry.depth - (0 if with_parts else 1))}"
        said.append(
            f'<section class="page depth{entry.depth}" id="{entry.name}">'
            f"{article.decode_contents()}</section>"
        )
    return "\n".join(said)


def _parsed(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def _resolved(page: str, link: str) -> tuple[str, str]:
    """Which file of the book a link of one of its pages leads to, and where in it."""
    path, place = unquote(urlsplit(link).path), unquote(urlsplit(link).fragment)
    if not path:
        return page, place
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)), place


def _rename(
    article: Tag, entry: _Entry, html: Path, names: Mapping[str, str], ids: set[str]
) -> None:
    """Make what names another element name it by what it is called in the whole.

    A link to a page that is not printed becomes its words.
    """
    for link in article.select("a[href]"):
        href = str(link["href"])
        if urlsplit(href).scheme or href.startswith("//"):
            continue
        page, place = _resolved(entry.page, href)
        if page not in names:
            link.unwrap()
            continue
        at = f"{names[page]}-{place}"
        link["href"] = f"#{at if place and at in ids else names[page]}"
    for image in article.select("img[src]"):
        if not urlsplit(str(image["src"])).scheme:
            image["src"] = (html / _resolved(entry.page, str(image["src"]))[0]).as_uri()
    for each in article.find_all(True):
        for key, value in each.attrs.items():
            if key in _NAMING:
                each[key] = " ".join(f"{entry.name}-{word}" for word in str(value).split())
            elif "url(" in str(value):
                each[key] = _URL.sub(rf"url(#{entry.name}-\2)", str(value))
            elif key in ("xlink:href", "href") and each.name != "a" and str(value)[:1] == "#":
                each[key] = f"#{entry.name}-{str(value)[1:]}"


def _for_paper(article: Tag) -> None:
    """Take out of a page what is for screens; open its folds, and shorten what is long."""
    for each in article.select(_SCREEN_ONLY):
        each.decompose()
    for fold in article.select("details"):
        if fold.find_parent("article") is None:
            continue  # it was in one that stays closed
        summary = fold.find("summary", recursive=False)
        rows = len(fold.select("tr")) + len(fold.select("li"))
        if isinstance(summary, Tag):
            summary.name, summary["class"] = "p", "fold"
        if isinstance(summary, Tag) and (rows > _FOLDED_ROWS or fold.select_one("details")):
            for part in list(fold.children):
                if part is not summary:
                    part.extract()
            summary.append(" (in the book on screen)")
        fold.name = "div"
    for table in article.select("table"):
        rows_of = table.select("tbody > tr") or table.select("tr")
        if len(rows_of) > _ROWS:
            for row in rows_of[_FIRST_ROWS:]:
                row.decompose()
            note = BeautifulSoup("", "html.parser").new_tag("p", attrs={"class": "fold"})
            note.string = (
                f"The first {_FIRST_ROWS} of {len(rows_of)} rows; the book on screen has all."
            )
            table.insert_after(note)


# ---- the document ------------------------------------------------------------------------


def _document(
    data_set: DataSet, entries: Sequence[_Entry], says: Mapping[str, int], left_out: int, body: str
) -> str:
    config = yaml.safe_load((data_set.root / "_config.yml").read_text(encoding="utf-8")) or {}
    title, author = str(config.get("title", "Study Book")), str(config.get("author", ""))
    styles = [data_set.html / name for name in _STYLES]
    styles = [path for path in styles if path.is_file()]
    css = "\n".join(
        path.read_text(encoding="utf-8") for path in (*styles, Path(__file__).with_suffix(".css"))
    )
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src file: data:; style-src 'unsafe-inline'">
<title>{escape(title)}</title><meta name="author" content="{escape(author)}">
<style>{css}</style></head>
<body><main class="bd-article">
<header class="title-page"><h1>{escape(title)}</h1>
{"".join(f"<p>{line}</p>" for line in _title_lines(data_set, author, left_out))}</header>
<nav class="contents" aria-labelledby="contents"><h1 id="contents">Contents</h1>
<ul>{"".join(_lines(entries, says))}</ul></nav>
{body}
</main></body></html>
"""


def _title_lines(data_set: DataSet, author: str, left_out: int) -> Iterator[str]:
    if author:
        yield escape(author)
    built = datetime.fromtimestamp((data_set.html / "index.html").stat().st_mtime, UTC)
    yield (
        f"Data set <em>{escape(data_set.name)}</em>; pages built on {built:%Y-%m-%d},"
        f" printed by studybook {__version__}"
    )
    reports = f", and {left_out} loading reports" if left_out else ""
    yield (
        "<small>On screen the book has more: the code of each figure, the numbers behind each"
        f" chart, and the rows that a table leaves out here{reports}.</small>"
    )


def _lines(entries: Sequence[_Entry], says: Mapping[str, int]) -> Iterator[str]:
    for entry in entries:
        number = says.get(entry.name, "")
        yield (
            f'<li class="of-depth{entry.depth}"><a href="#{entry.name}">'
            f'<span class="name">{escape(entry.title)}</span>'
            f' <span class="number">{number}</span></a></li>'
        )
