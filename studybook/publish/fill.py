"""Numbers in the prose of the book, filled in from the data set when the book is built.

A page ``book/<study>/<name>.md`` quotes what the page of the study's claims found. A sentence
stands in double brackets behind the claims that it rests on::

    [[nsd-response: With NSD a page takes {data} as long as with SD ({interval}).]]

If all of its claims hold, the sentence is printed as it is. If they do not, are open or cannot be
judged, the book says so before the sentence; where their verdicts differ, it says behind it which
did not hold. Within it, the texts of the first claim stand in braces, those of others by their id:
``{data}``, ``{interval}``, ``{published}``, ``{accepted}``, ``{sd-response.data}``, and of a
ratio the difference in words, with its interval: ``{change:longer than}`` becomes “29.5 % longer
(27.0 to 32.1 %) than”, or “3.4 × as long (3.1 to 3.7 ×) as”. An interval in parentheses of its own
is left out where there is none.

What a document says stands in brackets without a verdict: ``[[published nsd-response]]`` becomes
what it has for a claim, ``[[Table 4: Memory]]`` the last cell of the row *Memory* of its Table 4,
``[[Table 17: blocksize: Default]]`` that of a column. ``[[finding a-study/a-figure]]`` becomes what
the title of a figure says of the data, ``[[chart a-study/a-figure]]``, on a line of its own, its
charts, as its page has them, ``[[data set]]`` the name of the data set and the origin of
the study's data, ``[[origin a-study]]`` that of any study, and ``[[tally a-study]]`` how many of
its claims could have gone wrong, and did. ``[[missed a-folder/a-fit: nsd-response]]`` becomes what
a page that holds a model against the document says of a claim: whether the model itself misses it,
and by how far.

Pages that are of no study, beside the folders of studies, name a claim with its study:
``[[a-study/nsd-response: With NSD a page takes {data} as long.]]``.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from studybook.charts.page import figure
from studybook.claims import published_tables, verdict_text
from studybook.claims.published_values import Published, read_published
from studybook.claims.tally import origin_place
from studybook.claims.verdict import Verdict
from studybook.dataset.paths import DataSet
from studybook.engine.outputs import Record, chart_specs
from studybook.errors import StudyBookError, did_you_mean
from studybook.frames.document import ORIGINS
from studybook.publish.tallies import in_short
from studybook.statistics.comparatives import compared, is_comparative
from studybook.table import badge

#: How the id of the page ends that judges all claims of a study.
_CLAIMS = "/claims"

_ID = r"(?:[a-z0-9-]+/)?[a-z0-9-]+"
_SENTENCE = re.compile(rf"\[\[(?P<claims>{_ID}(?:,\s*{_ID})*):\s+(?P<text>.+?)\]\]", re.S)
_FIELD = re.compile(
    rf"\{{(?:(?P<claim>{_ID})\.)?"
    r"(?:(?P<name>data|interval|published|accepted)|change:(?P<how>[a-z]+[a-z\s]*))\}"
)
#: Braces that are no field; a role of MyST has a backquote behind them.
_BRACES = re.compile(r"\{[^{}]*\}(?!`)")
_INTERVAL = re.compile(rf"\s*\(\{{(?:(?P<claim>{_ID})\.)?(?P<name>interval)\}}\)")
_OF_DOCUMENT = re.compile(r"\[\[published\s+(?P<claim>[a-z0-9-]+)\]\]")
_CELL = re.compile(
    r"\[\[Table\s+(?P<table>\d+(?:\.\d+)?):\s+(?P<row>[^\]:]+?)(?::\s+(?P<column>[^\]:]+?))?\]\]"
)
_CHART = re.compile(r"^\[\[chart\s+(?P<figure>[a-z0-9/-]+)\]\]$", re.M)
_FINDING = re.compile(r"\[\[finding\s+(?P<figure>[a-z0-9/-]+)\]\]")
_MISSED = re.compile(
    r"\[\[missed\s+(?P<figure>[a-z0-9/-]+):\s+(?P<claims>[a-z0-9-]+(?:,\s*[a-z0-9-]+)*)\]\]"
)
_OF_STUDY = re.compile(r"\[\[(?P<what>origin|tally)\s+(?P<study>[a-z0-9-]+)\]\]")
_BRACKETS = re.compile(r"\[\[(?=[A-Za-z]).{0,30}")
_DATA_SET = "[[data set]]"
_MARKS = {
    Verdict.HOLDS: "holds",
    Verdict.FAILS: "fails",
    Verdict.OPEN: "open",
    Verdict.UNJUDGED: "unjudged",
}
#: What the book says before a sentence with one claim, or with several of one verdict.
_DOUBTS = {
    Verdict.UNJUDGED: "These data cannot tell ({why}):",
    Verdict.FAILS: "Not confirmed{document}:",
    Verdict.OPEN: "Left open ({why}):",
}
#: Before the statements that did not hold, in a sentence on several of which some did.
_PARTS = {Verdict.FAILS: "not confirmed", Verdict.OPEN: "left open"}

Judgements = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class _Document:
    """What was published of the study of a page; read when a page asks for it."""

    root: Path
    study: str

    @cached_property
    def values(self) -> Published:
        return read_published(self.root, self.study)

    @cached_property
    def tables(self) -> published_tables.PublishedTables:
        # The values first: rows may be of the study's own metrics.
        return published_tables.content(self.root, self.values.study)

    def claim(self, name: str) -> str:
        """What the document has for a claim."""
        known = {each.id: each for each in self.values.claims}
        if name not in known:
            hint = did_you_mean(name, known) or "see data/published"
            raise StudyBookError(f"there is no claim {name!r}\n  → {hint}")
        return verdict_text.of_document(known[name])


def fill_pages(folder: Path, records: Sequence[Record], data_set: DataSet) -> None:
    """Fill in the numbers and charts of all pages, in place.

    Parameters
    ----------
    folder : pathlib.Path
        The staged folder ``book``.
    records : sequence of Record
        What came of the figures; those named ``<study>/claims`` hold the judgements.
    data_set : DataSet
        The data set, with the executed notebooks, and the book in which the published values are.

    Raises
    ------
    StudyBookError
        If a page names a claim or a cell of a table that the study does not have, or has brackets
        or braces that are not understood.
    """
    found = {record.id: record for record in records}
    for path in sorted([*folder.glob("*.md"), *folder.glob("*/*.md")]):
        text = path.read_text(encoding="utf-8")
        if "[[" not in text:
            continue
        where = f"book/{path.relative_to(folder).as_posix()}"
        page = _Page(where, path.parent.name if path.parent != folder else "")
        path.write_text(_fill(text, page, found, data_set), encoding="utf-8")


@dataclass(frozen=True)
class _Page:
    """A page, and the study that it is of; of none, if it is beside their folders."""

    name: str
    study: str

    def link(self, figure: str) -> str:
        """The address of a figure's page, from this one."""
        return f"{'../../' if self.study else '../'}notebooks/{figure}.html"


def _fill(text: str, page: _Page, records: Mapping[str, Record], data_set: DataSet) -> str:
    study, where, document = page.study, page.name, _Document(data_set.root, page.study)
    record = records.get(f"{study}{_CLAIMS}")
    judgements = {
        f"{name.removesuffix(_CLAIMS)}/{id_}": says
        for name, each in records.items()
        if name.endswith(_CLAIMS)
        for id_, says in each.judgements.items()
    }
    judgements |= record.judgements if record else {}
    origins = [origin for origin in record.origins if origin not in ORIGINS] if record else []
    source = f"data set *{data_set.name}* {' '.join(map(badge, origins)) or 'without data'}"

    def sentence(found: re.Match[str]) -> str:
        ids = re.split(r",\s*", found["claims"])
        line = _place(where, found)
        _check_fields(found["text"], line)
        quoted = [field["claim"] for field in _FIELD.finditer(found["text"]) if field["claim"]]
        _check([*ids, *quoted], judgements, line)
        return _sentence(ids, found["text"], judgements, page)

    def said(what: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
        def printed(found: re.Match[str]) -> str:
            try:
                return html.escape(what(found), quote=False)
            except StudyBookError as error:
                raise StudyBookError(f"{_place(where, found)}: {error}") from error

        return printed

    def cell(found: re.Match[str]) -> str:
        row, column = (" ".join((found[key] or "").split()) for key in ("row", "column"))
        return document.tables.cell(found["table"], row, column)

    def finding(found: re.Match[str]) -> str:
        record = records.get(found["figure"])
        return (record.finding if record else "") or "the figure could not be drawn"

    def missed(found: re.Match[str]) -> str:
        record = records.get(found["figure"])
        return _missed(re.split(r",\s*", found["claims"]), record.judgements if record else {})

    def of_study(found: re.Match[str]) -> str:
        record = records.get(f"{found['study']}{_CLAIMS}")
        if found["what"] == "tally":
            return in_short(record)
        return " ".join(map(badge, _data_origins(found["study"], records)))

    def chart(found: re.Match[str]) -> str:
        figure, line = found["figure"], found.string.count("\n", 0, found.start())
        return _embedded(data_set, records.get(figure), f"on-page-{line}", page.link(figure))

    text = text.replace(_DATA_SET, source)
    fills: dict[re.Pattern[str], Callable[[re.Match[str]], str]] = {
        _SENTENCE: sentence,
        _OF_DOCUMENT: said(lambda found: document.claim(found["claim"])),
        _CELL: said(cell),
        _CHART: chart,
        _FINDING: said(finding),
        _MISSED: said(missed),
        _OF_STUDY: of_study,
    }
    found = sorted(
        ((each, fill) for pattern, fill in fills.items() for each in pattern.finditer(text)),
        key=lambda pair: pair[0].start(),
    )
    _check_brackets(text, {each.start() for each, _ in found}, where)
    parts, end = [], 0
    for each, fill in found:
        parts += [text[end : each.start()], fill(each)]
        end = each.end()
    return "".join([*parts, text[end:]])


def _data_origins(study: str, records: Mapping[str, Record]) -> list[str]:
    """Where the data of a study come from: of all its figures, measured first."""
    of_study = [each.origins for name, each in records.items() if name.startswith(f"{study}/")]
    return sorted({*chain(*of_study)} - {*ORIGINS}, key=origin_place)


def _embedded(data_set: DataSet, record: Record | None, place: str, link: str) -> str:
    """The charts of a figure as its page has them, with the way there; none where it has none."""
    if record is None or not record.finding:
        return ""
    executed = data_set.notebooks / f"{record.id}.ipynb"
    notebook = json.loads(executed.read_text(encoding="utf-8"))
    specs = enumerate(chart_specs(notebook))
    drawn = [figure(spec, f"{place}-{number}") for number, spec in specs]
    title = html.escape(record.title)
    more = f'<p>Data, files and queries: <a href="{link}">{title}</a></p>'
    # On one line each, so that no blank one within ends what Markdown leaves as it is.
    return "\n".join(each.replace("\n", " ") for each in (*drawn, more))


def _missed(ids: Sequence[str], judgements: Judgements) -> str:
    """Whether a model misses claims, with what it has and what they accept."""
    if not judgements:
        return "What the model has is not known"
    for name in ids:
        if name not in judgements:
            hint = did_you_mean(name, judgements) or "that page compares others"
            raise StudyBookError(f"the model is not held against {name!r}\n  → {hint}")
    found = [judgements[name] for name in ids]
    misses = [each["verdict"] == Verdict.FAILS for each in found]
    first = "Missed" if all(misses) else "Missed in part" if any(misses) else "Met"
    values = " and ".join(each["data"] for each in found)
    accepted = " and ".join(dict.fromkeys(each["accepted"] for each in found))
    return f"{first} by the model itself, which has {values} for {accepted}"


def _place(where: str, found: re.Match[str]) -> str:
    lines_before = found.string.count("\n", 0, found.start())
    return f"{where}, line {lines_before + 1}"


def _check_brackets(text: str, understood: set[int], where: str) -> None:
    """Refuse brackets that look like a fill and are none: they would be printed."""
    for found in _BRACKETS.finditer(text):
        if found.start() not in understood:
            raise StudyBookError(
                f"{_place(where, found)}: {found[0]!r} is not understood\n"
                "  → write [[claim-id: Sentence.]], [[one-claim, other-claim: Sentence.]],"
                " [[published claim-id]], [[Table 4: Row]], [[Table 4: Row: Column]],"
                " [[finding study/figure]], [[chart study/figure]] on a line of its own,"
                " [[origin study]], [[tally study]],"
                f" [[missed folder/figure: claim-id]] or {_DATA_SET}"
            )


def _check_fields(text: str, line: str) -> None:
    for found in _BRACES.finditer(text):
        field = _FIELD.fullmatch(found[0])
        if not field or (field["how"] and not is_comparative(field["how"])):
            raise StudyBookError(
                f"{line}: there is no {found[0]}\n"
                "  → {data}, {interval}, {published}, {accepted}, {change:longer than}, or one of"
                " them with the id of a claim, as in {a-claim.data}"
            )


def _check(ids: Sequence[str], judgements: Judgements, line: str) -> None:
    for name in ids:
        # Without any judgement the claims were not evaluated; that is no fault of the page.
        study, _, _ = name.rpartition("/")
        of_study = any(each.startswith(f"{study}/") for each in judgements) if study else judgements
        if of_study and name not in judgements:
            hint = did_you_mean(name, judgements) or "see data/published"
            raise StudyBookError(f"{line}: there is no claim {name!r}\n  → {hint}")


def _sentence(ids: Sequence[str], text: str, judgements: Judgements, page: _Page) -> str:
    def value(field: re.Match[str]) -> str:
        of = judgements.get(field["claim"] or ids[0], {})
        found = of.get(field["name"], "") if field["name"] else _change(of, field["how"])
        # A bound such as "> 5" would start a quotation where it starts a line.
        return html.escape(found or "–", quote=False)

    def interval(parentheses: re.Match[str]) -> str:
        there = judgements.get(parentheses["claim"] or ids[0], {}).get(parentheses["name"])
        return parentheses[0] if there else ""

    filled = _FIELD.sub(value, _INTERVAL.sub(interval, text))
    verdict, why, parts = _verdicts(ids, judgements)
    marks = "".join(_mark(name, judgements, page) for name in ids)
    if verdict is Verdict.HOLDS:
        return f"{filled}{marks}"
    kind = _MARKS[verdict]
    if parts:  # a part of the sentence is so: a sign before it would deny all of it
        return f'{filled}{marks} <span class="study-doubt {kind}">{parts}</span>'
    published = judgements.get(ids[0], {}).get("published", "–")
    # With it, a sentence that states the data is not read as if the data were denied.
    beside = len(ids) == 1 and published != "–" and "{published}" not in text
    document = f"; the document has {html.escape(published)}" if beside else ""
    said = _DOUBTS[verdict].format(why=why, document=document)
    return f'<span class="study-doubt {kind}"><strong>{said}</strong> {filled}{marks}</span>'


def _change(of: Mapping[str, str], how: str) -> str:
    """A ratio as a difference in words; a stroke in the place of a number that there is not."""
    if not of.get("ratio"):
        return f"– {' '.join(how.split())}"
    share, *ends = (float(each) - 1 for each in of["ratio"].split())
    low, high = ends or (None, None)
    return compared(share, low, high, " ".join(how.split()))


def _verdicts(ids: Sequence[str], judgements: Judgements) -> tuple[Verdict, str, str]:
    """The worst of the verdicts, its reason, and, where they differ, which statements have it."""
    not_there = {"verdict": Verdict.UNJUDGED, "why": "the claims were not evaluated"}
    found = {name: judgements.get(name, not_there) for name in ids}
    verdicts = [Verdict(each["verdict"]) for each in found.values()]
    for verdict in _DOUBTS:  # the worst stands first
        if verdict in verdicts:
            why = html.escape(
                next(each["why"] for each in found.values() if each["verdict"] == verdict)
            )
            several = len({*verdicts}) > 1 and verdict is not Verdict.UNJUDGED
            return verdict, why, _parts(found) if several else ""
    return Verdict.HOLDS, "", ""


def _parts(found: Judgements) -> str:
    """How many statements were confirmed, and which were not: “2 of 3 statements confirmed; …”."""
    held = sum(each["verdict"] == Verdict.HOLDS for each in found.values())
    said: list[str] = []
    for verdict, words in _PARTS.items():
        of = [
            each.get("statement", name).rstrip(".")
            for name, each in found.items()
            if each["verdict"] == verdict
        ]
        if of:
            first = "" if said else f"{held} of {len(found)} statements confirmed; "
            which = html.escape("; ".join(of), quote=False)
            said.append(f"<strong>{first}{words}:</strong> {which}")
    return f"{'; '.join(said)}."


def _mark(name: str, judgements: Judgements, page: _Page) -> str:
    """A sign that leads to the claim on the page of claims."""
    if name not in judgements:
        return ""
    verdict = judgements[name]["verdict"]
    kind = _MARKS[Verdict(verdict)]
    # Of simulated data: a value that the model was fitted to holds, and proves nothing.
    role = judgements[name].get("role", "")
    said = html.escape(f"{verdict}; in the model's fit: {role}" if role else verdict)
    kinds = f"{kind} {role}".strip()
    study, _, id_ = name.rpartition("/")
    link = page.link(f"{study or page.study}{_CLAIMS}")
    return (
        f'<a class="study-claim {kinds}" href="{link}#claim-{id_}"'
        f' aria-label="claim: {said}" title="{said}"></a>'
    )
