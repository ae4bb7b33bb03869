"""Sums over published numbers: computed, never typed; and what a disagreement shows of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from studybook.checked_yaml import read_yaml
from studybook.claims import sums
from studybook.claims.published_values import Published
from studybook.errors import StudyBookError
from studybook.records.load import load
from studybook.study.study import Study, open_study
from tests.support.project import copy_project

CLAIM = {
    "statement": "It is so.",
    "place": "page 1",
    "figure": "bandwidth",
    "kind": "value",
    "metric": "bandwidth_gb_s",
    "of": {"operation": "read", "storage_systems": 6},
    "operator": "=",
    "unit": "GB/s",
    "tolerance": {"absolute": 2},
    "tolerance_because": "a test",
}


def published(tmp_path: Path, *items: dict[str, Any], **first: Any) -> Published:
    """A document with two claims, of 43 and 8.6 GB/s, and one disagreement with these sums."""
    content = {
        "study": "flexible-scale",
        "document": {"id": "1", "title": "t", "authors": "a"},
        "claims": [
            CLAIM | {"id": "six", "value": 43},
            CLAIM | {"id": "one", "value": 8.6, "of": {"operation": "read", "storage_systems": 1}},
            CLAIM | {"id": "none", "of": {"storage_systems": 9}, "value": 1},
            {
                "id": "text",
                "statement": "It was 4.2.",
                "place": "page 2",
                "figure": "settings",
                "kind": "statement",
                "metric": "scale_build",
                "operator": "=",
                "value": "4.2.0.3",
            },
        ],
        "disagreements": [
            {
                "id": "reading",
                "about": "reading",
                "first": {"text": "linear", "place": "page 1", **first},
                "second": {"text": "43 <or less>", "place": "page 2"},
                "sums": list(items),
                "explanation": "So it is.",
            }
        ],
    }
    path = tmp_path / "flexible-scale.yml"
    path.write_text(yaml.safe_dump(content))
    return read_yaml(path, Published)


def item(operation: str, *numbers: Any, unit: str = "", name: str = "") -> dict[str, Any]:
    found = {"text": "it", "numbers": list(numbers), "operation": operation, "unit": unit}
    return found | ({"id": name} if name else {})


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (item("ratio", "six", "one", unit="×"), "43 ÷ 8.6 = 5 ×"),
        (item("ratio", 24, 30, unit="%"), "24 ÷ 30 = 80 %"),
        (item("change", 70000, 30000, unit="%"), "30,000 ÷ 70,000 − 1 = −57.14 %"),
        (item("change", 40000, 70000, unit="%"), "70,000 ÷ 40,000 − 1 = +75 %"),
        (item("difference", 25.7, 1.7, unit="IFLs"), "25.7 − 1.7 = 24 IFLs"),
        (item("difference", 1, -2), "1 + 2 = 3"),
        (item("sum", 32, 4, 8, 2, 2), "32 + 4 + 8 + 2 + 2 = 48"),
        (item("sum", 25.7, -1.7), "25.7 − 1.7 = 24"),
        (item("product", 40000, 1.74, unit="1/s"), "40,000 × 1.74 = 69,600 1/s"),
    ],
)
def test_sums_are_computed_and_written_down(
    tmp_path: Path, given: dict[str, Any], shown: str
) -> None:
    values = published(tmp_path, given)
    (found,) = sums.compute(values.disagreements[0], values)
    assert str(found) == f"it: {shown}"


def test_a_sum_takes_the_results_of_those_before_it_in_full(tmp_path: Path) -> None:
    values = published(
        tmp_path,
        item("ratio", 1, 3, name="third"),
        item("product", "third", 3000000),
    )
    _, second = sums.compute(values.disagreements[0], values)
    # Not of the 0.3333 that is shown.
    assert second.value == pytest.approx(1e6, rel=1e-15)
    assert second.expression == "0.3333 × 3,000,000"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([item("ratio", 1, 2, 3)], "a ratio is of two numbers"),
        ([item("sum", 1)], "at least 2 entries"),
        ([item("change", 1, 2)], "a change is in %"),
        ([item("sum", 1, 2, unit="%")], "a sum is not in %"),
        ([item("sum", "sixx", 2)], "'sixx' is neither a claim"),
        ([item("sum", "text", 2)], "'text' is neither a claim with a number"),
        ([item("sum", "later", 2), item("sum", 1, 2, name="later")], "'later' is neither"),
        ([item("sum", True, 2)], "numbers"),
    ],
)
def test_sums_that_cannot_be_are_refused(
    tmp_path: Path, given: list[dict[str, Any]], said: str
) -> None:
    with pytest.raises(StudyBookError) as error:
        published(tmp_path, *given)
    assert "flexible-scale.yml" in str(error.value)
    assert said in str(error.value)


def test_a_division_by_nothing_is_named(tmp_path: Path) -> None:
    values = published(tmp_path, item("change", 0, 2, unit="%"))
    with pytest.raises(StudyBookError, match="reading: “it” divides by 0"):
        sums.compute(values.disagreements[0], values)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    project = copy_project(tmp_path_factory.mktemp("sums") / "project", built=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(project.root))
        load(data_set="reference")
        return open_study("flexible-scale", data_set="reference")


@pytest.mark.parametrize(
    ("side", "said"),
    [
        ({"claim": "six"}, "page 1 · measured: 43.84 GB/s (43.65 to 44.02), holds"),
        ({"claim": "text"}, "page 1 · measured: 4.2.0.3, holds"),
        ({"claim": "none"}, "page 1 · no data: "),
        (
            {"metric": "bandwidth_gb_s", "of": {"operation": "read", "storage_systems": 1}},
            "page 1 · measured: 8.59 GB/s",
        ),
        ({"metric": "bandwidth_gb_s", "of": {"storage_systems": 9}}, "page 1 · no data: "),
        ({}, "“linear” · page 1  "),
    ],
)
def test_a_side_has_what_the_data_say(
    study: Study, tmp_path: Path, side: dict[str, Any], said: str
) -> None:
    assert said in repr(sums.table(study, published(tmp_path, **side)))


def test_the_table_has_both_sides_and_each_sum_on_a_line(study: Study, tmp_path: Path) -> None:
    values = published(
        tmp_path, item("ratio", "six", "one", unit="×"), item("difference", "six", "one")
    )
    table = sums.table(study, values, "Places")
    assert table.columns == ["About", "One place", "Another place", "How they fit"]
    page = table._repr_html_()
    assert "<small>it: 43 ÷ 8.6 = 5&nbsp;×<br>it: 43 − 8.6 = 34.4</small>" in page
    assert "43 &lt;or less&gt;" in page
    assert " | it: 43 ÷ 8.6 = 5 × | it: 43 − 8.6 = 34.4" in repr(table)


def test_what_agrees_after_all_has_a_table_of_its_own(study: Study, tmp_path: Path) -> None:
    values = published(tmp_path)
    (only,) = values.disagreements
    fitting = only.model_copy(update={"id": "fits", "about": "what fits", "agree": True})
    both = values.model_copy(update={"disagreements": (only, fitting)})
    assert [row[0] for row in sums.table(study, both).rows] == ["reading"]
    assert [row[0] for row in sums.table(study, both, agree=True).rows] == ["what fits"]
