"""The library knows no study: the words of the book's studies stand in ``pipelines/``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from studybook.doctor.check import DOCUMENTS
from tests.conftest import REPOSITORY
from tests.support.words import words

LIBRARY = REPOSITORY / "studybook"
STUDIES = sorted(path.parent.name for path in (REPOSITORY / "pipelines").glob("*/study.yml"))

#: Words of studies that the library may use, and why: they are not of one study.
GENERAL = {
    # Parts of names
    "flexible": "plain English",
    "linux": "the system",
    "scale": "IBM Spectrum Scale; plain English",
    "scaleout": "plain English",
    # Factors
    "access": "plain English",
    "cluster": "of Spectrum Scale, of a database, of application servers",
    "disks": "what a machine has",
    "experiment": "what somebody measures",
    "file_system": "what commands print, and a column of their records",
    "host_adapters": "what a storage system has",
    "mtu_bytes": "what ifconfig and ip print, and a column of their records",
    "network": "what machines are on",
    "nodes": "what a cluster has",
    "nsd_clients": "Spectrum Scale's word",
    "nsd_servers": "Spectrum Scale's word; a metric, by what mmlsnsd prints",
    "operation": "what a load driver or a benchmark does",
    "ranks": "plain English",
    "repetition": "what every experiment has",
    "routing": "how requests are spread over servers",
    "server_list": "Spectrum Scale's word: serverList of mmlsnsd -Y",
    "tool": "what writes a raw export",
    "users": "what load drivers count",
    "volume": "what LVM makes of disks",
    # Roles
    "database": "what many systems have",
    "directory": "plain English",
    "driver": "who makes the load, in any study",
    "hypervisor": "what guests run under",
    "other": "plain English",
    # What axes call metrics
    "Database": "what many systems have",
}


@cache
def own_words() -> frozenset[str]:
    """The names of all studies and their parts, their factors, roles, metrics and labels."""
    names = {path.stem for path in (REPOSITORY / "data/published").glob("*.yml")} | {*STUDIES}
    found = names | {part for name in names for part in name.split("-")}
    for study in STUDIES:
        own = words(study)
        found |= {*own.factors, *own.roles, *own.metrics}
        found |= {each.label for each in own.metrics.values()}
    return frozenset(found)


@cache
def wanted() -> re.Pattern[str]:
    """What the library must not say: as words of their own, in capitals or not."""
    any_of = "|".join(re.escape(word) for word in sorted(own_words() - GENERAL.keys()))
    return re.compile(rf"(?<![a-z0-9_])(?:{any_of})(?![a-z0-9_])", re.IGNORECASE)


def said(path: Path) -> list[str]:
    """Lines of a file with a word of a study: code, texts and comments."""
    text = path.read_text(encoding="utf-8")
    if path == LIBRARY / "doctor/check.py":
        # A document that is cited is called what it is called.
        text = re.sub(r'"\n\s*"', "", text)
        for document in DOCUMENTS:
            assert document.title in text
            assert document.short in text
            text = text.replace(document.title, "").replace(document.short, "")
    name = path.relative_to(LIBRARY)
    return [f"{name}: {line.strip()}" for line in text.splitlines() if wanted().search(line)]


FILES = sorted(path for path in LIBRARY.rglob("*.*") if path.suffix in (".py", ".sql"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LIBRARY)))
def test_no_word_of_a_study_stands_in_the_library(path: Path) -> None:
    found = said(path)
    assert not found, "\n".join(found)


def test_the_list_of_this_test_names_what_there_is() -> None:
    assert GENERAL.keys() <= own_words()


@pytest.mark.parametrize(
    "line",
    [
        "WHERE role = 'ecm-node'",
        '"""Settings of DB2 under FileNet P8."""',
        "factors['ce_pe_cpus']",
        "# as in the study linux-z900",
        'Metric("db_ifl", "Database", "IFLs", "lower", 2)',
        "Four ECM nodes",
        "CE/PE",
    ],
)
def test_words_of_studies_are_seen(line: str) -> None:
    assert wanted().search(line)


@pytest.mark.parametrize("line", ["recmail", "FROM nsd_server", "the Linux system", "a z9000"])
def test_what_only_looks_like_them_is_not(line: str) -> None:
    assert not wanted().search(line)
