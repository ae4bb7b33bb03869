"""The book of a data set without the studies of which the data set has no run."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

import nbformat
import yaml

from studybook.publish.notebook import write_notebook
from studybook.publish.shape import contents_of

#: Between these stands, in pages beside the folders of studies, what is of one study.
_PART = re.compile(
    r"<!-- study (?P<study>[a-z0-9-]+) -->\n(?P<part>.*?)<!-- end of study -->\n", re.S
)

_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")


def leave_out(studies: Collection[str], target: Path) -> None:
    """Take the pages of studies out of a staged book: files, table of contents, links to them.

    Parameters
    ----------
    studies : collection of str
        The studies that stay out.
    target : pathlib.Path
        The staged book.
    """
    for page in (target / "book").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        # What stays stands without its marks: between cards nothing else may stand.
        parted = _PART.sub(lambda part: "" if part["study"] in studies else part["part"], text)
        if parted != text:
            page.write_text(parted, encoding="utf-8")
    if not studies:
        return
    for study in studies:
        shutil.rmtree(target / "book" / study, ignore_errors=True)
    toc = target / "book/_toc.yml"
    contents = contents_of(toc)
    contents["parts"] = _without(contents["parts"], studies)
    toc.write_text(yaml.safe_dump(contents, sort_keys=False), encoding="utf-8")
    for page in (target / "book").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(_without_links(text, studies), encoding="utf-8")
    for page in (target / "notebooks").rglob("*.ipynb"):
        notebook = nbformat.read(page, as_version=4)
        told = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
        texts = [_without_links(cell.source, studies) for cell in told]
        if texts != [cell.source for cell in told]:
            for cell, text in zip(told, texts, strict=True):
                cell.source = text
            write_notebook(notebook, page)


def _without(entries: list[dict[str, Any]], studies: Collection[str]) -> list[dict[str, Any]]:
    kept = []
    for entry in entries:
        if set(str(entry.get("file", "")).split("/")) & set(studies):
            continue
        inner = {
            name: _without(entry[name], studies)
            for name in ("chapters", "sections")
            if name in entry
        }
        if all(inner.values()):
            kept.append(entry | inner)
    return kept


def _without_links(text: str, studies: Collection[str]) -> str:
    return _LINK.sub(lambda found: _link(found, studies), text)


def _link(found: re.Match[str], studies: Collection[str]) -> str:
    """Turn a link to a page that is not there into plain text."""
    if not set(found["target"].split("/")) & set(studies):
        return found[0]
    return found["text"] or Path(found["target"]).stem
