"""The results as a page of the book, with a chart of all ratios and their targets."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import altair as alt
import pandas as pd

from benchmarks.measure import REPOSITORY
from benchmarks.report import (
    NO,
    YES,
    Claim,
    Table,
    claims,
    left_out,
    markdown,
    measured,
    megabytes,
    put,
    tables,
    two_processors,
)
from benchmarks.results import Found
from studybook.charts import look, renderer
from studybook.charts.drawing import standalone
from studybook.charts.palette import INK, MUTED, colours
from studybook.statistics.comparatives import compared
from studybook.text import counted, spaced

PAGE = REPOSITORY / "book/benchmarks.md"
CHART = REPOSITORY / "book/_static/benchmarks.svg"

#: Words of a claim that is met, or missed, with the colour of each.
_KINDS = {"target met": colours()["read"], "target missed": colours()["write"]}


def write(found: Found, page: Path = PAGE, chart: Path = CHART) -> None:
    """Write chart and page anew.

    Parameters
    ----------
    found : dict
        What was measured.
    page, chart : pathlib.Path
        Where they are.
    """
    chart.write_text(drawn(found), encoding="utf-8")
    put(page, of_page(found))


def _shown(found: Found) -> list[Claim]:
    """What the page shows: each comparison as measured with the most processors."""
    every = [*claims(found), *two_processors(found)]
    most = max((each.processors for each in every), default=1)
    return [each for each in every if each.processors == most]


def answer(found: Found) -> str:
    """What the results say, in some sentences."""
    rows = [row for table in tables(found) for row in table.rows]
    kept = sum(row[-1] == YES for row in rows)
    sentences = [f"{kept} of {counted(len(rows), 'target')} are met."]
    books = [each for each in _shown(found) if each.whole]
    sentences += [
        f"With {each.against}, a {each.what} takes"
        f" {compared(each.ratio - 1, None, None, 'more time than')} with this project."
        for each in books
    ]
    slower = [each for each in _shown(found) if each.ratio < 1]
    if slower:
        losses = [f"{each.what} (against {each.against})" for each in slower]
        sentences.append(f"Slower than what it stands beside: {'; '.join(losses)}.")
    return spaced(" ".join(sentences))


def drawn(found: Found) -> str:
    """The chart, as SVG."""
    frame = pd.DataFrame(
        {
            "origin": "measured",
            "run": each.what,
            "claim": f"{each.what} / {each.against}",
            "ratio": each.ratio,
            "target": each.target,
            "verdict": "target met" if each.met else "target missed",
        }
        for each in _shown(found)
    )
    look.use()
    order = frame["claim"].tolist()
    far = [*frame["ratio"], *frame["target"], 1]
    scale = alt.Scale(type="log", domain=[0.9 * min(far), 1.1 * max(far)], nice=False)
    x = alt.X("ratio:Q").title("Times as fast (a line: the target)").scale(scale)
    y = alt.Y("claim:N").title(None).sort(order).axis(labelLimit=400)
    base = alt.Chart(frame)
    colour = alt.Color("verdict:N").title(None).scale(
        domain=list(_KINDS), range=list(_KINDS.values())
    )  # fmt: skip
    chart = alt.layer(
        alt.Chart(frame).mark_rule(color=MUTED, strokeDash=[3, 3]).encode(x=alt.datum(1)),
        base.mark_point(filled=True, size=90, opacity=1).encode(x=x, y=y, color=colour),
        base.mark_tick(color=INK, thickness=2, size=18).encode(x="target:Q", y=y),
        data=frame,
    ).properties(width=340, height=22 * len(frame))
    closed = look.finding(
        chart,
        title="How many times as fast, and how fast it is to be",
        subtitle="By bytes per second, or by whole books; dashed: as fast as the other side",
        description=description(found),
    )
    (spec,) = [
        value for key, value in renderer.render(closed.to_dict()).items()
        if key == renderer.MIME_TYPE
    ]  # fmt: skip
    return standalone(spec)


def description(found: Found) -> str:
    """The chart, for readers who do not see it."""
    said = [
        f"{each.what} against {each.against}: {each.ratio:.2f} of {each.target:g}"
        for each in _shown(found)
    ]
    return f"How many times as fast, with the target. {'; '.join(said)}."


def of_page(found: Found) -> str:
    """What stands between the markers of the page."""
    parts = [
        answer(found) + "\n",
        f"![{description(found)}](_static/benchmarks.svg)\n",
        f"**Where this page's data come from:** {measured(found)}\n",
        left_out(found),
        "## Beside others\n",
        markdown(_ratios(claims(found))),
        "## All processors beside one\n",
        markdown(_ratios(two_processors(found))),
        "## Memory and reports\n",
        markdown(_bounds(found)),
    ]
    return "\n".join(filter(None, parts))


def _ratios(found: list[Claim]) -> Table:
    heading = ("what", "against", "processors", "ratio", "target", "met")
    rows = [
        [
            each.what, each.against, str(each.processors), f"{each.ratio:.2f}",
            f"{each.target:g}", YES if each.met else NO,
        ]
        for each in found
    ]  # fmt: skip
    return Table(heading, rows)


def _bounds(found: Found) -> Table:
    loads = [case for case in found["cases"] if not case["whole"]]
    rows = [
        [
            case["case"], megabytes(case["bytes"]), str(case["processors"]),
            f"{median(ours['models_s']):.1f}", f"{median(ours['report_s']):.2f}",
            f"{max(ours['peak_mib']):,.0f}", f"{max(ours['together_mib']):,.0f}",
        ]
        for case in loads
        for ours in [case["tasks"][0]]
    ]  # fmt: skip
    heading = (
        "what", "MB", "processors", "models, s", "report, s", "largest, MiB", "all, MiB",
    )  # fmt: skip
    return Table(heading, rows)
