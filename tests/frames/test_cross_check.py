"""The laws that exports must obey together: on runs as they are, and on runs that were tampered."""

from __future__ import annotations

import csv
import io
import lzma
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from studybook.frames import cross_check
from studybook.records.load import load
from studybook.study.study import Study, open_study
from tests.conftest import REPOSITORY
from tests.support.project import copy_project
from tests.support.scratch import Scratch

GOOD = [f"nsd-4-1492-u1000-{number}" for number in (1, 2, 3)]
MIXED_UP, DOUBLED, FEW_USERS = (f"nsd-4-1492-unbalanced-u1000-{number}" for number in (1, 2, 3))
WITHOUT_SAR = "sd-1-1492-u250-1"


def change(path: Path, of: Callable[[str], str]) -> None:
    text = lzma.decompress(path.read_bytes()).decode()
    changed = of(text)
    assert changed != text, path
    path.write_bytes(lzma.compress(changed.encode(), preset=0))


def twice_received(text: str) -> str:
    """Double rxkB/s of eth0 in sar's report of a host: twice the bytes in as many packets."""
    return re.sub(
        r"^(\d\S+ +eth0 +\S+ +\S+ +)(\d+\.\d\d)(?= +\S+ +\S+ +\S+ +\S+$)",
        lambda found: f"{found[1]}{2 * float(found[2]):.2f}",
        text,
        flags=re.MULTILINE,
    )


def a_twentieth_of_the_users(text: str) -> str:
    """Divide the users in the load driver's report by 20: fewer than the requests in work."""
    rows = list(csv.reader(io.StringIO(text)))
    first = next(number for number, row in enumerate(rows) if row and row[0].startswith("Time ["))
    names = rows[first + 2]
    of_users = [column for column, name in enumerate(names) if name.endswith(" Users")]
    assert len(of_users) == 3
    for row in rows[first:]:
        for column in of_users:
            if len(row) > column and row[column].isdigit():
                row[column] = str(int(row[column]) // 20)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of seven runs: three as they are, three tampered, one without its sar files."""
    project = copy_project(tmp_path_factory.mktemp("checks") / "project", built=False)
    raw = project.root / "data/raw/tampered/ecm-scaleout"
    runs = [*GOOD, MIXED_UP, DOUBLED, FEW_USERS, WITHOUT_SAR]
    for run in runs:
        shutil.copytree(REPOSITORY / "data/raw/reference/ecm-scaleout" / run, raw / run)
    one, other = (raw / MIXED_UP / f"sar-{host}.txt.xz" for host in ("DB2", "NSDsrv2"))
    contents = one.read_bytes(), other.read_bytes()
    other.write_bytes(contents[0])
    one.write_bytes(contents[1])
    change(raw / DOUBLED / "sar-ECMnod2.txt.xz", twice_received)
    for report in (raw / FEW_USERS).glob("*_Report.csv.xz"):
        change(report, a_twentieth_of_the_users)
    for path in (raw / WITHOUT_SAR).glob("sar-*"):
        path.unlink()
    manifest = raw / WITHOUT_SAR / "run.yml"
    kept = re.sub(
        r"- path: sar-.*?(?=^- path: (?!sar-))", "", manifest.read_text(), flags=re.S | re.M
    )
    manifest.write_text(kept)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(project.root))
        load(data_set="tampered")
    return project.root / "build/tampered/study.duckdb"


@cache
def opened(database: Path, **factors: str) -> Study:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(REPOSITORY))
        return open_study(
            "ecm-scaleout",
            data_set="reference",
            runs=factors,
            database=str(database),
        )


@pytest.fixture(scope="module")
def found(database: Path) -> pd.DataFrame:
    return cross_check.rows(opened(database))


def of_run(found: pd.DataFrame, *runs: str) -> pd.DataFrame:
    return found[found["run_id"].isin([f"ecm-scaleout/{run}" for run in runs])]


def violated(found: pd.DataFrame, run: str) -> set[tuple[str, str]]:
    own = of_run(found, run)
    own = own[own["verdict"] == "violated"]
    return set(zip(own["law"], own["host"].fillna("").astype(str), strict=True))


def test_runs_as_they_are_obey_every_law(found: pd.DataFrame) -> None:
    good = of_run(found, *GOOD)
    assert "violated" not in set(good["verdict"])
    judged = good[good["verdict"] == "holds"]
    # All but the law for exports without CP itself, and the one that needs the driver's bytes.
    assert judged["law"].nunique() == 16
    open_ones = good[good["verdict"] == "cannot be judged"]
    assert set(open_ones["why"]) == {"needs bytes of the load driver"}
    # What is counted twice agrees to a percent, and to the rounding of small rates.
    twice = judged[judged["law"].str.contains("count|make up|agree")]
    assert twice["ratio"].between(0.98, 1.02).all()


def test_two_files_that_were_mixed_up_are_found(found: pd.DataFrame) -> None:
    broken = violated(found, MIXED_UP)
    for law in (
        "Linux fits into its guest",
        "sar and z/VM count the same packets",
        "sar and z/VM count the same bytes",
    ):
        assert {host for of, host in broken if of == law} == {"DB2", "NSDsrv2"}
    assert {host for _, host in broken} <= {"", "DB2", "NSDsrv2"}


def test_a_doubled_column_is_found_and_nothing_else(found: pd.DataFrame) -> None:
    assert violated(found, DOUBLED) == {
        ("sar and z/VM count the same bytes", "ECMnod2"),
        ("No packet is larger than the MTU", "ECMnod2"),
    }
    own = of_run(found, DOUBLED)
    row = own[(own["verdict"] == "violated") & (own["unit"] == "MiB/s")].iloc[0]
    assert row["left_name"] == "by sar (received)"
    assert row["ratio"] == pytest.approx(2, rel=0.01)
    assert row["why"].startswith("more than ")


def test_fewer_users_than_requests_in_work_are_found(found: pd.DataFrame) -> None:
    assert violated(found, FEW_USERS) == {("Users outnumber the requests in work", "")}
    own = of_run(found, FEW_USERS).set_index("law")
    assert own.loc["Users outnumber the requests in work", "left_value"] == pytest.approx(50)
    # There is no other run with as many users to take the think time from.
    assert own.loc["Users think as in the other runs", "why"] == (
        "needs two other runs with as many users"
    )


def test_a_run_without_sar_is_judged_by_what_it_has(found: pd.DataFrame) -> None:
    own = of_run(found, WITHOUT_SAR)
    assert "violated" not in set(own["verdict"])
    by_law = own.groupby("law")["verdict"].agg(lambda verdicts: "/".join(sorted(set(verdicts))))
    assert by_law["Guests and CP make up the system"] == "holds"
    assert by_law["Users outnumber the requests in work"] == "holds"
    for law in (
        "All of Linux fits into the system",
        "Linux fits into its guest",
        "sar and z/VM count the same bytes",
        "What is written reaches the disks",
    ):
        assert by_law[law] == "cannot be judged"
        assert len(own[own["law"] == law]) == 1, "one row for the run, not one for each host"
    # Of a law that both sides are missing of, nothing is said.
    assert "No packet is larger than the MTU" not in by_law.index


def test_a_quiet_line_while_all_laws_hold(database: Path) -> None:
    checks = cross_check.of_runs(opened(database, server_list="balanced"))
    assert re.fullmatch(
        r"Simulated exports \(one model wrote all: a test of writers and readers, and not of the"
        r" system\): \d{3} checks of 3 runs hold; 3 cannot be judged \(needs bytes of the load"
        r" driver\)",
        repr(checks),
    )
    page = checks._repr_html_()
    assert "admonition" not in page
    assert 'class="verdict-holds"' in page


def test_a_warning_names_run_law_and_both_values(database: Path) -> None:
    checks = cross_check.of_runs(opened(database, server_list="unbalanced"))
    text, page = repr(checks), checks._repr_html_()
    assert text.startswith("WARNING: ")
    assert "admonition warning" in page
    assert 'class="verdict-fails"' in page
    assert "The exports of these runs contradict each other" in page
    row = checks.violated[checks.violated["law"] == "Users outnumber the requests in work"].iloc[0]
    for said in (text, page):
        assert FEW_USERS in said
        assert "Users outnumber the requests in work" in said
        assert "50 users" in said
        assert f"{row['right_value']:.3f} users" in said
    # Of a law that is violated at several hosts the worst is listed, and the others are counted.
    listed = checks.table.rows
    assert len(listed) == 6
    assert f"there are {len(checks.violated) - 6} more" in text


def test_the_origin_of_the_exports_comes_first(found: pd.DataFrame) -> None:
    one = found[found["verdict"] == "holds"].head(1)
    measured = cross_check.Checks(one.assign(origin="measured"))
    assert measured.sentence == "Measured exports: 1 check of 1 run holds"
    both = cross_check.Checks(pd.concat([one.assign(origin="measured"), one]))
    assert both.sentence.startswith(
        "Measured and simulated exports (one model wrote the simulated: a test of writers"
    )


def test_without_runs_no_law_applies(database: Path) -> None:
    none = opened(database, server_list="no such order")
    assert repr(cross_check.of_runs(none)).startswith("No law applies")


def test_the_tables_of_the_laws_begin_with_violations(database: Path, found: pd.DataFrame) -> None:
    listed = cross_check.by_law(found)
    broken = found.loc[found["verdict"] == "violated", "law"].nunique()
    assert all("violated" in each.caption for each in listed[:broken])
    assert not any("violated" in each.caption for each in listed[broken:])
    assert listed[0].rows[0][-1].startswith("violated")
    shown = cross_check.laws(opened(database))
    assert len(shown.rows) == 18
    assert all("\n" in row[0] for row in shown.rows), "each law says why its bounds are not closer"


@pytest.mark.parametrize(
    ("law", "left", "right", "verdict", "why"),
    [
        ("NSD servers send what they read", 125.0, 100.0, "holds", "between 97 and 125"),
        ("NSD servers send what they read", 125.1, 100.0, "violated", "more than 125"),
        ("NSD servers send what they read", 96.9, 100.0, "violated", "less than 97"),
        ("NSD servers send what they read", 5.0, 0.0, "violated", "more than 0"),
        ("NSD servers send what they read", 0.0, 0.0, "cannot be judged", "both are 0"),
        ("NSD clients send what servers receive", 9e9, 1.0, "holds", "at least 0.98"),
        # No more than the digits of the exports hide.
        ("sar and z/VM count the same packets", 0.1, 0.0, "holds", "between -0.1 and 0.1"),
        ("sar and z/VM count the same packets", 2000.0, 0.0, "violated", "more than 0.1"),
        ("No packet is larger than the MTU", 1511.0, 1510.0, "violated", "more than 1,510"),
    ],
)
def test_the_bounds_of_a_law(law: str, left: float, right: float, verdict: str, why: str) -> None:
    with Scratch(duckdb.connect(), given=("law_side",)) as connection:
        connection.execute("CREATE TABLE run AS SELECT 'r' AS run_id, 's' AS study, 'o' AS origin")
        connection.execute(
            """
            CREATE TABLE law_side AS SELECT 'r' AS run_id, NULL::VARCHAR AS host, $law AS law,
            NULL::VARCHAR AS what, $left::DOUBLE AS left_value, $right::DOUBLE AS right_value,
            NULL::DOUBLE AS lowest, NULL::DOUBLE AS highest, NULL::VARCHAR AS missing
            """,
            {"law": law, "left": left, "right": right},
        )
        rows = connection.execute("SELECT verdict, why FROM cross_check").fetchall()
    assert rows == [(verdict, why)]


def test_only_the_time_that_both_sides_cover_counts() -> None:
    made = ("stable_phase", "counted_by_two")
    with Scratch(duckdb.connect(), given=made) as connection:
        connection.execute(
            """
            CREATE OR REPLACE TEMP MACRO within_phase(time_utc, interval_s, from_utc, to_utc) AS
                time_utc BETWEEN from_utc AND to_utc;
            CREATE TABLE stable_phase AS SELECT 'r' AS run_id,
                TIMESTAMP '2020-01-01 00:00' AS from_utc, TIMESTAMP '2020-01-01 01:00' AS to_utc;
            CREATE TABLE counted_by_two AS
            SELECT 'r' AS run_id, 'h' AS host, 'q' AS quantity, 1 AS place, 'coarse' AS side,
                TIMESTAMP '2020-01-01 00:08' + INTERVAL (240 * i) SECOND AS time_utc,
                240.0 AS interval_s, 10.0 AS value
            FROM range(3) t(i)
            UNION ALL
            -- Before and after the coarse intervals, the other side counts much more.
            SELECT 'r', 'h', 'q', 2, 'fine', TIMESTAMP '2020-01-01 00:01' + INTERVAL (i) MINUTE,
                60.0, if(i BETWEEN 4 AND 15, 10, 1000)
            FROM range(30) t(i)
            UNION ALL
            SELECT 'r', 'alone', 'q', 2, 'fine', TIMESTAMP '2020-01-01 00:01', 60.0, 7;
            """
        )
        rows = connection.execute(
            "SELECT host, side, reference, value, reference_value FROM common_time ORDER BY ALL"
        ).fetchall()
    assert rows == [
        ("alone", "fine", "fine", 7, 7),
        ("h", "coarse", "coarse", 10, 10),
        ("h", "fine", "coarse", 10, 10),
    ]


def test_the_think_time_is_that_of_the_other_runs() -> None:
    made = ("stable_phase", "driver_interval", "phase_driver")
    with Scratch(duckdb.connect(), given=made) as connection:
        connection.execute(
            """
            CREATE OR REPLACE TEMP MACRO within_phase(a, b, from_utc, to_utc) AS true;
            CREATE TABLE run AS SELECT unnest(['a', 'b', 'c', 'few', 'real']) AS run_id,
                's' AS study, if(run_id = 'real', 'measured', 'simulated') AS origin;
            CREATE TABLE stable_phase AS SELECT run_id, now() AS from_utc, now() AS to_utc FROM run;
            CREATE TABLE driver_interval AS SELECT run_id, now() AS time_utc, 10.0 AS interval_s,
                20.0 AS completed_per_s FROM run;
            -- The think times are 4, 4.5 and 9 s; runs of other users or origin do not count.
            CREATE TABLE phase_driver AS FROM (VALUES
                ('a', 100.0, 20.0, 1000.0), ('b', 100.0, 20.0, 500.0), ('c', 100.5, 10.05, 1000.0),
                ('few', 50.0, 10.0, 1000.0), ('real', 100.0, 20.0, 1000.0)
            ) t (run_id, users, completed_per_s, response_ms);
            """
        )
        rows = connection.execute(
            "SELECT run_id, think_s, other_runs, others_think_s, requests"
            " FROM think_time ORDER BY run_id"
        ).fetchall()
    assert rows == [
        ("a", 4, 2, 6.75, 200),
        ("b", 4.5, 2, 6.5, 200),
        ("c", 9, 2, 4.25, 200),
        ("few", 4, 0, None, 200),
        ("real", 4, 0, None, 200),
    ]
