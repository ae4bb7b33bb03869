"""The words of a study: its factors, roles, names of setups and metrics, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from studybook import units
from studybook.claims.published_values import read_published
from studybook.dataset.definition import Definition, Named, read_definition
from studybook.dataset.manifest import Run
from studybook.errors import StudyBookError
from studybook.units import METRICS, Metric, metric
from tests.conftest import REPOSITORY
from tests.support.words import words

STUDIES = sorted(path.parent.name for path in (REPOSITORY / "pipelines").glob("*/study.yml"))

BELTS: dict[str, Any] = {
    "factors": {"belts": {"meaning": "belts", "whole_from": 1}, "load": {"meaning": "load"}},
    "names": {"line": [{"call": "alone", "of": {"belts": 1}}, {"call": "{belts} belts"}]},
    "roles": {"belt": "moves things"},
    "metrics": {"boxes_per_s": {"label": "Boxes", "unit": "boxes/s", "better": "higher",
                                "decimals": 1}},
}  # fmt: skip


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins without metrics of studies."""
    monkeypatch.setattr(units, "_of_studies", {})


def defined(root: Path, study: str = "belts", **changes: Any) -> Definition:
    """Write the words of a study, some of them changed, and read them."""
    path = root / "pipelines" / study / "study.yml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(BELTS | changes, sort_keys=False), encoding="utf-8")
    found = read_definition(root, study)
    assert found is not None
    return found


@pytest.mark.parametrize("study", STUDIES)
def test_the_words_of_the_book_are_good(study: str) -> None:
    found = words(study)
    assert found.study == study
    assert found.baseline.keys() <= found.factors.keys()
    for name, value in found.baseline.items():
        assert not found.factors[name].fault(value)
    for columns in found.names.values():
        for each in columns:
            assert not [n for n, value in each.of.items() if found.factors[n].fault(value)]
    # Nothing is said twice: what the library knows needs no entry.
    assert not found.metrics.keys() & METRICS.keys()
    assert all(metric(name).label == own.label for name, own in found.metrics.items())


def test_all_studies_can_be_worked_with_at_once() -> None:
    for study in STUDIES:
        words(study)


# --- roles and factors ------------------------------------------------------------------------


def test_a_role_that_is_not_one_of_the_study_is_named(tmp_path: Path) -> None:
    run = Run.model_validate(
        {"study": "belts", "run": "a", "title": "t", "origin": "measured", "time_zone": "UTC",
         "start": "2024-07-01T12:00:00", "hosts": [{"name": "h", "role": "bolt"}],
         "files": [{"path": "a.txt"}], "factors": {"belt": 1, "belts": 0}}
    )  # fmt: skip
    faults = dict(defined(tmp_path).faults(run))
    expected = {
        ("factors", "belt"): r"factors\.belt\b.*\n  → .*\bbelts\b",
        ("factors", "belts"): r"factors\.belts\b.* 0\n  → .* whole number .*1\b",
        ("hosts", 0, "role"): r"hosts\.0\.role\b.*'bolt'.*\n  → .*\bbelt\b",
    }
    assert faults.keys() == expected.keys()
    for place, said in expected.items():
        assert re.match(said, faults[place])


def test_repetition_is_a_factor_of_each_study(tmp_path: Path) -> None:
    run = Run.model_validate({
        "study": "belts", "run": "r", "title": "r", "origin": "measured", "time_zone": "UTC",
        "factors": {"repetition": 2, "repetitions": 2}, "files": [{"path": "a.txt"}],
    })  # fmt: skip
    ((keys, said),) = defined(tmp_path).faults(run)
    assert keys == ("factors", "repetitions")
    assert "is not a factor of belts" in said


# --- names of setups --------------------------------------------------------------------------


def test_a_setup_has_the_first_name_that_fits(tmp_path: Path) -> None:
    line = defined(tmp_path).named("line")
    assert line({"belts": 1}) == "alone"
    assert line({"belts": 3, "load": 9}) == "3 belts"
    assert line({"load": 9}) is None


def test_a_name_for_certain_values_is_of_no_other_setup() -> None:
    fast = Named(call="fast", of={"speed": 9, "belts": 1})
    assert fast.name({"speed": 9, "belts": 1, "load": 2}) == "fast"
    assert fast.name({"speed": 9}) is None


def test_the_systems_of_the_scale_out_study_are_told_by_their_cluster() -> None:
    found = words("ecm-scaleout")
    system, mtu = found.named("system"), found.named("mtu")
    shared = {"cluster": "shared-disk", "nodes": 4, "mtu_bytes": 8192, "mtu_scope": "everywhere"}
    assert system(shared) == "SD"
    assert system(shared | {"nodes": 1}) == "SD, one node"
    assert system(shared | {"cluster": "nsd", "nodes": 1}) == "NSD"
    assert system(shared | {"cluster": "none"}) == "XFS"
    assert system({"nodes": 1}) is None
    assert mtu(shared) == "MTU 8192"
    assert mtu(shared | {"mtu_scope": "inside-zvm"}) == "MTU 8192 inside z/VM"


def test_a_column_without_names_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyBookError, match=r"belts.*'lime'.*\n  → .*\bline\b"):
        defined(tmp_path).named("lime")


@pytest.mark.parametrize("entry", [{"call": "{belt}"}, {"call": "x", "of": {"belt": 1}}])
def test_a_name_by_what_is_no_factor_is_refused(tmp_path: Path, entry: dict[str, Any]) -> None:
    with pytest.raises(
        StudyBookError, match=r"line \d+: names.line.0.[\w.]+: 'belt'.*\n  → .*\bbelts\b"
    ):
        defined(tmp_path, names={"line": [entry]})


def test_words_that_are_a_list_are_told_which_keys_there_are(tmp_path: Path) -> None:
    path = tmp_path / "pipelines/belts/study.yml"
    path.parent.mkdir(parents=True)
    path.write_text("- factors\n", encoding="utf-8")
    with pytest.raises(StudyBookError, match=r"holds no keys\n  → known: study, factors, "):
        read_definition(tmp_path, "belts")


# --- metrics ----------------------------------------------------------------------------------


def test_the_metrics_of_a_study_are_known_from_its_use_on(tmp_path: Path) -> None:
    found = defined(tmp_path)
    with pytest.raises(StudyBookError, match="'boxes_per_s' is not a metric"):
        metric("boxes_per_s")
    found.use()
    assert metric("boxes_per_s") == Metric("boxes_per_s", "Boxes", "boxes/s", "higher", 1)
    assert metric("boxes_per_s").show(2) == "2.0 boxes/s"
    # What is changed and read again, as in an open notebook, is as it is now.
    changed = {"boxes_per_s": BELTS["metrics"]["boxes_per_s"] | {"decimals": 2}}
    defined(tmp_path, metrics=changed).use()
    assert metric("boxes_per_s").decimals == 2


def test_a_metric_that_means_something_else_in_the_library_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyBookError) as error:
        defined(tmp_path, metrics={"pages_per_s": {"label": "Pages written", "decimals": 0}})
    said = str(error.value)
    assert "study.yml, line " in said
    assert re.search(r"pages_per_s\b.*“Throughput \(pages/s\)”.*\n  → ", said)


def test_a_metric_that_means_something_else_in_another_study_is_refused(tmp_path: Path) -> None:
    defined(tmp_path).use()
    defined(tmp_path, "same").use()
    other = defined(tmp_path, "tapes", metrics={"boxes_per_s": {"label": "Tapes", "decimals": 0}})
    with pytest.raises(StudyBookError, match=r"“Tapes” .*\btapes\b.*“Boxes \(boxes/s\)”"):
        other.use()
    with pytest.raises(StudyBookError, match="'tapes_per_s' is not a metric"):
        metric("tapes_per_s")


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"label": "x"}, "metrics.boxes.decimals is missing"),
        ({"label": "x", "decimals": -1}, "metrics.boxes.decimals"),
        ({"label": "x", "decimals": 1, "better": "more"}, "'more' is not one of higher, lower"),
    ],
)
def test_faults_in_a_metric_are_named(tmp_path: Path, own: dict[str, Any], said: str) -> None:
    with pytest.raises(StudyBookError) as error:
        defined(tmp_path, metrics={"boxes": own})
    assert said in str(error.value)


def test_claims_may_be_of_metrics_of_their_study_only(tmp_path: Path) -> None:
    claim = {
        "id": "fast", "statement": "It is fast.", "place": "page 1", "figure": "f", "kind": "value",
        "metric": "boxes_per_s", "operator": ">", "value": 3, "unit": "boxes/s",
    }  # fmt: skip
    document = {"id": "1", "title": "T", "authors": "A"}
    for study in ("belts", "tapes"):
        path = tmp_path / f"data/published/{study}.yml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump({"study": study, "document": document, "claims": [claim]}))
    defined(tmp_path, "tapes", metrics={})
    with pytest.raises(StudyBookError, match="'boxes_per_s' is not a metric"):
        read_published(tmp_path, "tapes")
    defined(tmp_path)
    assert read_published(tmp_path, "belts").claims[0].metric == "boxes_per_s"
