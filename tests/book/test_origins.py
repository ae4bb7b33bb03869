"""Where numbers come from, once over the whole book: charts, tooltips, drawings, CSV, tallies."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import vl_convert

from studybook.charts.look import SIGNS
from studybook.charts.renderer import headings, table
from studybook.claims.judge import published
from studybook.claims.published_values import Claim
from studybook.claims.verdict import Verdict
from studybook.engine.outputs import METADATA
from studybook.frames import document
from studybook.study.origin import BETWEEN, NO_RUN
from studybook.units import metric, unit_of
from testbed.targets import read_targets
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.book

FIGURES = REPOSITORY / "build/reference/figures"
RUNS = REPOSITORY / "data/raw/reference"

STUDIES = ("ecm-scaleout", "filenet-p8", "flexible-scale", "linux-z900")

#: What the documents print, as the model has it: the numbers by their texts.
TARGETS = {
    each.text: each.number
    for study in ("ecm-scaleout", "filenet-p8")
    for each in read_targets(study)
    if each.number is not None
}

Spec = dict[str, Any]


def charts() -> list[Path]:
    return sorted(FIGURES.glob("*/*.vl.json"))


def read(path: Path) -> Spec:
    found: Spec = json.loads(path.read_text(encoding="utf-8"))
    return found


def named(path: Path, suffix: str) -> Path:
    return path.with_name(path.name.removesuffix(".vl.json") + suffix)


def marks_of(part: Any) -> Iterator[dict[str, Any]]:
    """Yield every mark of a Vega specification."""
    if isinstance(part, dict):
        if "encode" in part and part.get("type") not in (None, "group"):
            yield part
        for inner in part.values():
            yield from marks_of(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from marks_of(inner)


def units_of(part: Any) -> Iterator[Spec]:
    """Yield every part of a Vega-Lite specification that has a mark."""
    if isinstance(part, dict):
        if "mark" in part and "encoding" in part:
            yield part
        for key, inner in part.items():
            if key not in ("data", "datasets", "config"):
                yield from units_of(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from units_of(inner)


def test_there_are_charts() -> None:
    studies = {path.parent.name for path in charts()}
    assert {*STUDIES, "testbed"} <= studies


EACH = pytest.mark.parametrize(
    "path", charts(), ids=lambda path: f"{path.parent.name}/{path.name.split('.')[0]}"
)


@EACH
def test_csv_names_origin_and_run_in_each_row(path: Path) -> None:
    found = pd.read_csv(named(path, ".csv"))
    assert len(found)
    assert found[["origin", "run"]].notna().all(axis=None)
    assert set(found["origin"]) <= SIGNS.keys()
    there = {run.name for run in RUNS.glob("*/*") if run.is_dir()}
    for origin, run in found[["origin", "run"]].drop_duplicates().to_numpy():
        if run == NO_RUN:
            # No run is behind documents, ideas and what the model is asked.
            asked = path.parent.name == "testbed"
            assert asked or origin in (*document.ORIGINS, "schema")
        else:
            assert set(run.split(BETWEEN)) <= there


@EACH
def test_units_of_the_csv_stand_beside_it(path: Path) -> None:
    csv = named(path, ".csv")
    described = read(csv.with_name(csv.name + METADATA))
    assert described["@context"] == "http://www.w3.org/ns/csvw"
    assert described["url"] == csv.name
    columns = {each["name"]: each for each in described["tableSchema"]["columns"]}
    found = pd.read_csv(csv)
    assert list(columns) == list(found)
    if path.parent.name in STUDIES:
        published(path.parent.name)  # its metrics are known from then on
    measured = described.get("schema:variableMeasured", [])
    if "metric" not in found and "quantity" in found:
        units = {(each["schema:name"], each["schema:unitText"]) for each in measured}
        quantities = found["quantity"].dropna().unique()
        assert units == {(name, unit_of(name)[1] or "1") for name in quantities}
        return
    units = {
        (each["schema:name"], each["schema:unitText"])
        for each in measured
        if each["schema:description"] == metric(each["schema:name"]).label
    }
    plain = (
        found[~found["part"].isin(["difference", "knee", "residual"])] if "part" in found else found
    )
    names = set(plain["metric"].dropna()) if "metric" in plain else set()
    assert units == {(name, metric(name).unit or "1") for name in names}


#: Columns of numbers that have no unit: how many, which, how many times, how far in a drawing.
PURE = frozenset(
    [
        *("n", "number", "runs", "repetitions", "users", "nodes", "processes", "storage_systems"),
        *("ce_pe_cpus", "load_level", "at_most", "times", "busy", "lowest", "highest", "place"),
        *("sd_low", "sd_high", "agrees_from", "agrees_to", "label_at", "tolerances"),
    ]
)


@EACH
def test_each_column_of_numbers_says_its_unit(path: Path) -> None:
    """By itself, by the metric of its row, or as one of those that have none."""
    csv = named(path, ".csv")
    described = read(csv.with_name(csv.name + METADATA))
    measured = "schema:variableMeasured" in described
    without = {
        each["name"]
        for each in described["tableSchema"]["columns"]
        if each["datatype"] in ("integer", "number") and "schema:unitText" not in each
    }
    assert without <= PURE | ({"value", "low", "high", "name_at"} if measured else set())


@EACH
def test_drawing_and_alternative_text_name_each_origin(path: Path) -> None:
    spec, svg = read(path), named(path, ".svg").read_text(encoding="utf-8")
    origins = {row["origin"] for row in table(spec)}
    key = " · ".join(f"{sign} {each}" for each, sign in SIGNS.items() if each in origins)
    line = headings(spec)[1][-1]
    assert line.startswith(key)
    # Behind the origins stands what bars and arrows are, where there are any.
    shapes = [each for each in line.removeprefix(key).split(" · ") if each]
    assert set(shapes) <= {"bar: a range", "arrow: a bound"}
    assert key in svg
    assert all(origin in spec["description"] for origin in origins)


@EACH
def test_tooltips_name_the_origin(path: Path) -> None:
    signals = [
        rule["signal"]
        for mark in marks_of(vl_convert.vegalite_to_vega(read(path)))
        for rule in [mark["encode"].get("update", {}).get("tooltip")]
        if isinstance(rule, dict) and "datum[" in rule.get("signal", "")
    ]
    assert all('"origin"' in signal for signal in signals)
    assert signals


@EACH
def test_a_diamond_is_for_a_published_value(path: Path) -> None:
    for unit in units_of(read(path)):
        mark = unit["mark"] if isinstance(unit["mark"], dict) else {}
        if mark.get("shape") == "diamond":
            filters = [str(each.get("filter")) for each in unit.get("transform", [])]
            assert "(datum.origin === 'published')" in filters
            assert "isValid(datum.value)" in filters


@EACH
def test_a_document_has_no_value_that_it_does_not_print(path: Path) -> None:
    for row in table(read(path)):
        if row["origin"] == document.OUR_READING:
            assert row.get("value") is None, row
        valued = row["origin"] == document.PUBLISHED and row.get("value") is not None
        if valued and path.parent.name == "testbed":
            # Charts of the model have targets of its fit in the place of claims. That of the fit
            # is in tolerances from what is printed, which so is at nought.
            assert row["value"] == 0 if "tolerances" in row else row["text"] in TARGETS, row
            if "tolerances" not in row:
                assert math.isclose(row["value"], TARGETS[row["text"]], rel_tol=1e-6), row
        elif valued:
            claim = published(path.parent.name).claim(row["claim"])
            assert prints(claim, row["value"]), row
            assert not claim.printed or row["label"] == f"“{claim.printed}”", row


def prints(claim: Claim, value: float) -> bool:
    """Whether a claim's document prints a number, or the ratio from which it is the change."""
    number = claim.number
    if number is None or claim.operator != "=":
        return False
    return any(math.isclose(value, each, rel_tol=1e-6) for each in (number, number - 1))


def test_what_is_printed_is_told_from_what_is_not() -> None:
    claims = published("ecm-scaleout").claims
    words = next(each for each in claims if each.words and math.isfinite(each.accepted.low))
    number = next(each for each in claims if each.number is not None and each.operator == "=")
    assert number.number is not None
    assert prints(number, number.number)
    assert not prints(number, number.number * 1.01)
    assert not prints(words, words.accepted.low)


@pytest.mark.parametrize("study", STUDIES)
def test_a_claims_page_begins_with_origin_and_tally(study: str) -> None:
    notebook = read(REPOSITORY / f"build/reference/notebooks/{study}/claims.ipynb")
    record = read(FIGURES / study / "claims.json")
    tables = [
        "".join(output["data"]["text/html"])
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if "text/html" in output.get("data", {})
    ]
    html = tables[0]
    origins = {each["origin"] for each in record["judgements"].values()} - {""}
    caption = re.search(r"<caption>(.*?)</caption>", html)
    assert caption
    for origin in origins:
        assert f"{origin.capitalize()}: " in caption[1]
    heads = re.findall(r"<th[^>]*>(.*?)</th>", html)
    assert heads[-4:] == [str(verdict) for verdict in Verdict]
    numbers = [int(each) for each in re.findall(r'data-label="Number">(\d+)<', html)]
    assert sum(numbers) == len(record["judgements"])
    roles = re.findall(r'data-label="Claims">([a-z ]+)', html)
    if "simulated" in origins:
        assert roles[0] == "predicted"


def test_the_front_page_leads_with_what_could_have_gone_wrong() -> None:
    page = (REPOSITORY / "build/reference/html/book/intro.html").read_text(encoding="utf-8")
    records = {study: read(FIGURES / study / "claims.json") for study in STUDIES}
    found = [
        dict(re.findall(r'data-label="([^"]+)">(.*?)</td>', row))
        for row in re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
        if 'data-label="Study"' in row
    ]
    for study, record in records.items():
        rows = [row for row in found if f"/{study}/claims.html" in row["Study"]]
        assert sum(int(row["Number"]) for row in rows) == len(record["judgements"])
        judged = Counter(each["verdict"] for each in record["judgements"].values())
        for verdict in Verdict:
            shown = (int(row[verdict]) for row in rows if row[verdict] != "–")
            assert sum(shown) == judged[verdict]
        if "simulated" in record["origins"]:
            assert rows[0]["Claims"].startswith("predicted")
    assert page.index("a model wrote the raw exports") < page.index('data-label="Study"')
