"""Differences are said in one way on all pages: see “How to read this book”."""

from __future__ import annotations

import re

import pytest

from tests.conftest import REPOSITORY

pytestmark = pytest.mark.book

PAGES = REPOSITORY / "build/reference/html"
#: What is no sentence: code, drawings, tables.
NO_PROSE = re.compile(r"<(script|style|pre|code|svg|table|textarea)\b.*?</\1>", re.S)
PROSE = re.compile(r"<(p|li|figcaption|dd|h\d)\b[^>]*>(.*?)</\1>", re.S)
#: Words of a document are quoted as they are.
QUOTED = re.compile(r"“[^”]*”")
OTHERWISE = {
    "a signed per cent": re.compile(r"[+−]\d[\d.,]*\s%"),
    "more than twice in per cent": re.compile(
        r"\b(?!100(?:\.0)? )\d{3,}(?:\.\d+)?\s% (?:longer|more|higher|larger)"
    ),
    "times in words": re.compile(r"\d times (?:as|less|more|longer|faster)|\d-fold"),
    "a multiple of a time": re.compile(r"\d\s× (?:the|its|their) (?:time|pages)"),
    "a number without its unit": re.compile(r"\d {2}|\d \)"),
    "a number that may lose its sign": re.compile(r"\d [%×]"),
}


def test_a_difference_is_said_in_one_way_on_all_pages() -> None:
    found = []
    for path in sorted(PAGES.rglob("*.html")):
        for _, part in PROSE.findall(NO_PROSE.sub("", path.read_text(encoding="utf-8"))):
            said = QUOTED.sub("", re.sub(r"<[^>]*>", "", part))
            found += [
                f"{path.relative_to(PAGES)}: {name}: {said[max(0, each.start() - 40) :][:90]}"
                for name, pattern in OTHERWISE.items()
                for each in pattern.finditer(said)
            ]
    assert not found, "\n".join(found)
