"""Small projects of a test's own that hold captures of configurations, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.doctor.captures import captures
from studybook.study.scope import Scope
from studybook.study.study import Study
from tests.conftest import REPOSITORY

REFERENCE = REPOSITORY / "data/raw/reference"
#: Configurations that keep to all advice on what they have.
GOOD = REFERENCE / "ecm-scaleout/configuration-nsd-4-8192"
GOOD_FILENET = REFERENCE / "filenet-p8/configuration-cpus-2-2"

#: By file, what to put in the place of what; the keys of run.yml are replaced as a whole.
Changes = dict[str, tuple[str, str] | dict[str, Any] | None]


#: What the hosts of the study ``lab`` are.
LAB = """\
study: lab
roles:
  ecm-node: {meaning: a node, is: file-client}
  nsd-server: {meaning: a server of disks, is: file-server}
  nsd-client: {meaning: a client of these, is: file-client}
  driver: {meaning: the load driver, is: load-driver}
  storage-system: {meaning: the disks, is: storage}
  hypervisor: z/VM
  database: a database
  web-server: a web server
  directory: a directory
  deployment-manager: a manager
  other: another host
"""


def project(root: Path) -> Path:
    """Make a folder that is taken for a project, with the words of the studies, without any data.

    The study ``lab`` has the advice of the ECM study, and any factors.
    """
    (root / "data/raw/mine").mkdir(parents=True)
    (root / "_config.yml").touch()
    shutil.copytree(REPOSITORY / "pipelines", root / "pipelines")
    add_words(root, REPOSITORY / "pipelines/ecm-scaleout/advice.yml", "lab")
    (root / "pipelines/lab/study.yml").write_text(LAB, encoding="utf-8")
    return root


def add_words(root: Path, path: Path, study: str) -> None:
    """Copy a file of the words of a study into a project, for a study of this name."""
    folder = root / "pipelines" / study
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, folder)


def add_reference(root: Path, *patterns: str) -> None:
    """Copy runs of the reference data into the data set ``mine``."""
    for pattern in patterns:
        for run in REFERENCE.glob(pattern):
            shutil.copytree(run, root / "data/raw/mine" / run.relative_to(REFERENCE))


def add_changed(root: Path, name: str, changes: Changes, good: Path = GOOD) -> None:
    """Add a good configuration with something changed, as a measured run of the study ``lab``.

    A file without a change, ``None``, is left out; a new one is made of the text of its change.
    """
    folder = root / "data/raw/mine/lab" / name
    shutil.copytree(good, folder)
    run = yaml.safe_load((folder / "run.yml").read_text(encoding="utf-8"))
    run |= {"study": "lab", "run": name, "origin": "measured"}
    for file, change in changes.items():
        path = folder / file
        if change is None:
            path.unlink()
            run["files"] = [each for each in run["files"] if each["path"] != file]
        elif isinstance(change, dict):
            run |= change
        elif path.exists():
            before, after = change
            text = path.read_text(encoding="utf-8")
            assert before in text, (file, before)
            path.write_text(text.replace(before, after), encoding="utf-8")
        else:
            path.write_text(change[1], encoding="utf-8")
            run["files"].append({"path": file, "host": change[0]})
    (folder / "run.yml").write_text(yaml.safe_dump(run, sort_keys=False), encoding="utf-8")


def good_hosts(**changes: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Return the hosts of the good configuration, some with other keys; None takes a key away."""
    hosts = yaml.safe_load((GOOD / "run.yml").read_text(encoding="utf-8"))["hosts"]
    for host in hosts:
        for key, value in (changes.get(host["name"]) or {}).items():
            host[key] = value
            if value is None:
                del host[key]
    return list(hosts)


@contextmanager
def opened(root: Path, study: str) -> Iterator[Study]:
    """Open a study of the data set ``mine`` with its captures."""
    with captures(take_inventory(DataSet("mine", root))) as database:
        yield Study(Scope(study, {}), database)
