"""Checks on captures: each piece of advice is kept to, gone against, or cannot be judged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from studybook import doctor
from studybook.__main__ import cli
from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.doctor import CHECKS, Verdict, checks, database, examine, report, volumes
from studybook.doctor.advice import own_checks
from studybook.doctor.captures import captures
from studybook.doctor.check import DOCUMENTS, SETUP_GUIDE
from studybook.doctor.data import DATA_CHECKS
from studybook.records.load import load
from studybook.records.schema import record_tables
from studybook.study import provenance
from tests.conftest import REPOSITORY
from tests.support.captured import (
    GOOD,
    Changes,
    add_changed,
    add_reference,
    good_hosts,
    opened,
    project,
)
from tests.support.lab import add_run, sar
from tests.support.shared import made_once

KEEPS, AGAINST, UNJUDGED = map(str, Verdict)
#: Advice on disks and databases of Linux, of which the ECM study captured nothing.
NOT_CAPTURED = {check.id for check in (*volumes.CHECKS, *database.CHECKS)}

STUDIES = sorted(path.parent.name for path in (REPOSITORY / "pipelines").glob("*/advice.yml"))
with pytest.MonkeyPatch.context() as patch:
    patch.setenv("STUDYBOOK_HOME", str(REPOSITORY))
    OF_ECM = checks("ecm-scaleout")

Answer = list[dict[str, str]]


def ask(root: Path, *arguments: str, color: bool = False) -> Result:
    """Run ``studybook doctor`` in a project, as on a terminal or not."""
    environment = {"STUDYBOOK_HOME": str(root), "STUDYBOOK_DATA_SET": "mine"}
    return CliRunner().invoke(cli, ["doctor", *arguments], env=environment, color=color)


def of_run(answer: Answer, run: str) -> dict[str, dict[str, str]]:
    """What was found of a run, by check."""
    return {each["check"]: each for each in answer if each["run"] == run}


# --- the reference data -------------------------------------------------------------------


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    root = project(tmp_path_factory.mktemp("reference"))
    add_reference(root, "ecm-scaleout/configuration-*")
    return root, ask(root, "--json")


@pytest.fixture(scope="module")
def found(reference: tuple[Path, Result]) -> Answer:
    return list(json.loads(reference[1].stdout))


def against(answer: Answer, check: str) -> set[str]:
    return {each["run"].removeprefix("configuration-") for each in answer
            if (each["check"], each["verdict"]) == (check, AGAINST)}  # fmt: skip


def test_the_unbalanced_run_is_found_and_only_that(found: Answer) -> None:
    assert against(found, "server-list") == {"nsd-4-1492-unbalanced"}
    unbalanced = of_run(found, "configuration-nsd-4-1492-unbalanced")["server-list"]
    assert unbalanced["found"] == "first for 6 (NSDsrv1), 0 (NSDsrv2), 0 (NSDsrv3)"
    balanced = [each for each in found if each["check"] == "server-list"]
    assert [each["verdict"] for each in balanced].count(KEEPS) == 10


def test_jumbo_frames_inside_zvm_are_told_from_those_everywhere(found: Answer) -> None:
    assert against(found, "mtu-to-driver") == {"nsd-4-8192-inside-zvm"}
    inside = of_run(found, "configuration-nsd-4-8192-inside-zvm")
    assert "8192" in inside["mtu-to-driver"]["found"]
    assert "inside-zvm (run.yml)" in inside["mtu-to-driver"]["found"]
    # Among themselves the guests have one MTU, and the cluster has jumbo frames.
    assert inside["one-mtu"]["verdict"] == inside["jumbo-frames"]["verdict"] == KEEPS
    assert inside["one-mtu"]["found"] == "8192 bytes on 11 hosts"


def test_default_packets_between_servers_and_clients_are_found(found: Answer) -> None:
    small = {each["run"].removeprefix("configuration-") for each in found
             if each["run"].startswith("configuration-nsd-4-1492")}  # fmt: skip
    assert against(found, "jumbo-frames") == small
    assert len(small) == 9


def test_page_pools_that_the_study_made_too_small_are_found(found: Answer) -> None:
    assert against(found, "pagepool-size") == {
        f"nsd-4-1492-client-{mib}-server-2048" for mib in (256, 512, 1024)
    }
    assert against(found, "pagepool-by-role") == against(found, "pagepool-size") | {
        "nsd-4-1492-client-2048-server-2048"
    }


def test_overcommitment_is_computed_from_the_manifests(found: Answer) -> None:
    said = {
        run: of_run(found, f"configuration-{run}")["overcommitment"]["found"]
        for run in ("sd-4-1492", "nsd-4-1492")
    }
    assert said == {
        "sd-4-1492": "48 virtual processors on 30 IFLs, 1:1.6",
        "nsd-4-1492": "54 virtual processors on 30 IFLs, 1:1.8",
    }
    assert not against(found, "overcommitment")


def test_routing_at_random_is_found(found: Answer) -> None:
    assert against(found, "routing") == {"sd-4-1492-random"}


@pytest.mark.parametrize(
    "check", ["mounted", "files-to-cache", "stat-cache", "quorum", "manager", "equal-members",
              "one-mtu", "qeth-buffers", "vswitch"]
)  # fmt: skip
def test_the_rest_of_the_advice_is_kept_to(found: Answer, check: str) -> None:
    verdicts = {each["verdict"] for each in found if each["check"] == check}
    assert verdicts == {KEEPS}


def test_a_run_without_spectrum_scale_is_not_asked_about_it(found: Answer) -> None:
    assert set(of_run(found, "configuration-xfs-1-1492")) == {
        "one-mtu", "mtu-to-driver", "vswitch", "qeth-buffers", "overcommitment"
    } | NOT_CAPTURED  # fmt: skip


def test_what_the_study_did_not_capture_cannot_be_judged(found: Answer) -> None:
    said = {(each["check"], each["verdict"]) for each in found if each["check"] in NOT_CAPTURED}
    assert said == {(check, UNJUDGED) for check in NOT_CAPTURED}


def test_every_finding_says_where_it_comes_from(found: Answer) -> None:
    assert {each["origin"] for each in found} == {"simulated"}
    for each in found:
        assert all(each[key] for key in ("title", "subject", "wanted", "advice", "place"))


def test_in_words_each_check_stands_once_and_alike_runs_stand_together(
    reference: tuple[Path, Result],
) -> None:
    done = ask(reference[0], "ecm-scaleout")
    assert done.exit_code == 4
    assert "ecm-scaleout: 16 runs, simulated" in done.stdout
    assert "10 keep to it, 1 goes against it" in done.stdout
    assert re.search(r"configuration-nsd-4-1492, .* and 6 more\n +nodes of the cluster: 1492 bytes;"
                     r" wanted: an MTU of more than 1500 bytes", done.stdout)  # fmt: skip
    for check in OF_ECM:
        assert done.stdout.count(f"  {check.title}: ") == 1
    assert "→ The first server in the list" in done.stdout
    assert "\x1b[" not in done.stdout
    assert "“Exploring some tuning options”, chapter 5; Figure 9" in done.stdout


# --- captures of one's own: a good configuration, and what can be wrong with it --------------

DRIVER = """driver:~ # ifconfig
eth0      Link encap:Ethernet  HWaddr 02:00:0A:00:00:FA
          inet addr:192.0.2.250  Bcast:192.0.2.255  Mask:255.255.255.0
          UP BROADCAST RUNNING MULTICAST  MTU:{mtu}  Metric:1
          RX packets:1 errors:0 dropped:0 overruns:0 frame:0
          TX packets:1 errors:0 dropped:0 overruns:0 carrier:0
          collisions:0 txqueuelen:1000
          RX bytes:1 (1.0 b)  TX bytes:1 (1.0 b)
"""
NO_MTU_SCOPE: dict[str, Any] = {"factors": {"routing": "round-robin"}}
SERVERS = "[NSDsrv1,NSDsrv2,NSDsrv3]\npagepool 1G\n"

#: All hosts but the hypervisor and the load driver.
GUESTS = [each for each in good_hosts() if each["role"] not in ("hypervisor", "driver")]

CASES: dict[str, tuple[Changes, dict[str, str]]] = {
    "good": ({}, {}),
    "one-order": (
        {"mmlsnsd.txt": ("NSDsrv3,NSDsrv1,NSDsrv2", "NSDsrv1,NSDsrv2,NSDsrv3")},
        {"server-list": AGAINST},
    ),
    "even-quorum": (
        {"mmlscluster.txt": ("NSDsrv3          quorum", "NSDsrv3")}, {"quorum": AGAINST},
    ),
    "tiebreaker": (
        {
            "mmlscluster.txt": ("NSDsrv3          quorum", "NSDsrv3"),
            "mmlsconfig.txt": ("autoload yes", "autoload yes\ntiebreakerDisks nsd14cb"),
        },
        {"quorum": KEEPS},
    ),
    "no-manager": ({"mmlscluster.txt": ("quorum-manager", "quorum")}, {"manager": AGAINST}),
    "large-server-pool": (
        {"mmlsconfig.txt": ("pagepool 1G", "pagepool 4G")}, {"pagepool-by-role": AGAINST},
    ),
    "server-pool-by-class": (
        {"mmlsconfig.txt": (SERVERS, "[nsdNodes]\npagepool 4G\n")}, {"pagepool-by-role": AGAINST},
    ),
    "client-pool-by-a-class-of-that-name": (
        {"mmlsconfig.txt": (SERVERS, "[ecmClients]\npagepool 8G\n")}, {"pagepool-by-role": KEEPS},
    ),
    "pool-of-a-class-nobody-knows": (
        {"mmlsconfig.txt": (SERVERS, "[protocol]\npagepool 4G\n")},
        {"pagepool-by-role": UNJUDGED, "pagepool-size": UNJUDGED},
    ),
    "pool-of-one-client": (
        {"mmlsconfig.txt": ("[common]", "[ECMnod4]\npagepool 1536M\n[common]")},
        {"pagepool-size": AGAINST},
    ),
    "default-pools": (
        {"mmlsconfig.txt": (f"pagepool 2G\n{SERVERS}", "")},
        {"pagepool-size": AGAINST, "pagepool-by-role": AGAINST},
    ),
    "few-files": ({"mmlsconfig.txt": ("Cache 20000", "Cache 4000")}, {"files-to-cache": AGAINST}),
    "default-files": (
        {"mmlsconfig.txt": ("maxFilesToCache 20000\n", "")}, {"files-to-cache": AGAINST},
    ),
    "files-with-a-unit": ({"mmlsconfig.txt": ("Cache 20000", "Cache 1M")}, {}),
    "one-attribute": (
        {"mmlsconfig.txt": None, "pagepool.txt": ("ECMnod1", "# mmlsconfig pagepool\npagepool 2G\n"
                                                  "pagepool 1G [NSDsrv1,NSDsrv2,NSDsrv3]\n")},
        {"files-to-cache": UNJUDGED, "stat-cache": UNJUDGED},
    ),
    "stat-cache": ({"mmlsconfig.txt": ("Cache 512", "Cache 1000")}, {"stat-cache": AGAINST}),
    "stat-cache-that-works": (
        {"mmlsconfig.txt": ("minReleaseLevel 4.2.0.1", "minReleaseLevel 5.1.0.0")},
        {"stat-cache": UNJUDGED},
    ),
    "client-without-mount": (
        {"mmlsmount.txt": ("  192.0.2.3       ECMnod3\n", "")}, {"mounted": AGAINST},
    ),
    "server-without-mount": ({"mmlsmount.txt": ("  192.0.2.203     NSDsrv3\n", "")}, {}),
    "one-small-mtu": (
        {"ifconfig-NSDsrv2.txt": ("MTU:8192", "MTU:1492")},
        {"one-mtu": AGAINST, "jumbo-frames": AGAINST, "mtu-to-driver": KEEPS},
    ),
    "small-mtu-of-another-guest": (
        {"ifconfig-DB2.txt": ("MTU:8192", "MTU:1500")}, {"one-mtu": AGAINST},
    ),
    "another-network": (
        {"ifconfig-DB2.txt": ("192.0.2.102  Bcast:192.0.2.255", "10.0.0.1  Bcast:10.0.0.255")},
        {"one-mtu": UNJUDGED},
    ),
    "interface-that-is-down": (
        {"ifconfig-DB2.txt": ("UP BROADCAST RUNNING MULTICAST  MTU:8192",
                              "BROADCAST MULTICAST  MTU:1500")},
        {},
    ),
    "without-many-captures": (
        dict.fromkeys(
            ("mmlsnsd.txt", "mmlsconfig.txt", "mmlsmount.txt", *(f"ifconfig-{host['name']}.txt"
             for host in good_hosts() if host["role"] not in ("driver", "hypervisor")))
        ),
        dict.fromkeys(
            ("server-list", "mounted", "pagepool-by-role", "pagepool-size", "files-to-cache",
             "stat-cache", "one-mtu", "mtu-to-driver", "jumbo-frames"), UNJUDGED
        ),
    ),
    # Nodes are then those of the manifest.
    "without-mmlscluster": ({"mmlscluster.txt": None}, {"quorum": UNJUDGED, "manager": UNJUDGED}),
    "node-without-capture": ({"ifconfig-NSDsrv2.txt": None}, {"jumbo-frames": UNJUDGED}),
    "driver-not-captured": ({"run.yml": NO_MTU_SCOPE}, {"mtu-to-driver": UNJUDGED}),
    "driver-with-less": (
        {"run.yml": NO_MTU_SCOPE, "ifconfig-driver.txt": ("driver", DRIVER.format(mtu=1500))},
        {"mtu-to-driver": AGAINST, "one-mtu": AGAINST},
    ),
    "driver-with-the-same": (
        {"run.yml": NO_MTU_SCOPE, "ifconfig-driver.txt": ("driver", DRIVER.format(mtu=8192))},
        {"mtu-to-driver": KEEPS},
    ),
    "real-network-card": (
        {"lsqeth-DB2.txt": ("GuestLAN QDIO", "OSD_10GIG")}, {"vswitch": AGAINST},
    ),
    "later-name-of-a-virtual-card": (
        {"lsqeth-DB2.txt": ("GuestLAN QDIO", "Virt.NIC QDIO")}, {"vswitch": KEEPS},
    ),
    # Machines that may be no guests.
    "real-network-cards-without-hypervisor": (
        {f"lsqeth-{host['name']}.txt": ("GuestLAN QDIO", "OSD_10GIG") for host in GUESTS}
        | {"run.yml": {"hosts": GUESTS}},
        {"vswitch": UNJUDGED},
    ),
    "few-buffers": ({"lsqeth-DB2.txt": (": 128", ": 64")}, {"qeth-buffers": AGAINST}),
    "many-processors": (
        {"run.yml": {"hosts": good_hosts(DB2={"cpus": 9})}}, {"overcommitment": AGAINST},
    ),
    "processors-not-known": (
        {"run.yml": {"hosts": good_hosts(DB2={"cpus": None})}}, {"overcommitment": UNJUDGED},
    ),
    "unequal-members": (
        {"run.yml": {"hosts": good_hosts(ECMnod2={"memory_mib": 8192})}},
        {"equal-members": AGAINST},
    ),
    "random-routing": (
        {"run.yml": {"factors": {"routing": "random", "mtu_scope": "everywhere"}}},
        {"routing": AGAINST},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    root = made_once(tmp_path_factory, "lab-of-doctor", ask_lab)
    return list(json.loads((root / "said.json").read_text(encoding="utf-8")))


def ask_lab(root: Path) -> None:
    project(root)
    for name, (changes, _) in CASES.items():
        add_changed(root, name, changes)
    done = ask(root, "lab", "--json")
    assert done.exit_code == 4, done.stderr
    (root / "said.json").write_text(done.stdout, encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_found_and_nothing_else(lab: Answer, name: str) -> None:
    found = [each for each in lab if each["run"] == name and each["check"] not in NOT_CAPTURED]
    not_kept = {each["check"]: each["verdict"] for each in found if each["verdict"] != KEEPS}
    expected = CASES[name][1]
    assert not_kept == {check: said for check, said in expected.items() if said != KEEPS}
    for check in expected:
        assert check in {each["check"] for each in found}
    assert {each["origin"] for each in found} == {"measured"}


@pytest.mark.parametrize(
    ("name", "check", "said"),
    [
        ("even-quorum", "quorum", "2 of 7 nodes"),
        ("tiebreaker", "quorum", "2 of 7 nodes, and tiebreaker disks"),
        ("no-manager", "manager", "none"),
        ("large-server-pool", "pagepool-by-role", "clients 2 GiB, servers 4 GiB"),
        ("client-pool-by-a-class-of-that-name", "pagepool-by-role",
         "clients 8 GiB (class ecmClients), servers 2 GiB"),
        ("pool-of-a-class-nobody-knows", "pagepool-size", "2G or 4G for the class protocol"),
        ("pool-of-one-client", "pagepool-size", "1536 MiB, 2 GiB"),
        ("default-pools", "pagepool-size", "1 GiB (default)"),
        ("default-files", "files-to-cache", "4000 (default)"),
        ("files-with-a-unit", "files-to-cache", "1M"),
        ("one-attribute", "stat-cache", "not in the capture"),
        ("client-without-mount", "mounted", "mounted on 6 of 7 nodes; not on ECMnod3"),
        ("without-many-captures", "server-list", "no output of mmlsnsd"),
        ("without-many-captures", "one-mtu", "no output of ifconfig or ip"),
        ("without-mmlscluster", "quorum", "no output of mmlscluster"),
        ("without-mmlscluster", "mounted", "mounted on 7 of 7 nodes"),
        ("without-mmlscluster", "pagepool-by-role", "clients 2 GiB, servers 1 GiB"),
        ("one-small-mtu", "one-mtu", "8192 bytes on 10 hosts; 1492 bytes on NSDsrv2 eth0"),
        ("node-without-capture", "jumbo-frames", "8192 bytes; not captured: NSDsrv2"),
        ("driver-with-less", "mtu-to-driver", "guests 8192 bytes, driver 1500 bytes"),
        ("real-network-card", "vswitch", "GuestLAN QDIO on 10 devices; OSD_10GIG on DB2 eth0"),
        ("few-buffers", "qeth-buffers", "128 on 10 devices; 64 on DB2 eth0"),
        ("many-processors", "overcommitment", "55 virtual processors on 30 IFLs, 1:1.83"),
        ("processors-not-known", "overcommitment", "run.yml gives no cpus of DB2"),
        ("unequal-members", "equal-members",
         "8 processors and 16 GiB; 8 processors and 8 GiB"),
    ],
)  # fmt: skip
def test_the_words_say_what_is_so(lab: Answer, name: str, check: str, said: str) -> None:
    assert of_run(lab, name)[check]["found"] == said


# --- what is missing, and exit codes --------------------------------------------------------


def test_all_well_ends_with_0(tmp_path: Path) -> None:
    root = project(tmp_path / "project")
    add_changed(root, "good", {})
    done = ask(root, color=True)
    assert done.exit_code == 0, done.stdout
    assert re.search(rf"\b16 keep .*\b{len(NOT_CAPTURED)} cannot be judged\n", done.stdout)
    assert "\x1b[32m✓ keeps to it" in done.stdout
    # Nothing is left behind but what is known of the formats of the files.
    assert not (root / "build/mine/study.duckdb").exists()


def test_nothing_to_judge_ends_with_1(tmp_path: Path) -> None:
    root = project(tmp_path / "project")
    folder = root / "data/raw/mine/lab/run"
    folder.mkdir(parents=True)
    (folder / "lsqeth.txt").write_text("nothing")
    content = {"study": "lab", "run": "run", "title": "t", "origin": "measured",
               "time_zone": "UTC", "files": [{"path": "lsqeth.txt"}]}  # fmt: skip
    (folder / "run.yml").write_text(yaml.safe_dump(content))
    done = ask(root)
    assert done.exit_code == 1
    assert "lsqeth.txt: is of no known format" in done.stderr
    text = (REPOSITORY / "tests/data/ior").glob("*.txt")
    (folder / "lsqeth.txt").write_text(sorted(text)[0].read_text())
    done = ask(root, "--only", "settings")
    assert done.exit_code == 1
    assert "mine: has no captures" in done.stderr
    assert "mmlscluster" in done.stderr
    assert ask(root, "lob").exit_code == 1
    (folder / "lsqeth.txt").write_bytes((GOOD / "lsqeth-DB2.txt").read_bytes())
    without_data = ask(root, "--only", "data")
    assert without_data.exit_code == 1
    assert "lab: has settings, and no data" in without_data.stderr
    assert "did you mean lab?" in ask(root, "lob").stderr
    assert ask(root, "--data-set", "mime").exit_code == 1
    assert ask(root, "--nothing").exit_code == 2
    unknown = ask(root, "--without", "server-lists")
    assert unknown.exit_code == 2
    assert "did you mean server-list?" in unknown.stderr


def test_captures_that_say_nothing_end_with_1(tmp_path: Path) -> None:
    root = project(tmp_path / "project")
    add_changed(root, "bare", {})
    folder = root / "data/raw/mine/lab/bare"
    for path in folder.iterdir():
        if path.name not in ("mmlsmount.txt", "run.yml"):
            path.unlink()
    content = yaml.safe_load((folder / "run.yml").read_text())
    content |= {"files": [{"path": "mmlsmount.txt"}], "hosts": [], "factors": {}}
    (folder / "run.yml").write_text(yaml.safe_dump(content))
    done = ask(root)
    assert done.exit_code == 1
    assert "no output of mmlsnsd" in done.stdout
    assert "no capture can be judged" in done.stderr


def test_a_check_can_be_left_out(reference: tuple[Path, Result]) -> None:
    kept = json.loads(ask(reference[0], "--json", "--without", "server-list").stdout)
    assert {each["check"] for each in kept} == {
        each["check"] for each in json.loads(reference[1].stdout)
    } - {"server-list"}


def test_what_goes_against_the_advice_comes_first(found: Answer) -> None:
    worst = [
        against(found, check) != set() for check in dict.fromkeys(each["check"] for each in found)
    ]
    assert worst == sorted(worst, reverse=True)
    assert any(worst)


def test_every_check_is_listed_with_what_to_do() -> None:
    done = CliRunner().invoke(cli, ["doctor", "--checks"])
    assert done.exit_code == 0
    for check in (*CHECKS, *DATA_CHECKS):
        assert re.search(rf"^{check.id}: {re.escape(check.title)} \(", done.stdout, re.MULTILINE)


def test_the_help_teaches() -> None:
    done = CliRunner().invoke(cli, ["doctor", "--help"])
    assert done.exit_code == 0
    for part in ("mmlscluster", "run.yml", "Examples:", "Exit code 0", "--json", "--checks"):
        assert part in done.stdout


def test_checks_are_listed_with_their_advice() -> None:
    done = ask(REPOSITORY, "--checks")
    assert done.exit_code == 0
    words = " ".join(done.stdout.split())
    own = [each for study in STUDIES for each in own_checks(REPOSITORY, study)]
    assert own
    for each in (*CHECKS, *own):
        assert f"{each.id}: {each.title}" in done.stdout
        assert " ".join(each.advice.split()) in words
        assert each.place in words
    assert re.search(r"\(needs run\.yml\b[^)]*; of ecm-scaleout\b[^)]*\)", words)


def test_checks_are_listed_outside_of_a_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STUDYBOOK_HOME", raising=False)
    done = CliRunner().invoke(cli, ["doctor", "--checks"])
    assert done.exit_code == 0
    assert "ecm-scaleout" not in done.stdout
    assert all(each.title in done.stdout for each in CHECKS)


# --- the registry, and pages ------------------------------------------------------------------


def test_checks_are_cited_and_ask_for_what_there_is() -> None:
    ids = [check.id for check in CHECKS]
    assert len(set(ids)) == len(ids)
    for check in CHECKS:
        assert re.search(r"chapter \d|Tables? \d|“Linux setup”|slides “", check.place), check.id
        assert check.advice.endswith(".")
        assert bool(check.source) == bool(check.table) == bool(check.capture)
        assert not check.table or check.table in record_tables()
        assert check.document.title


def test_documents_are_cited_by_the_titles_of_the_published_values() -> None:
    published = {
        yaml.safe_load(path.read_text(encoding="utf-8"))["document"]["title"]
        for path in (REPOSITORY / "data/published").glob("*.yml")
    }
    own = {each.document for study in STUDIES for each in own_checks(REPOSITORY, study)}
    assert {each.title for each in (*DOCUMENTS, *own)} <= published


# --- advice of one study only -----------------------------------------------------------------


@pytest.mark.parametrize("study", STUDIES)
def test_own_advice_is_cited_and_asks_for_what_there_is(study: str) -> None:
    for each in own_checks(REPOSITORY, study):
        assert re.search(r"chapter \d|Tables? \d", each.place), each.id
        assert each.advice.endswith(".")
        assert bool(each.source) == bool(each.table) == bool(each.capture)
        assert not each.table or each.table in record_tables()


def test_own_advice_is_held_against_its_study_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYBOOK_HOME", str(REPOSITORY))
    assert checks("flexible-scale") == CHECKS
    of_ecm = {each.id: each for each in checks("ecm-scaleout")}
    library = {each.id: each for each in CHECKS}
    assert of_ecm.keys() - library.keys() == {"equal-members", "routing"}
    # One with the name of one of the library stands in its place.
    assert of_ecm["mtu-to-driver"] != library["mtu-to-driver"]
    assert [*of_ecm].index("mtu-to-driver") == [*library].index("mtu-to-driver")


def test_without_own_advice_only_captures_say_the_mtu_of_the_driver(tmp_path: Path) -> None:
    root = project(tmp_path)
    add_reference(root, "ecm-scaleout/configuration-nsd-4-8192-inside-zvm")
    (root / "pipelines/ecm-scaleout/advice.yml").unlink()
    (found,) = [each for each in json.loads(ask(root, "--json").stdout)
                if each["check"] == "mtu-to-driver"]  # fmt: skip
    assert found["verdict"] == UNJUDGED
    assert found["found"] == "guests 8192 bytes, driver not captured"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("place: “Web server", "plaice: “Web server", r"advice.yml, line \d+: checks.1.plaice"),
        ("id: routing", "id: equal-members", "equal-members stands there twice"),
        ("FROM run_factors", "FROM run_factor", r"line \d+: the check routing: the query fails"),
        ("= 'round-robin' AS ok", "AS ok", "the check routing: ok is VARCHAR\n  → let it be true"),
        ("table: linux_int", "table: linux_ant", "the check mtu-to-driver: the query fails: Cata"),
    ],
)
def test_faults_in_own_advice_are_named(tmp_path: Path, before: str, after: str, said: str) -> None:
    root = project(tmp_path)
    add_reference(root, "ecm-scaleout/configuration-sd-4-1492")
    path = root / "pipelines/ecm-scaleout/advice.yml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    done = ask(root)
    assert done.exit_code == 1
    assert re.search(said, done.stderr)


def test_own_advice_on_run_yml_needs_no_captures(tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / "pipelines/lab/study.yml").unlink()
    add_run(root, "one", {"sar.txt": sar()}, factors={"users": 5})
    path = root / "pipelines/lab/advice.yml"
    path.write_text(OWN_ADVICE, encoding="utf-8")
    done = ask(root, "--only", "settings")
    assert done.exit_code == 4, done.stderr
    assert "goes against it  Ten users or more: 1 goes against it" in done.stdout
    path.write_text(OWN_ADVICE.replace("checks:", "check:"), encoding="utf-8")
    done = ask(root, "--only", "settings")
    assert (done.exit_code, "advice.yml, line" in done.stderr) == (1, True)


OWN_ADVICE = """
document: {title: Rules of ours, short: ours}
checks:
  - id: many-users
    title: Ten users or more
    advice: Fewer tell nothing.
    place: page 1
    sql: |
      SELECT run_id, 'users' AS subject, factors['users'] AS found, '10' AS wanted,
          factors['users']::INTEGER >= 10 AS ok
      FROM run_factors
"""


@pytest.fixture(scope="module")
def findings(reference: tuple[Path, Result]) -> Iterator[tuple[doctor.Finding, ...]]:
    with opened(reference[0], "ecm-scaleout") as study:
        yield examine(study, OF_ECM)


def test_a_page_shows_advice_place_and_verdict(
    findings: tuple[doctor.Finding, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(
        provenance, "note_published_marks", lambda title, places: noted.append((title, [*places]))
    )
    html = report.summary(OF_ECM, findings)._repr_html_()
    assert html.count("<tr>") == len(OF_ECM) + 1
    assert '<span class="verdict-fails">goes against it</span>' in html
    assert re.search(r"<small>10 keep\b[^<]*\b1 goes against\b[^<]*</small>", html)
    assert "“Exploring some tuning options”, chapter 5; Figure 9" in html
    assert (SETUP_GUIDE.title, ["“Networking” in “Linux setup”"]) in noted


def test_a_page_shows_what_does_not_keep_to_it(findings: tuple[doctor.Finding, ...]) -> None:
    table = report.details(findings)
    rows = [row for row in table.rows if row[0].startswith("Each NSD server comes first")]
    assert [row[1] for row in rows] == ["1\nconfiguration-nsd-4-1492-unbalanced"]
    assert '<span class="origin-simulated">simulated</span>' in table._repr_html_()
    assert "keeps to it" not in repr(table)
    kept = [each for each in findings if each.verdict is Verdict.KEEPS]
    assert [len(row) for row in report.details(kept).rows] == [1]


def test_a_check_that_has_nothing_to_judge_says_so(
    findings: tuple[doctor.Finding, ...],
) -> None:
    xfs = [each for each in findings if each.run == "configuration-xfs-1-1492"]
    table = report.summary(OF_ECM, xfs)
    assert table.rows[0][2].split("\n")[0] == Verdict.UNJUDGED.value


def test_what_is_loaded_is_not_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path / "project")
    add_changed(root, "good", {})
    monkeypatch.setenv("STUDYBOOK_HOME", str(root))
    place = DataSet("mine", root)
    with captures(take_inventory(place)) as database:
        assert database != place.database
    load(data_set="mine")
    with captures(take_inventory(place)) as database:
        assert database == place.database
    # As soon as there is another capture, what is loaded counts no more.
    add_changed(root, "other", {"mmlsnsd.txt": ("NSDsrv3,NSDsrv1,NSDsrv2", "NSDsrv1,NSDsrv2")})
    with captures(take_inventory(place)) as database:
        assert database != place.database
    place.database.write_bytes(b"damaged")
    with captures(take_inventory(place)) as database:
        assert database != place.database
