"""Checks on disks and DB2: what is wrong in one place is found, and nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from studybook.__main__ import cli
from studybook.doctor import Verdict, database, volumes
from tests.conftest import REPOSITORY
from tests.support.captured import (
    GOOD_FILENET,
    Changes,
    add_changed,
    add_reference,
    add_words,
    project,
)

KEEPS, AGAINST, UNJUDGED = map(str, Verdict)
CHECKS = {check.id for check in (*volumes.CHECKS, *database.CHECKS)} | {"db2-workload"}

Answer = list[dict[str, Any]]

HEADING = (
    "Bus-ID     Status      Name      Device  Type  BlkSz  Size      Blocks\n" + "=" * 78 + "\n"
)
DISKS = """0.0.6e12   active      dasdb     94:4    ECKD  4096   100170MB  25643520
0.0.6f12   active      dasdc     94:8    ECKD  4096   100170MB  25643520
"""
UIDS = """Bus-ID    Name      UID
0.0.6e12  dasdb     IBM.750000000QZ31.6e00.12
0.0.6f12  dasdc     IBM.750000000QZ31.6e00.13
"""
DISK = """{name} (360050763ffd2000000000000000{number:05d}) dm-{number} IBM,2107900
size=10G features='0' hwhandler='1 alua' wp=rw
`-+- policy='service-time 0' prio=50 status=active
  |- {first} sda 8:0  active ready running
  `- {second} sdb 8:16 {state}
"""


def paths(first: str, second: str, state: str = "active ready running") -> Changes:
    """Add a capture of multipath: a disk with two adapters, and one with the paths given."""
    good = DISK.format(name="good", number=0, first="0:0:0:1", second="1:0:0:1",
                       state="active ready running")  # fmt: skip
    other = DISK.format(name="other", number=1, first=first, second=second, state=state)
    return {"multipath.txt": ("DB2", f"# multipath -ll\n{good}{other}")}


def lsdasd(text: str, command: str = "lsdasd") -> Changes:
    """Replace lsdasd of the CE/PE guest."""
    return {"lsdasd-CEPE.txt": None, "other.txt": ("CEPE", f"CEPE:~ # {command}\n{text}")}


def data_stripes(after: str, before: str = "dhei") -> tuple[str, str]:
    """Put the stripes of the data volume on other disks: d and e are of one control unit."""

    def text(disks: str) -> str:
        between = "\n      Physical extents\t0 to 10563\n    Stripe {}:\n      Physical volume\t"
        first, *others = (f"/dev/dasd{disk}1" for disk in disks)
        return first + "".join(between.format(n) + each for n, each in enumerate(others, 1))

    return text(before), text(after)


def db2(before: str, after: str) -> Changes:
    return {"db2set-DB2.txt": (before, after)}


LINEAR = "    Type\t\tstriped\n    Stripes\t\t2\n    Stripe size\t\t64.00 KiB\n"

#: By run, what was changed, and the verdict of each check that is not kept to; None is of one that
#: has nothing to judge.
CASES: dict[str, tuple[Changes, dict[str, str | None]]] = {
    "good": ({}, {"paths": UNJUDGED}),
    "two-stripes-of-four": (
        {"lvdisplay-DB2.txt": ("Stripes\t\t4", "Stripes\t\t2")}, {"stripes": AGAINST},
    ),
    "linear": ({"lvdisplay-CEPE.txt": (LINEAR, "    Type\t\tlinear\n")}, {"stripes": AGAINST}),
    "mirror": ({"lvdisplay-CEPE.txt": (LINEAR, "    Type\t\tmirror\n")}, {"stripes": UNJUDGED}),
    "disk-without-stripe": (
        {"pvscan-CEPE.txt": ("  Total", "  PV /dev/dasdd1   VG CE_filestor_vg   lvm2 [1.00 GiB / "
                             "1.00 GiB free]\n  Total")},
        {"stripes": AGAINST, "hyperpav": UNJUDGED},
    ),
    # Then the volumes say on which disks they are.
    "without-pvscan": ({"pvscan-CEPE.txt": None, "pvscan-DB2.txt": None}, {}),
    "without-lvdisplay": (
        {"lvdisplay-CEPE.txt": None, "lvdisplay-DB2.txt": None},
        {"stripes": UNJUDGED, "control-units": UNJUDGED, "log-apart": UNJUDGED},
    ),
    "one-control-unit": ({"lsdasd-CEPE.txt": ("0.0.6f12", "0.0.6e13")}, {"control-units": AGAINST}),
    "one-control-unit-by-uid": (
        {"uid.txt": ("CEPE", f"CEPE:~ # lsdasd -u\n{UIDS}")}, {"control-units": AGAINST},
    ),
    # Two of one control unit follow each other, then two of the other one.
    "two-by-two": ({"lvdisplay-DB2.txt": data_stripes("dhie")}, {"control-units": AGAINST}),
    "first-after-last": ({"lvdisplay-DB2.txt": data_stripes("hdie")}, {}),
    # Three disks of one control unit cannot all have neighbours of another one.
    "as-far-as-possible": ({"lsdasd-DB2.txt": ("0.0.6f0d", "0.0.6e11")}, {}),
    "no-aliases": (lsdasd(HEADING + DISKS), {"hyperpav": AGAINST}),
    "aliases-elsewhere": (
        lsdasd(HEADING + "0.0.70f0   alias                         ECKD\n" + DISKS),
        {"hyperpav": AGAINST},
    ),
    # There are as many as before: ten in one of the control units, ten where no disk is.
    "aliases-of-one-unit": ({"lsdasd-CEPE.txt": ("0.0.6fc", "0.0.70c")}, {"hyperpav": AGAINST}),
    "only-base-devices": (lsdasd(HEADING + DISKS, "lsdasd -b"), {"hyperpav": UNJUDGED}),
    # Nothing is known of the other disk.
    "one-disk-of-two": (
        lsdasd(HEADING + DISKS.splitlines(keepends=True)[0]),
        {"control-units": UNJUDGED, "hyperpav": AGAINST},
    ),
    "without-lsdasd": (
        {f"lsdasd-{host}.txt": None for host in ("CEPE", "DB2", "LDAP", "AE")},
        {"control-units": UNJUDGED, "hyperpav": UNJUDGED},
    ),
    "other-workload": (db2("=FILENET_CM", "=SAP"), {"db2-workload": AGAINST}),
    "no-workload": (db2("DB2_WORKLOAD=FILENET_CM\n", ""), {"db2-workload": AGAINST}),
    "three-disks": (db2("*:4", "*:3"), {"db2-parallel-io": AGAINST}),
    "default-disks": (db2("*:4", "*"), {"db2-parallel-io": AGAINST}),
    "more-spaces": (db2("*:4", "3:6,*:4"), {"db2-parallel-io": KEEPS}),
    "one-space": (db2("*:4", "3:4"), {"db2-parallel-io": AGAINST}),
    "instance-before-global": (
        db2("DB2_PARALLEL_IO=*:4", "[g] DB2_PARALLEL_IO=*:9\n[i] DB2_PARALLEL_IO=*:4"), {},
    ),
    "no-parallel-io": (db2("DB2_PARALLEL_IO=*:4\n", ""), {"db2-parallel-io": AGAINST}),
    "volumes-not-known": (
        {"pvscan-DB2.txt": None, "lvdisplay-DB2.txt": None},
        {"db2-parallel-io": UNJUDGED, "log-apart": UNJUDGED},
    ),
    "without-db2set": (
        {"db2set-DB2.txt": None},
        {"db2-workload": UNJUDGED, "db2-parallel-io": UNJUDGED, "log-apart": None},
    ),
    # The log in the volume group of the data, but on disks of its own; and on a disk of the data.
    "log-beside-data": (
        {f"{file}-DB2.txt": ("DB_log_vg", "ECM_data_vg") for file in ("lvdisplay", "pvscan")},
        {"stripes": AGAINST, "db2-parallel-io": AGAINST},
    ),
    "log-on-a-disk-of-data": (
        {"lvdisplay-DB2.txt": ("/dev/dasdf1", "/dev/dasdd2")},
        {"log-apart": AGAINST, "control-units": UNJUDGED},
    ),
    "no-log-by-name": (
        {"lvdisplay-DB2.txt": ("DB_log", "DB_catalog"), "pvscan-DB2.txt": ("DB_log", "DB_catalog")},
        {"log-apart": UNJUDGED},
    ),
    "good-paths": (paths("0:0:0:2", "1:0:1:2"), {"paths": KEEPS}),
    "one-adapter": (paths("0:0:0:2", "0:0:1:2"), {"paths": AGAINST}),
    "failed-path": (paths("0:0:0:2", "1:0:1:2", "failed faulty running"), {"paths": AGAINST}),
    "lost-path": (paths("0:0:0:2", "#:#:#:#", "active undef unknown"), {"paths": AGAINST}),
}  # fmt: skip


#: What the captures of the document itself do not keep to, and cannot say: the volume for backups
#: has no alias and half the disks, and the stripes of that for data do not take turns.
DOCUMENT: dict[str, str | None] = {
    "control-units": AGAINST,
    "hyperpav": AGAINST,
    "db2-parallel-io": UNJUDGED,
}

#: Changes of the captures as the document has them.
WITH_BACKUP: dict[str, tuple[Changes, dict[str, str | None]]] = {
    "as-published": ({}, DOCUMENT),
    "disks-of-the-backup": (db2("*:4", "*:2"), DOCUMENT),
    "disks-of-neither": (db2("*:4", "*:3"), DOCUMENT | {"db2-parallel-io": AGAINST}),
    "aliases-of-all-units": (
        {"lsdasd-DB2.txt": ("0.0.6ebc", "0.0.68f0   alias                         ECKD\n"
                            "0.0.69f0   alias                         ECKD\n0.0.6ebc")},
        DOCUMENT | {"hyperpav": KEEPS},
    ),
    "aliases-of-half-the-units": (
        {"lsdasd-DB2.txt": ("0.0.6ebc", "0.0.68f0   alias                         ECKD\n0.0.6ebc")},
        DOCUMENT,
    ),
}  # fmt: skip
ALL = CASES | WITH_BACKUP


def mended(folder: Path) -> Path:
    """Copy the captures of the document without what they do not keep to."""
    shutil.copytree(GOOD_FILENET, folder)
    volumes = folder / "lvdisplay-DB2.txt"
    text = volumes.read_text(encoding="utf-8")
    before, after = data_stripes("dhei", "dehi")
    assert before in text
    first, mark, rest = text.replace(before, after).partition("  --- Logical volume ---\n")
    kept = [each for each in rest.split(mark) if "ECM_backup_vg" not in each]
    volumes.write_text(first + mark + mark.join(kept), encoding="utf-8")
    disks = folder / "pvscan-DB2.txt"
    lines = disks.read_text(encoding="utf-8").splitlines(keepends=True)
    disks.write_text("".join(x for x in lines if "ECM_backup_vg" not in x), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    root = project(tmp_path_factory.mktemp("lab"))
    add_words(root, REPOSITORY / "pipelines/filenet-p8/advice.yml", "lab")
    good = mended(tmp_path_factory.mktemp("mended") / "good")
    for name, (changes, _) in ALL.items():
        add_changed(root, name, changes, GOOD_FILENET if name in WITH_BACKUP else good)
    return ask(root)


def ask(root: Path) -> Answer:
    environment = {"STUDYBOOK_HOME": str(root), "STUDYBOOK_DATA_SET": "mine"}
    done = CliRunner().invoke(cli, ["doctor", "--json"], env=environment)
    assert done.exit_code in (0, 4), done.stderr
    return [each for each in json.loads(done.stdout) if each["check"] in CHECKS]


@pytest.mark.parametrize("name", ALL)
def test_what_is_wrong_is_found_and_nothing_else(lab: Answer, name: str) -> None:
    found = [each for each in lab if each["run"] == name]
    absent = {check for check, said in ALL[name][1].items() if said is None}
    assert {each["check"] for each in found} == CHECKS - absent
    not_kept = {(each["check"], each["verdict"]) for each in found if each["verdict"] != KEEPS}
    expected = {"paths": UNJUDGED} | ALL[name][1]
    assert not_kept == {
        (check, said) for check, said in expected.items() if said not in (KEEPS, None)
    }


@pytest.mark.parametrize(
    ("name", "check", "said"),
    [
        ("good", "stripes", "CE_filestor_lv 2 on 2 disks"),
        ("good", "control-units", "CE_filestor_vg 2 disks in 6e and 6f"),
        ("two-by-two", "control-units",
         "DB_log_vg 4 disks in 6e and 6f, ECM_data_vg 4 disks in 6e and 6f"
         " (stripes of ECM_data_lv 6e 6f 6f 6e)"),
        ("without-lvdisplay", "control-units",
         "DB_log_vg 4 disks in 6e and 6f (order of stripes not known), ECM_data_vg 4 disks in 6e"
         " and 6f (order of stripes not known)"),
        ("good", "hyperpav", "2 disks; aliases: 10 in 6e, 10 in 6f"),
        ("as-published", "hyperpav", "2 disks; aliases: none in 68, none in 69"),
        ("aliases-of-half-the-units", "hyperpav", "2 disks; aliases: 1 in 68, none in 69"),
        ("good", "db2-parallel-io", "*:4; disks of DB_log_vg 4, ECM_data_vg 4"),
        ("default-disks", "db2-parallel-io",
         "* (which is 6 disks); disks of DB_log_vg 4, ECM_data_vg 4"),
        ("as-published", "db2-parallel-io",
         "*:4; disks of DB_log_vg 4, ECM_backup_vg 2, ECM_data_vg 4: which of them has the table"
         " spaces is not captured"),
        ("mirror", "stripes", "CE_filestor_lv without on 2 disks"),
        ("one-control-unit-by-uid", "control-units", "CE_filestor_vg 2 disks in 6e00"),
        ("no-aliases", "hyperpav", "2 disks; aliases: none in 6e, none in 6f"),
        ("only-base-devices", "hyperpav",
         "2 disks; aliases: not captured (lsdasd -b) in 6e, not captured (lsdasd -b) in 6f"),
        ("one-disk-of-two", "hyperpav",
         "2 disks; aliases: none in 6e, 1 of the disks not captured"),
        ("no-workload", "db2-workload", "not set"),
        ("volumes-not-known", "db2-parallel-io", "*:4; striped volumes not captured"),
        ("good", "log-apart", "DB_log_lv on disks of its own"),
        ("log-on-a-disk-of-data", "log-apart", "DB_log_lv shares disks with ECM_data_lv"),
        ("no-log-by-name", "log-apart", "no volume with a log by its name, and others beside it"),
        ("one-adapter", "paths",
         "other over 1 adapter and 2 ports; good over 2 adapters and 2 ports"),
        ("lost-path", "paths",
         "other over 1 adapter and 1 port; good over 2 adapters and 2 ports"),
        ("without-lsdasd", "hyperpav", "no output of lsdasd"),
    ],
)  # fmt: skip
def test_the_words_say_what_is_so(lab: Answer, name: str, check: str, said: str) -> None:
    found = [each["found"] for each in lab if (each["run"], each["check"]) == (name, check)]
    assert said in found


def test_each_guest_is_judged_on_its_own(lab: Answer) -> None:
    """A guest with a single disk has no row."""
    subjects = [
        each["subject"] for each in lab if (each["run"], each["check"]) == ("good", "stripes")
    ]
    assert sorted(subjects) == ["volumes of CEPE", "volumes of DB2"]


def test_each_volume_group_has_aliases_of_its_own(lab: Answer) -> None:
    found = {
        each["subject"]: each["verdict"]
        for each in lab
        if (each["run"], each["check"]) == ("as-published", "hyperpav")
    }
    assert found == {
        "volume group CE_filestor_vg of CEPE": KEEPS,
        "volume group DB_log_vg of DB2": KEEPS,
        "volume group ECM_backup_vg of DB2": AGAINST,
        "volume group ECM_data_vg of DB2": KEEPS,
    }


def test_the_simulated_setups_are_as_their_document_has_them(tmp_path: Path) -> None:
    root = project(tmp_path / "project")
    add_reference(root, "filenet-p8/configuration-*")
    found = ask(root)
    assert len({each["run"] for each in found}) == 4
    not_kept = {(each["check"], each["verdict"]) for each in found if each["verdict"] != KEEPS}
    assert not_kept == {("paths", UNJUDGED), *DOCUMENT.items()}
