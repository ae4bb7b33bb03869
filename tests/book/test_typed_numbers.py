"""Numbers in the prose of the book: each comes from data, is quoted, or has a reason to be typed.

Who types a result by hand has to change it by hand, and does not. What may be typed are parts of
names, places in a document, years, definitions, formulas, and the conditions of runs by which
claims tell them apart. All else is filled in by the book, stands in the document's own words in
quotation marks, or in ``typed_numbers.yml`` with the reason.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import nbformat
import pytest
import yaml

from studybook.checked_yaml import Strict, read_yaml
from studybook.claims.published_values import read_published
from testbed.parameters import read_parameters
from tests.conftest import REPOSITORY

BOOK, NOTEBOOKS = REPOSITORY / "book", REPOSITORY / "notebooks"
#: Chapters, notebooks, and what other figures fill into the text of a notebook.
PAGES = sorted(
    path.relative_to(folder).as_posix()
    for folder, pattern in (
        (BOOK, "**/*.md"),
        (NOTEBOOKS, "*/*.ipynb"),
        (NOTEBOOKS, "*/*.yml"),
    )
    for path in folder.glob(pattern)
)

NUMBER = re.compile(r"(?<![\w.,])\d[\d.,]*(?<![.,])")
#: What is no prose: code, links, tags, grids, and the fields of a fill.
NO_PROSE = (
    # What a program writes of results that are kept as data: its own test holds it to these.
    re.compile(r"^<!-- results: written .*?^<!-- end of results -->", re.M | re.S),
    re.compile(r"^```.*?^```", re.M | re.S),
    re.compile(r"`[^`]*`"),
    re.compile(r"\[[^\[\]]*\]\([^)]*\)"),
    re.compile(r"<[^>]*>"),
    re.compile(r"^:.*$", re.M),
    re.compile(r"\{[^{}]*\}"),
)
SENTENCE = re.compile(r"\[\[(?P<ids>[a-z0-9-]+(?:,\s*[a-z0-9-]+)*):\s+(?P<text>.+?)\]\]", re.S)
FILL = re.compile(r"\[\[.*?\]\]", re.S)
#: Conditions of runs, the numbers of which claims have as factors.
CONDITION = re.compile(
    r"\bMTU(?:\s+of)?\s+[\d,]+(?:\s+(?:or|and|to)\s+[\d,]+)?"
    r"|\b[\d,]+(?:\s+(?:or|and|to)\s+[\d,]+)?\s+users"
)
#: What says by itself where its numbers come from.
ACCOUNTED = (
    # The document's own words, and its title.
    re.compile(r"“[^”]*”"),
    re.compile(r"^> .*$", re.M),
    # A place in a document, and the number of a load level.
    re.compile(
        r"\b(?:Figures?|Tables?|chapters?|sections?|levels?)\s+\d[\d.]*"
        r"(?:(?:,|\s+and|\s+to)\s+(?:level\s+)?\d[\d.]*\b)*"
    ),
    # A reference: an item of a list, or from a title to its pages; and a year anywhere.
    re.compile(r"^- [A-Z]\. [^\n]*?\*[^*]+\*.*?(?=\n\n|\n- |\Z)", re.M | re.S),
    re.compile(r"\*[^*]{20,}\*,[^*|]*?\((?:19|20)\d\d\),\s+\d+–\d+"),
    re.compile(r"\b(?:19[5-9]\d|20[0-3]\d)\b(?! (?:users|MiB|GiB))"),
    # The number of an item of a list.
    re.compile(r"^\d+\. ", re.M),
    # Definitions: of an interval, of units, of a formula.
    re.compile(r"\b95\s%\s(?:confidence\s)?interval"),
    re.compile(r"\bpowers\sof\s[\d,]+|\b\d+[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\b[kKMGT]i?B\sof\s[\d,]+\sbytes"),
    re.compile(r"\*[^*\n]{1,9}\*\s?[−+=]\s?\d+|\b1\s[−+]\s(?=\*|exp)"),
)


class Typed(Strict):
    """Text of a page in which a number may stand, and why."""

    page: str
    text: str
    because: str


class Reasons(Strict):
    """Names that have numbers in them, and all else that is typed."""

    names: tuple[str, ...]
    exceptions: tuple[Typed, ...]


#: Four digits or more without a comma, and what has them all the same: years, and names of setups.
UNPARTED = re.compile(r"(?<![\w.,/-])\d{4,}(?![\w-])")
NAMED_SO = (
    re.compile(r"“[^”]*”|^> .*$|^\| \d{4} (?=\|)", re.M),
    re.compile(r"\b(?:19[5-9]\d|20[0-3]\d)\b|\b1305–1314\b"),
    re.compile(r"\b(?:1492|8192)\b(?! bytes)|\bz?(?:Series )?900\b"),
)

REASONS = read_yaml(Path(__file__).with_name("typed_numbers.yml"), Reasons)
NAMES = [re.compile(rf"\b{name}") for name in REASONS.names]


def pattern(each: Typed) -> re.Pattern[str]:
    """The text of an exception, however its lines are broken."""
    return re.compile(r"\s+".join(map(re.escape, each.text.split())))


def blank(found: re.Match[str]) -> str:
    """As much blank as there was text; line ends stay."""
    return re.sub(r"[^\n]", " ", found[0])


def without(text: str, patterns: Iterable[re.Pattern[str]]) -> str:
    for pattern in patterns:
        text = pattern.sub(blank, text)
    return text


def plain(found: re.Match[str]) -> str:
    """A number as files have it, without commas between its thousands."""
    return found[0].replace(",", "")


@cache
def factors(study: str) -> dict[str, frozenset[str]]:
    """The numbers by which each claim of a study tells its runs apart."""
    if not (REPOSITORY / f"data/published/{study}.yml").is_file():
        return {}
    return {
        claim.id: frozenset(
            number
            for value in (*claim.of.values(), *(claim.over or {}).values())
            for number in NUMBER.findall(str(value))
        )
        for claim in read_published(REPOSITORY, study).claims
    }


def known_only(may: frozenset[str]) -> Callable[[re.Match[str]], str]:
    """Blank the numbers that may stand there, in what a pattern found."""

    def kept(found: re.Match[str]) -> str:
        return NUMBER.sub(lambda each: blank(each) if plain(each) in may else each[0], found[0])

    return kept


def typed(page: str, text: str) -> Iterator[str]:
    """Each number for which nothing speaks, with the text around it."""
    known = factors(page.split("/")[0])
    prose = without(text, NO_PROSE)

    def sentence(found: re.Match[str]) -> str:
        ids = re.split(r",\s*", found["ids"])
        may = frozenset[str]().union(*(known.get(each, frozenset()) for each in ids))
        start = found.start("text") - found.start()
        inside = NUMBER.sub(
            lambda each: blank(each) if plain(each) in may else each[0], found["text"]
        )
        return blank(found)[:start] + inside + "  "

    prose = SENTENCE.sub(sentence, prose)
    prose = without(prose, [FILL])
    prose = CONDITION.sub(known_only(frozenset[str]().union(*known.values())), prose)
    prose = without(prose, [*ACCOUNTED, *NAMES])
    prose = without(prose, [pattern(each) for each in REASONS.exceptions if each.page == page])
    for found in NUMBER.finditer(prose):
        around = prose[max(0, found.start() - 60) : found.end() + 40]
        yield f"{found[0]}: … {' '.join(around.split())} …"


def read(page: str) -> str:
    """The prose of a chapter or a notebook."""
    if page.endswith(".md"):
        return (BOOK / page).read_text(encoding="utf-8")
    path = NOTEBOOKS / page
    if page.endswith(".yml"):
        return str(yaml.safe_load(path.read_text(encoding="utf-8")).get("heading", ""))
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(each.source for each in cells if each.cell_type == "markdown")


@pytest.mark.parametrize("page", PAGES)
def test_no_number_is_typed_without_a_reason(page: str) -> None:
    """Fill it in from the data, quote the document in “quotation marks”, or leave it out."""
    text = read(page)
    assert list(typed(page, text)) == []
    assert UNPARTED.findall(without(text, [*NO_PROSE, *NAMED_SO])) == []


def test_a_typed_number_is_found() -> None:
    text = """# A page

It takes 300 ms, or 12.5 IFLs with 900 users, in Figure 5 of 2016.

| Guest | 8 GiB |
|---|---|
| DB2 | [[Table 8: Memory]], 16 GiB |

[[nsd-response: With NSD a page takes {data} at 1000 users, or 390 ms, not 1.3 ×.]]
- It was run 3 times, of “30 IFLs”, with `MTU 9000` at level 4 and level 5, and 95 % intervals of 4.
"""
    found = [each.split(":")[0] for each in typed("ecm-scaleout/page.md", text)]
    assert found == ["300", "12.5", "900", "8", "16", "390", "1.3", "3", "4"]


def test_factors_are_those_of_the_claims_that_a_sentence_names() -> None:
    of_another = "[[total-ifl-250: It uses {data} at 250 users, more than at 750 users.]]"
    assert [each.split(":")[0] for each in typed("ecm-scaleout/page.md", of_another)] == []
    pools = "[[total-ifl-250: It uses {data} with 2048 MiB.]]"
    assert [each.split(":")[0] for each in typed("ecm-scaleout/page.md", pools)] == ["2048"]
    named = pools.replace("total-ifl-250", "client-pagepool-2048")
    assert list(typed("ecm-scaleout/page.md", named)) == []


@pytest.mark.parametrize("each", REASONS.exceptions, ids=lambda each: each.text[:30])
def test_each_exception_is_needed(each: Typed) -> None:
    (found,) = pattern(each).findall(read(each.page))
    assert NUMBER.search(found)


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name.pattern)
def test_each_name_is_needed(name: re.Pattern[str]) -> None:
    assert any(name.search(read(page)) for page in PAGES)


def test_the_segments_of_a_block_are_arithmetic() -> None:
    rows = re.findall(
        r"^\| (\d+) \| ([\d,]+) bytes \| (\d+) \|$", read("ecm-scaleout/jumbo-frames.md"), re.M
    )
    assert [int(mtu) for mtu, _, _ in rows] == [1492, 8192]
    header = read_parameters().shared["header_bytes"].value
    for mtu, said, segments in rows:
        data = int(said.replace(",", ""))
        assert data == int(mtu) - header
        assert int(segments) == math.ceil(256 * 1024 / data)
