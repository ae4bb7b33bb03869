"""CONTRIBUTING.md, done step by step in a copy of the project: what it promises is true."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import nbformat
import pandas as pd
import pytest

from tests.conftest import REPOSITORY
from tests.support.project import Project, copy_project

CONTRIBUTING = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")

FORMAT = '''
"""Output of uptime(1): the load averages."""

import re

from studybook.formats.contract import Format, Reading, Table
from studybook.formats.raw import Head, RawFile

LINE = re.compile(r"load average: ([0-9.]+), ([0-9.]+), ([0-9.]+)$")
TABLE = Table("uptime_load", "one call of uptime", {"load_1_min": "DOUBLE", "line": "BIGINT"})


def recognise(head: Head) -> bool:
    return bool(head.lines and LINE.search(head.lines[0]))


def read(raw: RawFile, out: Reading) -> None:
    for number, text in raw.lines():
        if match := LINE.search(text):
            out.record("uptime_load", load_1_min=float(match[1]), line=number)
            out.used()
        else:
            out.unknown(number, text)


FORMAT = Format("uptime", "output of uptime", "uptime", (TABLE,), recognise, read)
'''

METRIC = """-- The load average of each run.
SELECT f.run_id, 'load_1_min' AS metric, MAP {}::MAP(VARCHAR, VARCHAR) AS own, u.load_1_min AS value
FROM uptime_load u
JOIN raw_file f USING (file_id)
"""

CLAIM = """
  - id: idle-machine
    statement: The machine is idle.
    place: nowhere
    figure: load-average
    kind: value
    metric: load_1_min
    of: {}
    operator: "<="
    value: 0.5

disagreements:
"""

LAW = """FROM (VALUES
    ('Idle machines are idle', '1', NULL, 1.0, 0, 'load average', 'uptime', 'one', '', 'A test.'),
"""

LAW_SIDE = """SELECT run_id, 'Idle machines are idle' AS law, load_1_min AS left_value,
    0.2 AS right_value
FROM uptime_load JOIN raw_file USING (file_id)
UNION ALL BY NAME
SELECT
    run_id, 'Users think as in the other runs'"""

CHECK = """CHECKS = (
    Check(
        id="two-managers",
        title="Two nodes are managers",
        advice="Let a second node manage file systems, too.",
        place="nowhere, chapter 1",
        source="scale",
        table="scale_node",
        capture="mmlscluster",
        sql='''
            SELECT run_id, 'managers' AS subject, count(*) FILTER (manager)::VARCHAR AS found,
                '2' AS wanted, found = wanted AS ok
            FROM cluster_node
            GROUP BY run_id
        ''',
    ),
"""


def sections() -> dict[str, list[str]]:
    """The numbered steps of each section of CONTRIBUTING.md."""
    found = re.findall(r"^## (Add a \w+)\n(.*?)(?=^## )", CONTRIBUTING, re.DOTALL | re.MULTILINE)
    return {title: re.findall(r"^\d\. (.*)", text, re.MULTILINE) for title, text in found}


def test_the_steps_that_this_test_takes_are_those_of_the_page() -> None:
    steps = {title: len(found) for title, found in sections().items()}
    # The second step of a format is for records that have hosts and times; uptime's have none.
    assert steps == {
        "Add a format": 3, "Add a model": 2, "Add a metric": 2, "Add a figure": 2,
        "Add a claim": 3, "Add a check": 2, "Add a law": 2,
    }  # fmt: skip


def test_every_step(tmp_path: Path) -> None:
    project = copy_project(tmp_path / "project", built=False)
    # No step asks the other runs.
    for run in project.raw.glob("*/*/"):
        if run.name != "6-systems-configuration":
            shutil.rmtree(run)
    add_a_format(project)
    add_a_metric(project)
    add_a_claim(project)
    add_a_law(project)
    add_a_figure(project)
    add_a_check(project)

    done = project.run("record", "load-average")
    assert "ok         flexible-scale/load-average" in done.stdout
    assert "recorded   notebooks/flexible-scale/load-average.ipynb" in done.stdout
    drawn = pd.read_csv(project.build / "figures/flexible-scale/load-average.csv")
    assert drawn["value"].tolist() == [pytest.approx(0.2)]
    text = (project.root / "notebooks/flexible-scale/load-average.ipynb").read_text()
    assert "The machine is idle." in text
    assert ">open<" in text  # two values, 0.1 and 0.3: the interval holds the bound
    assert "1 check violated; 1 check of 1 run holds" in text
    assert json.loads(project.run("status", "--json", code=3).stdout)["database"] == []


def add_a_format(project: Project) -> None:
    (project.root / "studybook/formats/uptime.py").write_text(FORMAT)
    run = project.raw / "flexible-scale/idle"
    run.mkdir()
    (run / "uptime.txt").write_text(
        " 10:00:00 up 1 day,  1 user,  load average: 0.10, 0.20, 0.30\n"
        " 10:01:00 up 1 day,  1 user,  load average: 0.30, 0.20, 0.30\n"
    )
    (run / "run.yml").write_text(
        "study: flexible-scale\nrun: idle\ntitle: t\norigin: measured\ntime_zone: UTC\n"
        "files: [{path: uptime.txt}]\n"
    )
    assert "2 in records" in project.run("inspect", str(run / "uptime.txt")).stdout


def add_a_metric(project: Project) -> None:
    words = project.root / "pipelines/flexible-scale/study.yml"
    words.write_text(
        words.read_text() + "\nmetrics:\n  load_1_min: {label: Load average, decimals: 2}\n"
    )
    (project.root / "pipelines/flexible-scale/own_metric.sql").write_text(METRIC)


def add_a_claim(project: Project) -> None:
    project.change("data/published/flexible-scale.yml", "\ndisagreements:\n", CLAIM)
    of_clients = "claims: [depends-on-clients"
    statements = "data/published/flexible-scale/statements.yml"
    project.change(statements, of_clients, f"{of_clients}, idle-machine")


def add_a_law(project: Project) -> None:
    project.change("studybook/models/run/law/law.sql", "FROM (VALUES\n", LAW)
    project.change(
        "studybook/models/run/law/law_side.sql",
        "SELECT\n    run_id, 'Users think as in the other runs'",
        LAW_SIDE,
    )


def add_a_figure(project: Project) -> None:
    notebook = nbformat.read(project.root / "notebooks/flexible-scale/mixed.ipynb", as_version=4)
    cells = notebook.cells
    cells[0].source = "# Load average"
    cells[2].source = cells[2].source.replace(', runs={"operation": "mixed-70-30"}', "")
    cells[3].source = (
        "frame = study.require(\n"
        '    "SELECT origin, run_id, avg(mean) AS value FROM load_1_min GROUP BY ALL",'
        ' needs="uptime")'
    )
    cells[4].source = (
        'base = alt.Chart(frame).encode(x="value:Q", y="run_id:N")\n'
        'look.finding(marks.interval_bars(base, value="x"), title="Idle", description="Idle.")'
    )
    cells[5].source = 'words.Reading(f"{len(frame)} runs told their load.")'
    cells[7].source = cells[7].source.replace('"mixed"', '"load-average"')
    laws = "from studybook.frames import cross_check\n\ncross_check.of_runs(study)"
    cells.append(nbformat.v4.new_code_cell(laws))
    nbformat.write(notebook, project.root / "notebooks/flexible-scale/load-average.ipynb")


def add_a_check(project: Project) -> None:
    project.change("studybook/doctor/cluster.py", "CHECKS = (\n", CHECK)
    done = project.run("doctor", "flexible-scale", "--json", "--only", "settings", code=4)
    (found,) = (each for each in json.loads(done.stdout) if each["check"] == "two-managers")
    assert (found["found"], found["verdict"]) == ("4", "goes against it")
    assert "two-managers: Two nodes are managers" in project.run("doctor", "--checks").stdout
