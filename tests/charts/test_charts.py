"""The look of the book: what the renderer lets pass, what the page makes of it."""

from __future__ import annotations

import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import altair as alt
import nbformat
import numpy as np
import pandas as pd
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook, new_output

from studybook.charts import axes, bundle, data_table, look, marks, page, palette
from studybook.charts.drawing import draw, standalone
from studybook.charts.palette import COLOURS, HUES, INKS, STEPS
from studybook.charts.renderer import MAX_ROWS, MIME_TYPE, finite, headings, render
from studybook.dataset.definition import Hue
from studybook.errors import StudyBookError

#: The alternative text of the chart of these tests: it names the origins, too.
DESCRIBED = "Two setups. (measured, simulated and published)"

WHITE, DARK = "#ffffff", "#14181e"


@pytest.fixture(autouse=True)
def the_look() -> None:
    look.use()


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        [
            ("simulated", "sd-1 sd-2", "SD", 301.4, 292.0, 311.0),
            ("measured", "nsd-1", "NSD", 391.25, 377.0, 404.0),
            ("published", None, "SD", 300.0, None, None),
        ],
        columns=["origin", "run", "cluster", "value", "low", "high"],
    )


def named(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(origin="measured", run="one")


def base(data: pd.DataFrame | None = None) -> alt.Chart:
    data = frame() if data is None else data
    return alt.Chart(data).encode(
        x=alt.X("value:Q").title("Mean response time (ms)"),
        y=alt.Y("cluster:N").title(None),
        color=look.colour(data, "cluster"),
    )


def chart(data: pd.DataFrame | None = None, **words: str) -> Any:
    start = base(data)
    layers = marks.interval_dots(start) + marks.published_marks(start) + marks.direct_labels(start)
    said = {"title": "NSD takes longer", "subtitle": "Mean", "description": "Two setups."}
    return look.finding(layers, **{**said, **words})


def spec(**words: str) -> dict[str, Any]:
    rendered: dict[str, Any] = render(chart(**words).to_dict())[MIME_TYPE]
    return rendered


# ---- the renderer ----------------------------------------------------------------------


def test_the_same_chart_gives_the_same_bytes() -> None:
    first, second = (json.dumps(render(chart().to_dict())) for _ in range(2))
    assert first == second


def test_another_value_gives_other_bytes() -> None:
    changed = frame()
    changed.loc[0, "value"] += 0.001
    assert json.dumps(render(chart().to_dict())) != json.dumps(render(chart(changed).to_dict()))


def test_the_bundle_is_a_valid_notebook_output() -> None:
    bundle_of_types = render(chart().to_dict())
    output = new_output("display_data", data=bundle_of_types)
    nbformat.validate(new_notebook(cells=[new_code_cell(outputs=[output])]))
    assert bundle_of_types["text/plain"] == f"[chart] {DESCRIBED}"


def test_the_renderer_is_found_by_its_entry_point() -> None:
    assert alt.renderers.active == "book"
    assert MIME_TYPE in chart()._repr_mimebundle_()


def test_columns_keep_their_order_in_a_notebook_that_sorts_keys() -> None:
    assert spec()["usermeta"]["columns"] == ["origin", "run", "cluster", "value", "low", "high"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [({"title": ""}, "no title"), ({"description": "  "}, "no description")],
)
def test_a_chart_without_words_is_refused(words: dict[str, str], reason: str) -> None:
    with pytest.raises(StudyBookError, match=reason):
        render(chart(**words).to_dict())


def test_a_chart_of_raw_rows_is_refused() -> None:
    rows = pd.DataFrame({"value": range(MAX_ROWS + 1)})
    many = look.finding(
        alt.Chart(rows).mark_point().encode(x="value:Q"), title="T", description="D"
    )
    with pytest.raises(StudyBookError, match="2,001 rows"):
        render(many.to_dict())


def test_a_second_data_set_is_refused() -> None:
    two = alt.layer(base().mark_point(), base(frame().head(1)).mark_rule())
    with pytest.raises(StudyBookError, match="2 data sets"):
        render(look.finding(two, title="T", description="D").to_dict())


def test_a_constant_line_is_no_second_data_set() -> None:
    goal = alt.Chart().mark_rule().encode(x=alt.datum(400))
    render(look.finding(base().mark_point() + goal, title="T", description="D").to_dict())


def test_data_from_an_address_is_refused() -> None:
    far = alt.Chart("https://example.org/data.csv").mark_point().encode(x="value:Q")
    with pytest.raises(StudyBookError, match="without a network"):
        render(look.finding(far, title="T", description="D").to_dict())


def test_an_infinite_number_is_refused() -> None:
    broken = frame()
    broken.loc[0, "high"] = np.inf
    with pytest.raises(StudyBookError, match=r"“high”.*not finite"):
        chart(broken).to_dict()
    line = alt.Chart().mark_rule().encode(x=alt.datum(float("inf")))
    with pytest.raises(StudyBookError, match="not finite"):
        render({**line.to_dict(), "title": "T", "description": "D"})


def test_a_missing_number_is_fine() -> None:
    rows = finite(frame())["values"]
    assert rows[2]["low"] is None


def test_a_refused_chart_fails_its_notebook() -> None:
    """IPython swallows what a display hook raises; the run must fail all the same."""
    code = (
        "import altair as alt, pandas as pd\n"
        "from studybook.charts import look\n"
        "look.use()\n"
        "alt.Chart(pd.DataFrame({'value': [1]})).mark_point()"
    )
    notebook = new_notebook(cells=[new_code_cell(code)])
    with pytest.raises(CellExecutionError, match="has no title"):
        NotebookClient(notebook, timeout=600, kernel_name="python3").execute()


# ---- the look --------------------------------------------------------------------------


def test_headings_wrap_and_name_the_origins() -> None:
    long = "A finding that is a whole sentence and is longer than one line of a chart can be"
    said = chart(title=long).to_dict()["title"]
    assert len(said["text"]) == 2
    assert said["subtitle"] == ["Mean", "● measured · ◐ simulated · ◇ published"]
    assert headings(spec(title=long))[0] == long


def test_the_legend_names_the_values_in_the_data_only() -> None:
    scale = look.colour(frame(), "cluster").to_dict()["scale"]
    assert scale == {"domain": ["SD", "NSD"], "range": [HUES["teal"], HUES["violet"]]}


def test_a_value_without_a_colour_is_refused() -> None:
    with pytest.raises(StudyBookError, match=r"XYZ.*cluster"):
        look.colour(frame().replace({"cluster": {"SD": "XYZ"}}), "cluster")


def test_steps_follow_the_order_of_the_factor() -> None:
    sizes = pd.DataFrame({"cpus": [8, 1, 2, 4, 1]})
    scale = look.steps(sizes, "cpus").to_dict()["scale"]
    assert scale == {"domain": [1, 2, 4, 8], "range": list(STEPS)}


def test_published_values_are_hollow_diamonds_and_nothing_else_is() -> None:
    start = base()
    for drawn in (marks.interval_dots(start), marks.interval_bars(start, "x")):
        written = json.dumps(drawn.to_dict()["layer"])
        assert "diamond" not in written
        assert written.count("(!((datum.origin === 'published')") == written.count('"mark"')
    [diamond] = marks.published_marks(start).to_dict()["layer"]
    assert diamond["mark"]["shape"] == "diamond"
    assert diamond["mark"]["filled"] is False
    assert diamond["transform"] == [
        {"filter": "(datum.origin === 'published')"},
        {"filter": "isValid(datum.value)"},
    ]


def test_only_a_printed_number_is_a_diamond() -> None:
    said = [
        {"origin": "published", "value": 300, "low": None, "high": None},
        {"origin": "published", "value": None, "low": 10, "high": 15},
        {"origin": "published", "value": None, "low": 20, "high": None},
        {"origin": "published", "value": None, "low": None, "high": 10},
        {"origin": "our reading", "value": None, "low": 0.95, "high": 1.05},
        {"origin": "our reading", "value": None, "low": 0.99, "high": None},
    ]
    frame = pd.DataFrame(said).assign(run="–", cluster="SD", label="“as it was”")
    base = alt.Chart(frame).encode(x="value:Q", y="cluster:N")
    drawn = marks.published_marks(base).to_dict()["layer"]
    kinds = [(each["mark"]["type"], each["mark"].get("shape")) for each in drawn]
    assert [shape for _, shape in kinds].count("diamond") == 1
    assert [kind for kind, _ in kinds] == ["point", "bar", "point", "point", "bar", "point"]
    assert [each["encoding"]["x"]["field"] for each in drawn] == [
        "value", "low", "low", "high", "low", "low",
    ]  # fmt: skip
    dashed = ["strokeDash" in each["mark"] for each in drawn]
    assert dashed == [False] * 4 + [True] * 2
    closed = look.finding(base.mark_point(), title="T", description="D").to_dict()
    key = closed["title"]["subtitle"][-1]
    assert key == "◇ published · ┅ our reading · bar: a range · arrow: a bound"


def test_long_words_are_cut_at_the_mark_and_whole_beside_it() -> None:
    label = marks.direct_labels(base(), text="label:N", published=True).to_dict()
    assert label["encoding"]["text"]["field"] == "said"
    assert label["encoding"]["detail"]["field"] == "label"
    [cut] = [each["calculate"] for each in label["transform"] if each.get("as") == "said"]
    pattern = re.search(r"regexp\('(.+?)', 'g'\)", cut)
    assert pattern is not None
    for words, shown in (
        ("“nearly 4 times higher”", "“nearly 4 times higher”"),
        ("1.5 IFLs; “two CPs being sufficient for all scenarios”", "1.5 IFLs; “two CPs being …”"),
    ):
        assert re.sub(pattern[1], r"“\1 …”", words) == shown


def test_an_interval_keeps_the_axis_of_its_value() -> None:
    rule = marks.interval_dots(base()).to_dict()["layer"][0]["encoding"]
    assert rule["x"]["field"] == "low"
    assert rule["x2"]["field"] == "high"
    assert rule["x"]["title"] == "Mean response time (ms)"


def test_labels_of_published_values_stand_apart() -> None:
    own, published = (
        marks.direct_labels(base(), published=which).to_dict()["mark"] for which in (False, True)
    )
    assert own["dy"] < 0 < published["dy"]
    assert (own["fontStyle"], published["fontStyle"]) == ("normal", "italic")


def test_a_label_at_the_end_stands_beyond_the_interval() -> None:
    label = marks.direct_labels(base(), "x", side="end").to_dict()
    assert label["encoding"]["x"]["field"] == "end"
    assert label["mark"]["align"] == "left"


def test_a_long_series_has_no_dots() -> None:
    drawn = marks.interval_lines(base(), "x", dots=False).to_dict()["layer"]
    assert [part["mark"]["type"] for part in drawn] == ["area", "line"]


def test_a_page_shows_two_panels_and_folds_the_others() -> None:
    start = base()
    panels = [marks.layered(marks.interval_dots(start), height=150) for _ in range(4)]
    for count, folded in ((2, 0), (3, 1), (4, 2)):
        chart = alt.vconcat(*panels[:count], data=frame())
        shown = render(look.finding(chart, title="T", description="D").to_dict())[MIME_TYPE]
        html = page.figure(shown, "1-0")
        assert html.count('class="study-chart-view"') == 1 + bool(folded)
        assert (f"{folded} more panel" in html) == bool(folded)


def test_each_line_has_a_shape_and_dots_zoom_to_where_they_are() -> None:
    lines = base().encode(x="cluster:N", y="value:Q")
    drawn = marks.interval_lines(lines).to_dict()["layer"][-1]["encoding"]["shape"]["scale"]
    assert drawn == {"domain": ["SD", "NSD"], "range": ["circle", "square"]}
    assert "shape" not in marks.interval_dots(base()).to_dict()["layer"][-1]["encoding"]
    low, high = axes.around(frame())["domain"]
    assert 250 < low < 292
    assert 404 < high < 440
    assert axes.around(frame().assign(value=1.0, low=0.0))["domain"][0] == 0


def test_a_picture_has_title_description_and_background() -> None:
    svg = standalone(spec())
    assert "<title>NSD takes longer</title>" in svg
    assert f"<desc>{DESCRIBED}</desc>" in svg
    assert 'fill="#ffffff"' in svg
    assert "font-family=\"'Liberation Sans', " in svg


# ---- the palette -----------------------------------------------------------------------


def linear(colour: str) -> np.ndarray:
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Compute the contrast ratio of WCAG 2.2."""
    lights = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def test_contrast_follows_the_definition() -> None:
    assert contrast("#000000", WHITE) == pytest.approx(21)
    assert contrast("#777777", WHITE) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("colour", [*HUES.values(), *palette.spread(7)])
def test_every_colour_can_be_seen_on_both_pages(colour: str) -> None:
    assert contrast(colour, WHITE) >= 3
    assert contrast(colour, DARK) >= 3
    assert contrast(colour, INKS["paper"][1]) >= 3


@pytest.mark.parametrize("role", ["ink", "muted"])
def test_every_text_can_be_read_on_both_pages(role: str) -> None:
    light, dark = INKS[role]
    assert contrast(light, WHITE) >= 4.5
    assert contrast(dark, DARK) >= 4.5


# Machado, Oliveira and Fernandes 2009, severity 1: what a reader with the deficiency sees
VISION = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def oklab(light: np.ndarray) -> np.ndarray:
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    opponents = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return opponents @ np.cbrt(np.clip(cones @ light, 0, None))


def apart(one: str, other: str, vision: str) -> float:
    seen = [oklab(np.clip(VISION[vision] @ linear(colour), 0, 1)) for colour in (one, other)]
    return 100 * float(np.linalg.norm(seen[0] - seen[1]))


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize(
    "together",
    [
        ("read", "write", "mixed"),
        ("busy", "iowait", "steal"),
        ("application", "database", "hypervisor"),
    ],
)
def test_colours_drawn_together_differ_for_every_reader(
    together: tuple[str, ...], vision: str
) -> None:
    for one, other in itertools.combinations(together, 2):
        assert apart(HUES[COLOURS[one]], HUES[COLOURS[other]], vision) >= 8, (one, other)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("together", [("teal", "slate", "violet", "ochre"), ("blue", "grey")])
def test_colours_for_setups_differ_for_every_reader(together: tuple[Hue, ...], vision: str) -> None:
    for one, other in itertools.combinations(together, 2):
        assert apart(HUES[one], HUES[other], vision) >= 8, (one, other)


def test_a_study_names_colours_that_there_are() -> None:
    assert {*get_args(Hue)} == {*HUES}


@pytest.mark.parametrize("vision", VISION)
def test_neighbouring_steps_differ_for_every_reader(vision: str) -> None:
    # steps are ordered, and stand side by side or in a legend in their order
    assert all(apart(one, other, vision) >= 5 for one, other in itertools.pairwise(STEPS))


def test_spread_begins_and_ends_with_the_ramp() -> None:
    assert palette.spread(1) == [STEPS[0]]
    assert palette.spread(2) == [STEPS[0], STEPS[-1]]
    assert palette.spread(0) == []


# ---- the page --------------------------------------------------------------------------


class Elements(HTMLParser):
    """The elements of a piece of HTML, with their attributes and their text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        self.found.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        """Add text to the element that began last."""
        if self.found:
            tag, attrs, text = self.found[-1]
            self.found[-1] = (tag, attrs, text + data)

    def of(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        """Pick the elements of one kind."""
        return [(attrs, text.strip()) for found, attrs, text in self.found if found == tag]


NASTY = 'Nothing </script><script>alert("1")</script> & nothing <!-- else'


def test_words_cannot_become_markup() -> None:
    data = frame()
    data["note"], data["same"] = [NASTY, *[""] * (len(data) - 1)], NASTY
    said = chart(data, title=NASTY, subtitle=NASTY, description=NASTY)
    written = render(said.encode(detail=["note:N", "same:N"]).to_dict())
    elements = Elements(page.figure(written[MIME_TYPE], "1-0"))
    (script,) = elements.of("script")
    assert json.loads(script[1])["description"].startswith(NASTY)
    (drawing,) = elements.of("svg")
    assert drawing[0]["aria-label"].startswith(NASTY)
    assert NASTY in [text for _, text in elements.of("td")]
    assert f"same: {NASTY}" in [text.partition(": ")[2] for _, text in elements.of("p")]
    assert elements.of("div")[0][1] == elements.of("p")[0][1] == NASTY


def test_the_drawing_has_the_finding_and_the_description_as_its_name() -> None:
    html = page.figure(spec(), "1-0")
    (drawing,) = Elements(html).of("svg")
    assert drawing[0]["role"] == "img"
    assert drawing[0]["aria-label"] == f"NSD takes longer. {DESCRIBED}"
    # one name for the drawing, and none for each of its marks
    assert len(re.findall("aria-label=", html)) == 2  # the drawing, and the table


def test_a_long_description_is_cut_between_values_and_leads_to_the_table() -> None:
    values = "; ".join(f"setup {number}: {number}.5 ms" for number in range(99))
    (drawing,) = Elements(page.figure(spec(description=f"Times: {values}."), "1-0")).of("svg")
    said = str(drawing[0]["aria-label"])
    assert said.startswith("NSD takes longer. Times: setup 0: 0.5 ms; setup 1")
    assert re.search(r"\.5 ms … All values are in the data table\.$", said)
    assert 570 < len(said) <= 600


def test_marks_are_silent() -> None:
    (drawing,) = re.findall(r"<svg.*</svg>", page.figure(spec(), "1-0"))
    assert "graphics-symbol" not in drawing


def test_headings_are_text_of_the_page_and_not_of_the_drawing() -> None:
    html = page.figure(spec(), "1-0")
    caption, drawing = html.split("</figcaption>")
    assert "NSD takes longer" in caption
    drawn = re.sub(r'(aria-label=|"description":)"[^"]*"', "", drawing.split("<details")[0])
    assert "NSD takes longer" not in drawn
    badges = re.findall(r'class="origin-(\w+)"', caption)
    assert badges == ["measured", "simulated", "published"]
    assert "◇" not in caption


def test_a_drawing_is_the_same_whatever_was_drawn_before() -> None:
    clipped = alt.layer(base().mark_point(clip=True)).to_dict()
    first = draw(clipped)
    assert "url(#clip0)" in first
    assert draw(clipped) == first


def test_ids_are_unique_in_a_page() -> None:
    clipped = alt.layer(base().mark_point(clip=True)).to_dict()
    one = render({**clipped, "title": "T", "description": "D"})[MIME_TYPE]
    html = page.figure(one, "1-0") + page.figure(one, "1-1") + page.figure(spec(), "2-0")
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert any("clip" in name for name in ids)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]+)\)", html)) <= set(ids)


def test_inks_follow_the_page() -> None:
    html = page.figure(spec(), "1-0")
    assert f"var(--study-ink, {INKS['ink'][0]})" in html
    assert f'"{INKS["ink"][0]}"' not in html


def test_the_data_table_tells_every_value() -> None:
    elements = Elements(page.figure(spec(), "1-0"))
    heads = [text for _, text in elements.of("th")]
    assert heads == ["origin", "cluster", "Mean response time (ms)", "interval", "run"]
    cells = [text for _, text in elements.of("td")]
    assert cells[:5] == ["simulated", "SD", "301.4", "292 to 311", "sd-1 sd-2"]
    assert cells[-2:] == ["–", "–"]
    assert all(attrs["scope"] == "col" for attrs, _ in elements.of("th"))


def test_the_data_table_has_the_columns_that_are_drawn() -> None:
    data = frame().assign(
        drawn=range(3),
        kept=range(3),
        behind=range(3),
        told=["a", "b", None],
        whole=["ax", "bx", "c"],
    )
    drawn = chart(data).encode(detail="drawn:N").transform_filter("datum['kept'] < 9")
    elements = Elements(page.figure(render(drawn.to_dict())[MIME_TYPE], "1-0"))
    heads = [text for _, text in elements.of("th")]
    assert {"drawn", "kept", "whole"} <= {*heads}
    assert not {"behind", "told"} & {*heads}


def test_a_column_with_two_axes_has_the_title_of_neither() -> None:
    base = alt.Chart(named(pd.DataFrame({"value": [1, 2], "system": ["SD", "NSD"]}))).mark_point()
    x = alt.X("system:N").title("Cluster")
    both = alt.vconcat(
        base.encode(x=x, y=alt.Y("value:Q").title("Response time (ms)")),
        base.encode(x=x, y=alt.Y("value:Q").title("Difference (ms)")),
    )
    two = look.finding(both, title="T", description="D")
    elements = Elements(page.figure(render(two.to_dict())[MIME_TYPE], "1-0"))
    assert {text for _, text in elements.of("th")} == {"value", "Cluster"}


def test_a_long_data_table_is_cut_and_says_so() -> None:
    rows = named(pd.DataFrame({"value": range(250)}))
    long = look.finding(
        alt.Chart(rows).mark_point().encode(x="value:Q"), title="T", description="D"
    )
    elements = Elements(page.figure(render(long.to_dict())[MIME_TYPE], "1-0"))
    assert len(elements.of("tr")) == 201
    assert "the first 200 of 250 rows" in elements.of("caption")[0][1]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (41804.58, "41,805"),
        (8194.47, "8,194"),
        (0.000104366, "0.0001044"),
        (1000, "1,000"),
        (1234567.8, "1,234,568"),
        (300.0, "300"),
        (999.96, "1,000"),
        (-0.0, "0"),
        (1e-05, "0.00001"),
        (None, "–"),
        (True, "yes"),
        ("read", "read"),
    ],
)
def test_numbers_of_the_table(value: Any, text: str) -> None:
    assert data_table.number(value) == text


def test_the_plugin_takes_charts_only() -> None:
    def output(mime_type: str, content: Any) -> SimpleNamespace:
        return SimpleNamespace(mime_type=mime_type, content=content, cell_index=1, output_index=0)

    take = page.ChartRenderer.handle_mime
    assert take(None, output("text/plain", "a chart"), False) is None
    (node,) = take(None, output(MIME_TYPE, spec()), False) or []
    assert node["format"] == "html"
    (text,) = take(None, output(MIME_TYPE, spec()), True) or []
    assert text.astext() == DESCRIBED


# ---- the browser side ------------------------------------------------------------------


def test_assets_hold_no_address_of_another_host(tmp_path: Path) -> None:
    bundle.write_assets(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "study-chart.css",
        "study-chart.js",
        "vega-bundle.js",
    ]
    for name in (bundle.SCRIPT, bundle.STYLE):
        assert "http" not in (tmp_path / name).read_text()


def test_assets_are_the_same_each_time_and_vega_is_written_once(tmp_path: Path) -> None:
    bundle.write_assets(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    written = (tmp_path / bundle.VEGA).stat().st_mtime_ns
    bundle.write_assets(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert (tmp_path / bundle.VEGA).stat().st_mtime_ns == written


def test_the_style_knows_every_ink() -> None:
    rules = bundle.inks()
    for role, (light, dark) in INKS.items():
        assert f"--study-{role}: {light};" in rules
        assert f"--study-{role}: {dark};" in rules
