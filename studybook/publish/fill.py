"""Numbers in the prose of the book, filled in from the data set when the book is built.

A page ``book/<study>/<name>.md`` quotes what the page of the study's claims found. A sentence
stands in double brackets behind the claims that it rests on::

    [[nsd-response: With NSD a page takes {data} as long as with SD ({interval}).]]

If all of its claims hold, the sentence is printed as it is. If one does not, is open, or cannot be
judged, the book says so before the sentence. Within it, the texts of the first claim stand in
braces, those of others by their id: ``{data}``, ``{interval}``, ``{published}``, ``{change}``,
``{sd-response.data}``. An interval in parentheses of its own is left out where there is none.
``[[data set]]`` becomes the name of the data set and the origin of the study's data.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from studybook.claims.verdict import Verdict
from studybook.engine.outputs import Record
from studybook.errors import StudyBookError, did_you_mean
from studybook.table import badge

_SENTENCE = re.compile(r"\[\[(?P<claims>[a-z0-9-]+(?:,\s*[a-z0-9-]+)*):\s+(?P<text>.+?)\]\]", re.S)
_FIELD = re.compile(r"\{(?:(?P<claim>[a-z0-9-]+)\.)?(?P<name>data|interval|published|change)\}")
#: Braces that are no field; a role of MyST has a backquote behind them.
_BRACES = re.compile(r"\{[^{}]*\}(?!`)")
_INTERVAL = re.compile(r"\s*\(\{(?:(?P<claim>[a-z0-9-]+)\.)?interval\}\)")
#: Of two signs that a number is read from words, one will do.
_ABOUT = re.compile(r"\b((?:about|almost|around|nearly)\s+)≈ ")
_BRACKETS = re.compile(r"\[\[(?=[A-Za-z]).{0,30}")
_DATA_SET = "[[data set]]"
_MARKS = {
    Verdict.HOLDS: "holds", Verdict.FAILS: "fails", Verdict.OPEN: "open",
    Verdict.UNJUDGED: "unjudged",
}  # fmt: skip
_SAID = {
    Verdict.FAILS: "These data do not show what follows:",
    Verdict.UNJUDGED: "These data cannot tell ({why}):",
    Verdict.OPEN: "These data leave open what follows ({why}):",
}

Judgements = Mapping[str, Mapping[str, str]]


def fill_pages(folder: Path, records: Sequence[Record], data_set: str) -> None:
    """Fill in the numbers of all pages of the studies, in place.

    Parameters
    ----------
    folder : pathlib.Path
        The staged folder ``book``.
    records : sequence of Record
        What came of the figures; those named ``<study>/claims`` hold the judgements.
    data_set : str
        Name of the data set.

    Raises
    ------
    StudyBookError
        If a page names a claim that the study does not have, or has brackets or braces that are
        not understood.
    """
    of_study = {record.id: record for record in records}
    for path in sorted(folder.glob("*/*.md")):
        text = path.read_text(encoding="utf-8")
        if "[[" not in text:
            continue
        record = of_study.get(f"{path.parent.name}/claims")
        where = f"book/{path.parent.name}/{path.name}"
        path.write_text(_fill(text, record, data_set, where), encoding="utf-8")


def _fill(text: str, record: Record | None, data_set: str, where: str) -> str:
    judgements = record.judgements if record else {}
    page = f"../../notebooks/{record.id}.html" if record else ""
    origins = [origin for origin in record.origins if origin != "published"] if record else []
    source = f"data set *{data_set}* {' '.join(map(badge, origins)) or 'without data'}"

    def sentence(found: re.Match[str]) -> str:
        ids = re.split(r",\s*", found["claims"])
        line = _place(where, found)
        _check_fields(found["text"], line)
        quoted = [field["claim"] for field in _FIELD.finditer(found["text"]) if field["claim"]]
        _check([*ids, *quoted], judgements, line)
        return _sentence(ids, found["text"], judgements, page)

    text = text.replace(_DATA_SET, source)
    _check_brackets(text, where)
    return _SENTENCE.sub(sentence, text)


def _place(where: str, found: re.Match[str]) -> str:
    lines_before = found.string.count("\n", 0, found.start())
    return f"{where}, line {lines_before + 1}"


def _check_brackets(text: str, where: str) -> None:
    """Refuse brackets that look like a sentence and are none: they would be printed."""
    understood = {found.start() for found in _SENTENCE.finditer(text)}
    for found in _BRACKETS.finditer(text):
        if found.start() not in understood:
            raise StudyBookError(
                f"{_place(where, found)}: {found[0]!r} is not understood\n"
                "  → write [[claim-id: Sentence.]], [[one-claim, other-claim: Sentence.]]"
                f" or {_DATA_SET}"
            )


def _check_fields(text: str, line: str) -> None:
    for found in _BRACES.finditer(text):
        if not _FIELD.fullmatch(found[0]):
            raise StudyBookError(
                f"{line}: there is no {found[0]}\n"
                "  → {data}, {interval}, {published}, {change}, or one of them with the id of"
                " a claim, as in {a-claim.data}"
            )


def _check(ids: Sequence[str], judgements: Judgements, line: str) -> None:
    for name in ids:
        # Without any judgement the claims were not evaluated; that is no fault of the page.
        if judgements and name not in judgements:
            hint = did_you_mean(name, judgements) or "see data/published"
            raise StudyBookError(f"{line}: there is no claim {name!r}\n  → {hint}")


def _sentence(ids: Sequence[str], text: str, judgements: Judgements, page: str) -> str:
    def value(field: re.Match[str]) -> str:
        found = judgements.get(field["claim"] or ids[0], {}).get(field["name"], "")
        # A bound such as "> 5" would start a quotation where it starts a line.
        return html.escape(found or "–", quote=False)

    def interval(parentheses: re.Match[str]) -> str:
        there = judgements.get(parentheses["claim"] or ids[0], {}).get("interval")
        return parentheses[0] if there else ""

    filled = _ABOUT.sub(r"\1", _FIELD.sub(value, _INTERVAL.sub(interval, text)))
    verdict, why = _verdict(ids, judgements)
    marks = "".join(_mark(name, judgements, page) for name in ids)
    if verdict is Verdict.HOLDS:
        return f"{filled}{marks}"
    said = _SAID[verdict].format(why=why)
    kind = _MARKS[verdict]
    return f'<span class="study-doubt {kind}"><strong>{said}</strong> {filled}{marks}</span>'


def _verdict(ids: Sequence[str], judgements: Judgements) -> tuple[Verdict, str]:
    """The worst of the verdicts, and its reason."""
    not_there = {"verdict": Verdict.UNJUDGED, "why": "the claims were not evaluated"}
    found = [judgements.get(name, not_there) for name in ids]
    for verdict in _SAID:
        for each in found:
            if each["verdict"] == verdict:
                return verdict, html.escape(each["why"])
    return Verdict.HOLDS, ""


def _mark(name: str, judgements: Judgements, page: str) -> str:
    """A sign that leads to the claim on the page of claims."""
    if name not in judgements:
        return ""
    verdict = judgements[name]["verdict"]
    kind = _MARKS[Verdict(verdict)]
    # Of simulated data: a value that the model was fitted to holds, and proves nothing.
    role = judgements[name].get("role", "")
    said = html.escape(f"{verdict}; in the model's fit: {role}" if role else verdict)
    kinds = f"{kind} {role}".strip()
    return (
        f'<a class="study-claim {kinds}" href="{page}#claim-{name}"'
        f' aria-label="claim: {said}" title="{said}"></a>'
    )
