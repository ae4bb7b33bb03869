"""The testbed's pages: what makes them stale, what stands under them, what they are drawn of."""

from __future__ import annotations

import json
import math
import re
import shutil
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest

from studybook.dataset.paths import DataSet
from studybook.engine.outputs import Record, read_record
from studybook.errors import StudyBookError
from studybook.frames import scaling
from studybook.publish.decorate import decorate_figure
from testbed import ecm, fit_tables, plan_tables, readings, what_if
from testbed.model import Model, open_model
from testbed.plan import FAULTS
from tests.conftest import REPOSITORY
from tests.support.project import Project, small_project

MTU, FILENET, RAW = "testbed/mtu", "testbed/fit-filenet", "flexible-scale/mixed"
MADE = REPOSITORY / "build/reference"


#: A line of code that every module has.
FUTURE = "from __future__ import annotations\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy of the project with the pages of the testbed, as they were made."""
    figures = (Path(name).name for name in (MTU, FILENET))
    root = tmp_path_factory.mktemp("testbed") / "project"
    project = small_project(root, *figures, study="testbed", raw=False)
    run = "flexible-scale/6-systems-read"  # there must be one
    shutil.copytree(REPOSITORY / "data/raw/reference" / run, project.raw / run)
    for part in ("figures/testbed", "notebooks/testbed"):
        shutil.copytree(MADE / part, project.build / part)
    return project


def record(project: Project, figure: str) -> Record:
    found = read_record(DataSet("reference", project.root), figure)
    assert found is not None
    return found


def stale(project: Project) -> dict[str, list[str]]:
    done = project.run("status", "--json", code=None)
    status: dict[str, list[str]] = json.loads(done.stdout)
    return {figure: status[figure] for figure in (MTU, FILENET) if status[figure]}


@pytest.mark.book
def test_a_figure_of_the_model_notes_the_model_and_no_raw_file(run: Project) -> None:
    of_mtu = record(run, MTU)
    assert of_mtu.state == "ok"
    assert of_mtu.origins == ["published", "simulated"]
    assert of_mtu.inputs == {}
    wanted = {"ecm/mix.yml", "parameters.yml", "targets/ecm-scaleout.yml"}
    assert set(of_mtu.model) == {f"testbed/{name}" for name in wanted}
    assert {"testbed/network.py", "testbed/what_if.py"} <= set(of_mtu.modules)
    of_raw_files = read_record(DataSet("reference", REPOSITORY), RAW)
    assert of_raw_files
    assert of_raw_files.model == {}
    assert stale(run) == {}


@pytest.mark.book
def test_its_page_says_that_the_model_says_it(run: Project) -> None:
    executed = run.build / f"notebooks/{MTU}.ipynb"
    page = nbformat.read(executed, as_version=4)
    decorate_figure(page, record(run, MTU), "reference")
    meta = next(cell.source for cell in page.cells if cell.id == "provenance")
    assert '<span class="origin-simulated">simulated</span>, by the model' in meta
    assert "testbed/parameters.yml" in meta
    assert "no raw file" in meta
    # Published values beside it have their document, and the places in it.
    assert "Scale-Out Case Study" in meta
    assert "<li>Figure 14</li>" in meta


@pytest.mark.book
@pytest.mark.parametrize(
    ("file", "before", "after", "reason", "figures"),
    [
        ("parameters.yml", "value: 52\n", "value: 53\n", "model changed", {MTU, FILENET}),
        ("targets/ecm-scaleout.yml", "value: 40000", "value: 41000", "model changed", {MTU}),
        ("targets/filenet-p8.yml", "value: 0.5\n", "value: 0.6\n", "model changed", {FILENET}),
        ("network.py", FUTURE, f"{FUTURE}\nUNUSED = 1\n", "code changed", {MTU, FILENET}),
        ("what_if.py", FUTURE, f"{FUTURE}\nUNUSED = 1\n", "code changed", {MTU}),
    ],
)
def test_a_change_of_the_model_makes_its_figures_stale(
    run: Project, file: str, before: str, after: str, reason: str, figures: set[str]
) -> None:
    path = f"testbed/{file}"
    run.change(path, before, after)
    try:
        wanted = [f"{reason}: testbed/{file}"]
        assert stale(run) == dict.fromkeys(sorted(figures, key=[MTU, FILENET].index), wanted)
    finally:
        run.change(path, after, before)


@pytest.fixture(scope="module")
def model() -> Model:
    return open_model("ecm-scaleout")


def test_a_what_if_asks_the_model_and_puts_published_values_beside_it(model: Model) -> None:
    frame = what_if.pagepool(model, [256, 2048], users=1000, server_mib=2048)
    reads = frame[(frame["quantity"] == "disk_read_mib_s") & (frame["cluster"] == "NSD")]
    published = reads[reads["origin"] == "published"].set_index("pool_mib")["value"]
    assert published.to_dict() == {256: 180, 2048: 162}
    setup = ecm.Setup(cluster="nsd", client_pagepool_mib=256, server_pagepool_mib=2048)
    servers = [
        each
        for each in ecm.predict(setup, 1000, model.values).guests
        if each.role == "nsd-server"
    ]  # fmt: skip
    asked = reads[(reads["origin"] == "simulated") & (reads["pool_mib"] == 256)]["value"].item()
    assert asked == pytest.approx(sum(each.disk_read_kib_s for each in servers) / 1024)
    # At another load nothing was published.
    other = what_if.pagepool(model, [256, 2048], users=900, server_mib=2048)
    assert set(other["origin"]) == {"simulated"}


def test_every_case_of_a_what_if_is_there_once(model: Model) -> None:
    frame = what_if.nodes(model, [1, 4], users=1000, users_per_node=250, ifls=30)
    simulated = frame[frame["origin"] == "simulated"]
    assert len(simulated) == 2 * 2 * 2 * 3
    assert not simulated.duplicated(["load", "cluster", "nodes", "quantity"]).any()
    grown = simulated[simulated["load"] == "250 per node"]
    assert (grown["users"] == 250 * grown["nodes"]).all()


def series(values: list[float], users: list[float]) -> pd.DataFrame:
    return pd.DataFrame(
        {"origin": "simulated", "quantity": "pages_per_s", "cluster": "SD"}
        | {"users": users, "value": values, "bottleneck": [f"b{each:g}" for each in users]}
    )


def test_keeping_pace_ends_before_the_first_point_that_does_not() -> None:
    found = readings.keeps_pace(series([10, 20, 25, 40], [100, 200, 300, 400]), ["cluster"])
    assert found[["users", "then"]].to_numpy().tolist() == [[200, "b300"]]
    found = readings.keeps_pace(series([10, 20, 29], [100, 200, 300]), ["cluster"])
    assert found[["users", "then"]].to_numpy().tolist() == [[300, ""]]


def test_enough_is_where_nothing_more_changes() -> None:
    frame = series([200, 180, 160.5, 160], [1, 2, 4, 8])
    assert readings.enough(frame, ["cluster"], "users") == 4
    assert readings.enough(series([160, 160, 160], [1, 2, 4]), ["cluster"], "users") == 1
    # A value that is met on the way to another one does not count.
    assert readings.enough(series([160, 200, 160], [1, 2, 4]), ["cluster"], "users") == 4


def test_change_is_from_the_first_point_to_the_last() -> None:
    found = readings.change(series([200, 90, 150], [1, 2, 4]), ["cluster"], "users")
    assert found["pages_per_s"].tolist() == pytest.approx([-0.25])


@pytest.fixture(scope="module")
def grown(model: Model) -> pd.DataFrame:
    """Return predictions of one to eight nodes."""
    return what_if.nodes(model, range(1, 9), users=1000, users_per_node=250, ifls=30)


@pytest.fixture(scope="module")
def points(grown: pd.DataFrame) -> pd.DataFrame:
    """Return the throughputs of these under the load that grows."""
    chosen = grown[grown["load"] == "250 per node"]
    return readings.throughputs(chosen, "cluster", "nodes")


def test_a_law_takes_each_prediction_once_and_no_published_value(points: pd.DataFrame) -> None:
    assert points[["series", "n"]].value_counts().to_dict() == {
        (cluster, nodes): 1 for cluster in ("SD", "NSD") for nodes in range(1, 9)
    }
    assert set(points["origin"]) == {"simulated"}
    at_most = points.groupby("series")["value"].idxmax()
    nodes = {name: int(points.loc[row, "n"]) for name, row in at_most.items()}
    assert readings.most(points) == f"at {nodes['SD']} (SD) and at {nodes['NSD']} (NSD)"


def test_the_law_over_nodes_misses_the_model_as_its_page_says(points: pd.DataFrame) -> None:
    for (_, cluster), both in scaling.laws(points).items():
        assert both.usl is not None
        # The model's corner: the law is above it with one node, and below where a station fills.
        signs = np.sign(both.usl.residuals)
        assert signs[0] < 0 < signs[3], cluster
        # There are no repetitions to hold it against.
        assert math.isnan(both.usl.noise.lack_of_fit_p_value)
        assert both.usl.noise.degrees_of_freedom == 8 - 3
        assert both.usl.beta.low > 0


def test_the_other_throughputs_would_tell_nothing_of_nodes(grown: pd.DataFrame) -> None:
    same = grown[(grown["load"] == "1,000 users") & (grown["origin"] == "simulated")]
    one = same[same["nodes"] == 1].set_index(["cluster", "quantity"])["value"]
    two = same[same["nodes"] == 2].set_index(["cluster", "quantity"])["value"]
    for cluster in ("SD", "NSD"):
        # The single node has more processors than two of a cluster: they are not alike.
        assert one[cluster, "response_ms"] < two[cluster, "response_ms"]
        assert one[cluster, "pages_per_s"] > two[cluster, "pages_per_s"]
        pages = same[(same["cluster"] == cluster) & (same["quantity"] == "pages_per_s")]["value"]
        assert pages.max() / pages.min() < 1.3


def test_words_of_a_law_name_predictions(points: pd.DataFrame) -> None:
    fitted = scaling.laws(points)
    table = scaling.table(fitted, "pages/s", points="predictions")
    assert set(table["degrees of freedom"]) == {"5\nby predictions", "6\nby predictions"}
    assert "run" not in table.drop(columns="misses the means").to_string()


def test_stations_have_names_for_readers() -> None:
    stations = ecm.predict(ecm.Setup(cluster="nsd"), 100, open_model("ecm-scaleout").values)
    words = {what_if.in_words(each.name) for each in stations.stations}
    assert {"locks inside an ECM node", "processors of NSDsrv1", "virtual switch"} <= words
    assert not any("ECMnod" in each or each.endswith(" cpu") for each in words)


def test_the_chart_of_the_fit_agrees_with_the_verdicts() -> None:
    for study in ("ecm-scaleout", "filenet-p8"):
        comparisons = open_model(study).comparisons()
        frame = fit_tables.deviations(comparisons).set_index(["origin", "id"])
        for each in comparisons:
            origin = "our reading" if each.target.reads else "published"
            stripe, dot = (frame.loc[(kind, each.target.id)] for kind in (origin, "simulated"))
            on_it = stripe["agrees_from"] - 1e-9 <= dot["value"] <= stripe["agrees_to"] + 1e-9
            assert on_it == each.holds
            assert bool(dot["label"]) == (not each.holds)


def test_the_sentence_of_the_fit_counts_and_names_what_fails() -> None:
    comparisons = open_model("filenet-p8").comparisons()
    said = fit_tables.sentence(comparisons)
    counted = re.findall(r"(\d+) of (\d+)", said)
    assert sum(int(of) for _, of in counted) == len(comparisons)
    assert sum(int(holds) for holds, _ in counted) == sum(each.holds for each in comparisons)
    missed = [each.target.id for each in comparisons if not each.holds]
    assert all(name in said for name in missed)
    table = fit_tables.table([each for each in comparisons if not each.holds])
    assert len(table.rows) == len(missed)
    assert all(row[-1] == "does not hold" for row in table.rows)


def test_the_plan_lists_all_runs_and_all_faults() -> None:
    measured = [each for each in plan_tables.planned() if not each.captures_only]
    assert plan_tables.loads()["runs"].sum() == len(measured)
    assert len(plan_tables.faults()) == sum(len(exports) for exports in FAULTS.values())
    with pytest.raises(StudyBookError, match="no run 'x'"):
        plan_tables.files(["x"])


def test_a_study_without_a_model_is_refused() -> None:
    with pytest.raises(StudyBookError, match="has no model"):
        open_model("flexible-scale")


def test_notebooks_of_the_testbed_open_no_study() -> None:
    notebooks = sorted((REPOSITORY / "notebooks/testbed").glob("*.ipynb"))
    assert len(notebooks) >= 7
    for path in notebooks:
        assert "open_study" not in path.read_text(encoding="utf-8"), path.name
