"""The reference data set: written again byte for byte, and what the readers find in it."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

from studybook.__main__ import cli
from studybook.errors import StudyBookError
from testbed import dataset, plan, reference, scale
from testbed.ecm.mix import read_mix
from testbed.exports import exports
from testbed.unfold import unfold
from tests.conftest import REPOSITORY

DATA = REPOSITORY / "data/raw/reference"
#: One run of each kind, and those with faults.
SAMPLE = (
    "configuration-nsd-4-1492-unbalanced",
    "xfs-1-1492-u250-1",
    "sd-4-1492-u1000-3",
    "nsd-4-8192-u500-2",
    "cpus-2-2-level-1-1",
    "sd-4-1492-u250-5",
)


@cache
def by_name() -> dict[str, plan.PlannedRun]:
    """Every run of the plan by its name; a model is asked for the load of some."""
    return {planned.run: planned for planned in plan.all_runs()}


def test_every_run_of_the_plan_is_committed_and_no_other() -> None:
    there = {path.name for study in (plan.ECM, plan.FILENET) for path in (DATA / study).iterdir()}
    assert there == set(by_name())
    assert set(plan.FAULTS) <= set(by_name())


def test_the_list_names_every_file_with_its_hash() -> None:
    known = reference.read_list(DATA)
    files = [
        path
        for study in (plan.ECM, plan.FILENET)
        for path in (DATA / study).rglob("*")
        if path.is_file()
    ]
    assert set(known) == {path.relative_to(DATA).as_posix() for path in files}
    every = [path for path in DATA.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in every) < 32 * 2**20
    done = subprocess.run(
        ["sha256sum", "--check", "--quiet", reference.list_of(DATA).name],
        cwd=DATA.parent.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("run", SAMPLE)
def test_a_run_is_written_again_byte_for_byte(run: str, tmp_path: Path) -> None:
    found = reference.compare(by_name()[run], DATA, tmp_path)
    assert not found.different
    assert found.same + found.packed_otherwise == len(
        list((DATA / by_name()[run].study / run).iterdir())
    )
    assert not any(tmp_path.rglob("*.*"))


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    run = by_name()["configuration-xfs-1-1492"]
    copy = tmp_path / "data/raw/copy"
    reference.write_list(dataset.write_run(run, copy), copy)
    assert not reference.compare(run, copy, tmp_path / "again").different
    changed = copy / run.study / run.run / "ifconfig-DB2.txt"
    changed.write_text(changed.read_text().replace("MTU:1492", "MTU:1500"))
    (name,) = reference.compare(run, copy, tmp_path / "again").different
    assert name.endswith("ifconfig-DB2.txt")


def test_the_list_follows_runs_that_are_written_again(tmp_path: Path) -> None:
    first, second = by_name()["configuration-xfs-1-1492"], by_name()["configuration-cpus-1-1"]
    copy = tmp_path / "data/raw/copy"
    # Without a list there is nothing to bring up to date.
    reference.update_list(dataset.write_run(first, copy), [first], copy)
    assert not reference.list_of(copy).exists()
    both = [*dataset.write_run(first, copy), *dataset.write_run(second, copy)]
    reference.write_list(both, copy)
    whole = reference.list_of(copy).read_text()
    stale = whole.replace(f"{second.run}/lsdasd-DB2", f"{second.run}/gone")
    reference.list_of(copy).write_text(stale)
    reference.update_list(dataset.write_run(second, copy), [second], copy)
    assert reference.list_of(copy).read_text() == whole


def test_the_order_of_work_does_not_matter(tmp_path: Path) -> None:
    runs = [by_name()["configuration-xfs-1-1492"], by_name()["configuration-sd-1-1492"]]
    one = [each for files in dataset.write(runs, tmp_path / "one", 1) for each in files]
    two = [each for files in dataset.write(runs, tmp_path / "two", 2) for each in files]
    assert one == two


def test_another_seed_gives_other_numbers_of_the_same_size() -> None:
    first = by_name()["sd-4-1492-u250-1"]
    (second,) = (each for each in plan.all_runs(seed=2) if each.run == first.run)
    one, two = unfold(first), unfold(second)
    for left, right in zip(one.guests, two.guests, strict=True):
        assert not np.array_equal(left.system_ifl, right.system_ifl)
        assert np.mean(left.system_ifl) == pytest.approx(np.mean(right.system_ifl), rel=0.1)


@pytest.mark.parametrize("run", ["sd-4-1492-u1000-1", "nsd-4-1492-u1000-2", "cpus-8-2-level-5-1"])
def test_littles_law_holds_in_the_stable_phase(run: str) -> None:
    planned = by_name()[run]
    driver = unfold(planned).driver
    assert driver is not None
    step = planned.driver_interval_s
    stable = slice(planned.phases.ramp_up_s // step, -(planned.phases.ramp_down_s // step) or None)
    hits = sum(each.hits[stable] for each in driver.requests)
    busy_ms = sum(each.hits[stable] * each.mean_ms[stable] for each in driver.requests)
    pages_per_s = hits.sum() / (len(hits) * step)
    response_s = busy_ms.sum() / hits.sum() / 1000
    per_transaction = read_mix().pages_per_transaction if planned.study == plan.ECM else 1.0
    users = pages_per_s / per_transaction * (response_s * per_transaction + driver.think_time_s)
    assert users == pytest.approx(planned.users, rel=0.03)


def test_users_log_in_work_and_end() -> None:
    planned = by_name()["sd-4-1492-u1000-1"]
    driver = unfold(planned).driver
    assert driver is not None
    assert driver.users.max() == 1000
    assert (np.diff(driver.users[: 300 // 10]) > 0).all()
    assert (driver.users[300 // 10 : (300 + 900) // 10] == 1000).all()
    assert driver.users[-1] == 0
    assert driver.completed_users[-1] == 1000


def test_neighbouring_intervals_are_alike() -> None:
    course = unfold(by_name()["sd-4-1492-u1000-1"])
    alike = []
    for guest in course.guests[:4]:
        stable = guest.user_ifl[12:38]
        around = stable - stable.mean()
        alike.append(float(np.sum(around[1:] * around[:-1]) / np.sum(around * around)))
    assert np.mean(alike) > 0.2


def test_columns_are_no_copies_of_each_other() -> None:
    (guest,) = (
        each for each in unfold(by_name()["sd-4-1492-u1000-1"]).guests if each.name == "ECMnod2"
    )
    eth0, disks = guest.interfaces[0], guest.disks[1:]
    stable = slice(12, 40)
    columns = [guest.user_ifl, eth0.rx_packets_per_s, eth0.tx_packets_per_s]
    columns += [each.reads_per_s for each in disks] + [disks[0].service_ms]
    alike = np.corrcoef([each[stable] for each in columns])
    assert np.max(np.abs(alike - np.eye(len(columns)))) < 0.97
    assert len(np.unique(np.round(disks[0].read_kib_s / disks[0].reads_per_s, 3))) > 10


def test_pages_of_a_transaction_follow_each_other() -> None:
    driver = unfold(by_name()["nsd-4-1492-u1000-1"]).driver
    assert driver is not None
    before: dict[str, np.ndarray] = {}
    for each in driver.requests:
        ended = np.cumsum(each.hits)
        assert (ended <= before.get(each.transaction, ended)).all()
        before[each.transaction] = ended
        some = each.hits > 0
        assert (each.min_ms[some] <= each.mean_ms[some] + 1e-6).all()
        assert (each.mean_ms[some] <= each.max_ms[some] + 1e-6).all()


def test_memory_follows_the_setup() -> None:
    xfs = unfold(by_name()["xfs-1-1492-u1000-1"]).guests[0]
    assert 2048 < xfs.cached_mib[-1] < 2200
    small, large = (
        next(g for g in unfold(by_name()[run]).guests if g.name == "ECMnod1").memory_used_mib.mean()
        for run in (
            "nsd-4-1492-client-256-server-2048-u1000-1",
            "nsd-4-1492-client-2048-server-1024-u1000-1",
        )
    )
    assert large - small == pytest.approx(2048 - 256, abs=20)


def test_random_routing_is_not_the_same_each_time() -> None:
    busiest = set()
    for repetition in (1, 2, 3):
        course = unfold(by_name()[f"sd-4-1492-random-u1000-{repetition}"])
        nodes = [each for each in course.guests if each.role == "ecm-node"]
        busiest.add(max(nodes, key=lambda each: each.user_ifl.mean()).name)
    assert len(busiest) > 1


def test_what_somebody_else_put_there_is_not_deleted(tmp_path: Path) -> None:
    run = by_name()["configuration-xfs-1-1492"]
    place = tmp_path / run.study / run.run
    place.mkdir(parents=True)
    (place / "run.yml").write_text("origin: measured\n")
    with pytest.raises(StudyBookError, match="not written by the testbed"):
        dataset.write_run(run, tmp_path)
    assert (place / "run.yml").read_text() == "origin: measured\n"


def test_a_run_says_what_it_carries_and_that_it_is_simulated() -> None:
    for name, carried in plan.FAULTS.items():
        planned = by_name()[name]
        manifest = yaml.safe_load((DATA / planned.study / name / "run.yml").read_text())
        assert manifest["origin"] == "simulated"
        notes = {file["path"]: file.get("notes", []) for file in manifest["files"]}
        made = {export.path: export for export in exports(planned, unfold(planned))}
        for export in made.values():
            assert set(export.faults.sentences()) <= set(notes[export.path])
        assert set(carried.values()) <= {each.faults for each in made.values()}
        perfkit = [said for path, said in notes.items() if path.startswith("perfkit")]
        assert all(any("not checked" in note for note in said) for said in perfkit)


def test_a_plan_of_any_size_is_bounded_by_the_day(tmp_path: Path) -> None:
    runs = list(scale.runs(hosts=9, hours=30, interval_s=600))
    assert [run.run for run in runs] == [
        "cluster-0001-day-0001", "cluster-0002-day-0001",
        "cluster-0001-day-0002", "cluster-0002-day-0002",
    ]  # fmt: skip
    assert runs[0].phases.total_s == 86_400
    assert runs[-1].phases.total_s == 6 * 3600
    files = dataset.write_run(runs[-1], tmp_path)
    assert sum("sar-" in each.path for each in files) == 8
    with pytest.raises(StudyBookError, match="no plan"):
        next(scale.runs(hosts=0, hours=1, interval_s=10))


def test_memory_does_not_grow_with_the_plan(tmp_path: Path) -> None:
    """Write a day, then another, in a process of its own."""
    program = (
        "import sys; from pathlib import Path;"
        "from testbed import dataset, scale; from tests.support.memory import peak;"
        "runs = scale.runs(8, 48, 120);"
        "print(*[peak() for _ in dataset.write(runs, Path(sys.argv[1]), 1)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        cwd=REPOSITORY, capture_output=True, text=True, check=True,
    )  # fmt: skip
    one_day, two_days = map(int, done.stdout.split())
    assert two_days < 1.07 * one_day


def test_nothing_is_shared_with_the_readers() -> None:
    """Look through all imports of the testbed."""
    for path in (REPOSITORY / "testbed").rglob("*.py"):
        assert "studybook.formats" not in path.read_text(encoding="utf-8").replace(
            "``studybook.formats``", ""
        )
    for path in (REPOSITORY / "studybook/formats").rglob("*.py"):
        assert "testbed" not in path.read_text(encoding="utf-8")


def test_the_reference_is_not_written_with_another_seed() -> None:
    done = CliRunner().invoke(cli, ["testbed", "write", "--seed", "7"])
    assert isinstance(done.exception, StudyBookError)
    assert "--data-set NAME" in str(done.exception)


@pytest.mark.parametrize("users", ["0", "nan", "inf", "-1"])
def test_users_that_cannot_be_are_refused(users: str) -> None:
    done = CliRunner().invoke(cli, ["testbed", "predict", "--users", users])
    assert isinstance(done.exception, StudyBookError)


def test_a_prediction_as_json() -> None:
    done = CliRunner().invoke(cli, ["testbed", "predict", "--nodes", "8", "--json"])
    (found,) = json.loads(done.output)
    assert found["users"] == 1000
    assert max(each["utilisation"] for each in found["stations"]) <= 1
