"""What a study takes from the tables that were computed before, and what it computes itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from studybook.engine.derive import derive
from studybook.records import derived
from studybook.records.loading import load
from studybook.study.scope import Scope
from studybook.study.study import Study
from tests.conftest import REPOSITORY
from tests.support.project import copy_project

RUN = "filenet-p8/cpus-2-2-level-3-1"
ALL = derived.SOURCES
#: Views that are kept.
ASKED = ("driver_interval", "stable_phase", "phase_driver", "phase_cpu", "run_metric")


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run with the exports of a load driver and of sar: with derived tables, without, emptied."""
    project = copy_project(tmp_path_factory.mktemp("derived") / "project", built=False)
    shutil.copytree(REPOSITORY / "data/raw/reference" / RUN, project.root / "data/raw/one" / RUN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(project.root))
        for source in ("jtl", "sar"):
            load(source, data_set="one")
    found = {"derived": project.root / "build/one/study.duckdb"}
    for name in ("alone", "emptied"):
        found[name] = project.root / name / "study.duckdb"
        found[name].parent.mkdir()
        shutil.copy(found["derived"], found[name])
    derive(found["derived"])
    shutil.copy(derived.place(found["derived"]), derived.place(found["emptied"]))
    with duckdb.connect(str(derived.place(found["emptied"]))) as connection:
        for view in ASKED:
            connection.execute(f"DELETE FROM {view}")
    return found


@pytest.mark.parametrize(
    ("sources", "taken"),
    [(ALL, set(ASKED)), (derived.DRIVERS, {*ASKED} & {*derived.STABLE_PHASE}), (("sar",), set())],
    ids=["all", "drivers", "sar"],
)
def test_a_study_takes_what_rests_on_exports_that_it_sees(
    databases: dict[str, Path], sources: tuple[str, ...], taken: set[str]
) -> None:
    found = {}
    for name, database in databases.items():
        study = Study(Scope("filenet-p8", sources, {}), database)
        found[name] = {view: study.query(f"FROM {view} ORDER BY ALL") for view in ASKED}
    for view, rows in found["alone"].items():
        # What was computed before is what the study computes.
        pd.testing.assert_frame_equal(found["derived"][view], rows)
        assert view not in taken or found["emptied"][view].empty
        assert taken or found["emptied"][view].equals(rows)
    assert not found["alone"]["stable_phase"].empty
