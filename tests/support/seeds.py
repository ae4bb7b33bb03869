"""The documents of the studies, as they are stored; they cannot be committed."""

from __future__ import annotations

import html
import os
import re
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import samples_folder

#: What stands between parts of a quotation that are not next to each other.
ELLIPSIS = re.compile(r" … ")


@cache
def plain(document: str) -> str:
    """The text of a document, without marks of type and white space that mean nothing.

    Skips the test where the documents are not there: ``STUDYBOOK_SEEDS`` names their folder.
    """
    given = os.environ.get("STUDYBOOK_SEEDS")
    folder = Path(given) if given else samples_folder().parent / "seeds"
    path = folder / f"{document}.txt"
    if not path.is_file():
        pytest.skip("seed documents not found: set STUDYBOOK_SEEDS")
    return stripped(path.read_text(encoding="utf-8"))


def stripped(text: str) -> str:
    """A text without emphasis, tags and escapes of Markdown, and with one kind of quotation mark.

    What a form has in its fields counts as text.
    """
    text = re.sub(r'<input[^<>]*\bvalue="([^"]*)"[^<>]*>', r"\1", text)
    text = re.sub(r"</?[a-z]+[^<>]*>", " ", text)
    text = html.unescape(text).replace("\\_", "_").replace("**", "").replace("*", "")
    text = re.sub("[“”]", '"', re.sub("[‘’]", "'", text.replace("`", "")))
    return " ".join(text.split())


def stands(quotation: str, documents: tuple[str, ...]) -> bool:
    """Whether a quotation, or each part of one that is cut, stands in one of the documents."""
    parts = [stripped(part) for part in ELLIPSIS.split(quotation)]
    return any(all(part in plain(document) for part in parts) for document in documents)
