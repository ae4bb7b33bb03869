"""Claims: the verdicts, on made-up numbers and on the committed ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from studybook import claims
from studybook.checked_yaml import read_yaml
from studybook.claims import verdict_text
from studybook.claims.judge import evaluate
from studybook.claims.published_values import Claim, Published, read_published
from studybook.claims.verdict import Judgement, Verdict
from studybook.engine.notebooks import figures
from studybook.errors import StudyBookError
from studybook.records.load import load
from studybook.statistics.intervals import Interval
from studybook.study.study import Study, open_study
from tests.conftest import REPOSITORY
from tests.support.project import Project, copy_project

PUBLISHED = sorted((REPOSITORY / "data/published").glob("*.yml"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return copy_project(tmp_path_factory.mktemp("claims") / "project", built=False)


@pytest.fixture(scope="module")
def study(project: Project) -> Study:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(project.root))
        load(data_set="reference")
        return open_study("flexible-scale", data_set="reference")


def claim(**changes: Any) -> Claim:
    base = {
        "id": "a-claim",
        "statement": "It is so.",
        "place": "page 1",
        "figure": "bandwidth",
        "kind": "value",
        "metric": "bandwidth_gb_s",
        "of": {"operation": "read", "storage_systems": 6},
        "operator": "=",
        "value": 43.8,
        "unit": "GB/s",
        "tolerance": {"absolute": 0.3},
        "tolerance_because": "a test",
    }
    return Claim.model_validate(base | changes)


READ_1 = {"operation": "read", "storage_systems": 1}


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        # 43.835 is measured, with a 95 % interval of 43.655 to 44.016
        ({}, Verdict.HOLDS),
        ({"value": 43.2}, Verdict.FAILS),
        ({"value": 43.95}, Verdict.HOLDS),  # just within
        ({"value": 43.7353}, Verdict.HOLDS),
        ({"value": 43.6}, Verdict.OPEN),  # the estimate is within, and not the whole interval
        ({"value": [43.6, 44.1], "tolerance": None}, Verdict.HOLDS),
        ({"tolerance": {"relative": 0.5}, "value": 30}, Verdict.HOLDS),
        ({"operator": ">=", "value": 43.6, "tolerance": None}, Verdict.HOLDS),
        ({"operator": ">", "value": 43.9, "tolerance": None}, Verdict.OPEN),
        ({"operator": ">=", "value": 44.1, "tolerance": None}, Verdict.FAILS),
        ({"operator": "<=", "value": 44.1, "tolerance": None}, Verdict.HOLDS),
        ({"operator": "<", "value": 43.6, "tolerance": None}, Verdict.FAILS),
        ({"kind": "ratio", "over": READ_1, "value": 5.1}, Verdict.HOLDS),
        ({"kind": "ratio", "over": READ_1, "value": 6}, Verdict.FAILS),
        ({"kind": "comparison", "over": READ_1, "operator": ">", "value": None}, Verdict.HOLDS),
        ({"kind": "comparison", "over": READ_1, "operator": "<", "value": None}, Verdict.FAILS),
        (
            {"kind": "statement", "metric": "scale_build", "of": {}, "value": "4.2.0.3"},
            Verdict.HOLDS,
        ),
        ({"kind": "statement", "metric": "scale_build", "of": {}, "value": "4.2.0"}, Verdict.FAILS),
        ({"of": {"operation": "read", "storage_systems": 3}}, Verdict.UNJUDGED),
        ({"of": {"operation": "read", "weather": "fine"}}, Verdict.UNJUDGED),
        # the document has no raw export, and neither has the data set
        ({"cannot_be_judged": "no raw export", "of": {"storage_systems": 3}}, Verdict.UNJUDGED),
    ],
)
def test_verdicts(study: Study, changes: dict[str, Any], verdict: Verdict) -> None:
    found = evaluate(study, claim(**changes))
    assert found.verdict == verdict, found
    assert found.why


def test_a_ratio_is_told_with_its_interval() -> None:
    told = {"operator": "<", "kind": "comparison", "over": READ_1, "unit": ""}
    made = claim(**told, tolerance=None, tolerance_because="")
    for bounds, said in (((0.98, 0.98), "0.98"), ((0.96, 1.01), "0.98 0.96 1.01")):
        found = Judgement(made, Interval(0.98, *bounds), "", 3, Verdict.HOLDS, "")
        assert verdict_text.ratio(found) == said


def test_a_reason_has_no_exponents(study: Study) -> None:
    found = evaluate(study, claim(value=1000, tolerance={"absolute": 3000}))
    accepted = "−2,000 to 4,000 GB/s"
    assert found.why == f"the 95 % interval lies within what the claim accepts, {accepted}"


def test_one_of_a_thing_is_no_plural() -> None:
    told = {"kind": "value", "metric": "cluster_nodes", "unit": "nodes", "tolerance": None}
    for number, words in ((1, "1 node"), (4, "4 nodes")):
        one = claim(**told, operator=">=", value=number, tolerance_because="")
        made = Judgement(one, Interval(number, number, number), "", 1, Verdict.HOLDS, "")
        assert verdict_text.published(made) == f"≥ {words}"
        assert verdict_text.estimate(made) == words


def test_a_missing_factor_is_named(study: Study) -> None:
    found = evaluate(study, claim(of={"operation": "read", "storage_systems": 3}))
    assert "storage_systems = 3" in found.why
    assert "“Bandwidth”" in found.why


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"metric": "bandwith_gb_s"}, "bandwith_gb_s"),
        ({"tolerance": None}, "needs tolerance"),
        ({"kind": "ratio"}, "needs the key over"),
        ({"value": "much"}, "needs a number"),
        ({"tolerance": {"absolute": 1, "relative": 1}}, "one of the two"),
        ({"kind": "statement", "operator": ">"}, "has the operator ="),
        ({"id": "Not An Id"}, "id"),
    ],
)
def test_incomplete_claims_are_refused(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    content = {
        "study": "s",
        "document": {"id": "1", "title": "t", "authors": "a"},
        "claims": [claim().model_dump(exclude_none=True) | changes],
    }
    content["claims"][0] = {k: v for k, v in content["claims"][0].items() if v is not None}
    path = tmp_path / "s.yml"
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(StudyBookError) as error:
        read_yaml(path, Published)
    assert str(path) in str(error.value)
    assert said in str(error.value)


def test_pooling_is_that_of_the_single_values() -> None:
    with duckdb.connect() as connection:
        macros = (REPOSITORY / "studybook/models/macros/pooled.sql").read_text()
        connection.execute(macros)
        row = connection.execute(
            """
            WITH v(run, x) AS (VALUES (1, 3.0), (1, 5.0), (2, 4.0), (2, 10.0), (2, 13.0)),
            s AS (SELECT run, count(*) n, avg(x) mean, stddev_pop(x) sd FROM v GROUP BY run)
            SELECT (SELECT pooled_mean(n, mean) FROM s), (SELECT pooled_sd(n, mean, sd) FROM s),
                   (SELECT avg(x) FROM v), (SELECT stddev_pop(x) FROM v)
            """
        ).fetchone()
    assert row is not None
    assert row[0] == pytest.approx(row[2])
    assert row[1] == pytest.approx(row[3])


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_committed_claims_are_good_and_have_their_figure(path: Path) -> None:
    values = read_published(REPOSITORY, path.stem)
    assert values.study == path.stem
    there = {each.id for each in figures(REPOSITORY)}
    for each in values.claims:
        page = REPOSITORY / "book" / values.study / f"{each.figure}.md"
        assert f"{values.study}/{each.figure}" in there or page.is_file(), each.id


def test_an_unknown_figure_is_named(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYBOOK_HOME", str(REPOSITORY))
    with pytest.raises(StudyBookError, match="known figures: balance"):
        claims.evaluate_all(study, claims.published("flexible-scale"), "bandwith")


def test_a_scope_shows_its_files_and_no_others(study: Study, project: Project) -> None:
    database = str(project.build / "study.duckdb")
    reads = open_study(
        "flexible-scale",
        data_set="reference",
        runs={"operation": "read", "storage_systems": [1, 6]},
        database=database,
    )
    assert list(reads.query("SELECT DISTINCT operation FROM bandwidth")["operation"]) == ["read"]
    assert reads.query("SELECT count(*) AS n FROM ior_summary")["n"].item() == 2
    assert reads.query("SELECT count(*) AS n FROM run")["n"].item() == 2
    assert reads.query("SELECT count(*) AS n FROM scale_nsd")["n"].item() == 0
    assert study.query("SELECT count(*) AS n FROM scale_nsd")["n"].item() == 36
    nothing = {"operation": "no such thing"}
    none = open_study("flexible-scale", data_set="reference", runs=nothing, database=database)
    assert none.query("SELECT count(*) AS n FROM run")["n"].item() == 0


def test_a_wrong_query_is_named(study: Study) -> None:
    with pytest.raises(StudyBookError, match="the query fails"):
        study.query("SELECT nothing FROM nowhere")
    with pytest.raises(StudyBookError, match="names the whole store"):
        study.query("FROM store.main.raw_file")
