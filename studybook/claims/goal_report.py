"""Verdicts on goals, for people and for machines: tables, JSON, JUnit XML, GitHub annotations."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as Xml

from studybook.claims import verdict_text
from studybook.claims.goal_judge import GoalJudgement, Part
from studybook.claims.verdict import Verdict
from studybook.study import provenance
from studybook.table import Table, badge
from studybook.text import few

#: Characters that XML does not have.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def word(verdict: Verdict) -> str:
    """A verdict on a goal: what a claim does not hold, a goal is missed."""
    return "missed" if verdict is Verdict.FAILS else str(verdict)


def data(part: Part) -> str:
    """The estimate with its interval, and what is behind it: “312 ms (301 to 323; 3 runs)”."""
    text = verdict_text.estimate(part.judgement)
    more = "; ".join(filter(None, (verdict_text.interval(part.judgement), part.behind)))
    return f"{text} ({more})" if more else text


def table(judgements: Sequence[GoalJudgement], caption: str = "") -> Table:
    """The goals with what they accept, what the data say, the verdict and its reason.

    A goal that is about several setups has the worst of them in its row.

    Parameters
    ----------
    judgements : sequence of GoalJudgement
        In the order of their file.
    caption : str, optional
        What the table shows.
    """
    rows = [
        [
            _with_note(each),
            each.listed.goal.accepted(),
            _cell(each.parts[0]),
            word(each.verdict),
            why(each),
        ]
        for each in judgements
    ]
    provenance.note_answer(counts(judgements))
    provenance.note_goals({each.listed.goal.goal: _texts(each) for each in judgements})
    columns = ["Goal", "Accepted", "From the data", "Verdict", "Why"]
    return Table(columns, rows, caption, {"Verdict": badge})


def _texts(judgement: GoalJudgement) -> dict[str, str]:
    """What the record of a page of goals says of one: of several setups, that of the worst."""
    worst = judgement.parts[0]
    return {
        "verdict": word(judgement.verdict),
        "data": verdict_text.estimate(worst.judgement),
        "interval": verdict_text.interval(worst.judgement),
        "setup": worst.setup,
    }


def parts_table(judgements: Sequence[GoalJudgement], caption: str = "") -> Table | None:
    """The setups of those goals that are about several, the worst first; None if none is."""
    rows = [
        [each.listed.goal.goal, part.setup, _cell(part), word(part.judgement.verdict)]
        for each in judgements
        if len(each.parts) > 1
        for part in each.parts
    ]
    columns = ["Goal", "Where", "From the data", "Verdict"]
    return Table(columns, rows, caption, {"Verdict": badge}) if rows else None


def _with_note(judgement: GoalJudgement) -> str:
    goal = judgement.listed.goal
    return f"{goal.goal}\n{goal.because}" if goal.because else goal.goal


def _cell(part: Part) -> str:
    text = verdict_text.estimate(part.judgement)
    more = "; ".join(filter(None, (verdict_text.interval(part.judgement), part.behind)))
    return f"{text}\n{more}" if more else text


def why(judgement: GoalJudgement) -> str:
    """The reason in words, with the setup that it is of where there are several."""
    worst, parts = judgement.parts[0], judgement.parts
    said = worst.judgement.why
    if len(parts) == 1:
        return said
    same = sum(part.judgement.verdict is judgement.verdict for part in parts)
    count = f"{same} of {len(parts)} setups" if same < len(parts) else f"all {len(parts)} setups"
    first = "for example" if judgement.verdict is Verdict.UNJUDGED else "the nearest to it"
    first = first if judgement.verdict is not Verdict.FAILS else "the worst"
    return f"{count}; {first}: {worst.setup or 'without factors'}: {said}"


def counts(judgements: Sequence[GoalJudgement]) -> str:
    """How many goals have which verdict: “4 goals: 2 hold, 1 missed, 1 open”."""
    order = (Verdict.FAILS, Verdict.OPEN, Verdict.UNJUDGED, Verdict.HOLDS)
    words = {verdict: (word(verdict), word(verdict)) for verdict in order}
    words[Verdict.HOLDS] = (word(Verdict.HOLDS), "hold")
    return verdict_text.tallied("goal", [each.verdict for each in judgements], words)


def unseen(judgements: Sequence[GoalJudgement]) -> list[str]:
    """What to tell of runs that no goal of their study sees, for want of factors that all name."""
    found = []
    for study in dict.fromkeys(each.listed.study for each in judgements):
        alike: dict[str, list[str]] = {}
        first, *others = (each.without for each in judgements if each.listed.study == study)
        for run in first:
            if all(run in each for each in others):
                lacking = (name for each in (first, *others) for name in each[run])
                alike.setdefault(", ".join(dict.fromkeys(lacking)), []).append(run)
        for names, runs in alike.items():
            found.append(
                f"no goal of {study} sees {few(runs, 3)}: without {names} under factors in run.yml"
            )
    return found


def record(judgement: GoalJudgement) -> dict[str, Any]:
    """A judgement as plain data, for JSON; numbers that are not known are null."""
    listed = judgement.listed
    return {
        "study": listed.study, "goal": listed.goal.goal, "file": listed.file, "line": listed.line,
        "metric": listed.goal.metric, "accepted": listed.goal.accepted(),
        "verdict": word(judgement.verdict), "why": why(judgement),
        "setups": [_record(part) for part in judgement.parts],
        "excluded": dict(judgement.excluded), "without_factors": dict(judgement.without),
    }  # fmt: skip


def _record(part: Part) -> dict[str, Any]:
    found = part.judgement
    value, low, high = (
        None if found.measured is None or not math.isfinite(number) else number
        for number in (
            (found.measured.estimate, found.measured.low, found.measured.high)
            if found.measured
            else (math.nan,) * 3
        )
    )
    ratio = found.claim.kind == "ratio"
    return {
        "setup": part.setup, "value": found.text or value, "low": low, "high": high,
        "unit": "×" if ratio else found.claim.unit, "n": found.repetitions, "behind": part.behind,
        "origin": found.origin, "verdict": word(found.verdict), "why": found.why,
    }  # fmt: skip


def is_failure(judgement: GoalJudgement, strict: bool) -> bool:
    """Whether a goal lets the command fail: missed, or with ``strict`` anything but held."""
    return judgement.missed or (strict and judgement.verdict is not Verdict.HOLDS)


def junit(judgements: Sequence[GoalJudgement], strict: bool) -> str:
    """The verdicts as JUnit XML, as CI systems show them: one test case per goal.

    A missed goal is a failure; an open one is skipped, or with ``strict`` a failure, too.
    """
    root = Xml.Element("testsuites", name="goals")
    for study in dict.fromkeys(each.listed.study for each in judgements):
        of_study = [each for each in judgements if each.listed.study == study]
        failed = sum(is_failure(each, strict) for each in of_study)
        skipped = sum(
            each.verdict is not Verdict.HOLDS and not is_failure(each, strict) for each in of_study
        )
        suite = Xml.SubElement(
            root, "testsuite", name=study, tests=str(len(of_study)), failures=str(failed),
            errors="0", skipped=str(skipped),
        )  # fmt: skip
        excluded = {run: why for each in of_study for run, why in each.excluded.items()}
        if excluded:
            properties = Xml.SubElement(suite, "properties")
            for said in (_clean(f"{run}: {reason}") for run, reason in excluded.items()):
                Xml.SubElement(properties, "property", name="excluded", value=said)
        for each in of_study:
            _case(suite, each, strict)
    Xml.indent(root)
    written: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return written.decode() + "\n"


def _case(suite: Xml.Element, judgement: GoalJudgement, strict: bool) -> None:
    listed = judgement.listed
    case = Xml.SubElement(
        suite, "testcase", name=_clean(listed.goal.goal), classname=f"goals.{listed.study}",
        file=listed.file, line=str(listed.line),
    )  # fmt: skip
    said = _clean(_sentence(judgement))
    if is_failure(judgement, strict):
        Xml.SubElement(case, "failure", message=said, type=word(judgement.verdict)).text = said
    elif judgement.verdict is not Verdict.HOLDS:
        Xml.SubElement(case, "skipped", message=said)
    else:
        Xml.SubElement(case, "system-out").text = said


def _sentence(judgement: GoalJudgement) -> str:
    goal = judgement.listed.goal
    return (
        f"{word(judgement.verdict)}: accepted is {goal.accepted()}, from the data"
        f" {data(judgement.parts[0])}: {why(judgement)}"
    )


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)


def github(judgements: Sequence[GoalJudgement], strict: bool) -> list[str]:
    """A line for each goal that does not hold, by which GitHub marks its line in the file."""
    lines = []
    for each in judgements:
        if each.verdict is not Verdict.HOLDS:
            level = "error" if is_failure(each, strict) else "warning"
            place = f"file={_property(each.listed.file)},line={each.listed.line}"
            title = _property(each.listed.goal.goal)
            lines.append(f"::{level} {place},title={title}::{_message(_sentence(each))}")
    return lines


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
