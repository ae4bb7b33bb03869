"""The raw files of the study ``flexible-scale`` hold what the document holds, and add up.

The files were transcribed from a slide deck. Two kinds of proof:

* against the document (skipped where it is not at hand): after white space, rules and the
  repairs that ``run.yml`` records are set aside, file and document are the same words in the
  same order;
* without it: what IOR and the mmls* commands print twice agrees with itself, so most wrong
  digits show all the same.

This test reads the files by its own means, not by those of ``studybook.formats``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import REPOSITORY, samples_folder

ROOT = REPOSITORY
STUDY = ROOT / "data/raw/reference/flexible-scale"
SEED_NAME = "002.txt"

IOR_RUNS = ("1-system-read", "1-system-write", "6-systems-read", "6-systems-write")
CONFIGURATION = "6-systems-configuration"


# --- The document ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def document() -> list[str]:
    """The lines of the document; the variable may name it or the folder that holds it."""
    given = os.environ.get("STUDYBOOK_SEEDS")
    path = Path(given) if given else samples_folder().parent / "seeds" / SEED_NAME
    if path.is_dir():
        path = path / SEED_NAME
    if not path.is_file():
        pytest.skip("seed documents not found: set STUDYBOOK_SEEDS")
    return path.read_text(encoding="utf-8").splitlines()


def between(lines: list[str], first: str, last: str) -> list[str]:
    """The lines between two headings of the document."""
    start = lines.index(first) + 1
    return lines[start : lines.index(last, start)]


def ior_block(systems: str, test: str) -> Callable[[list[str]], list[str]]:
    """The IOR output below the slide titles ``systems`` and ``test``."""

    def cut(lines: list[str]) -> list[str]:
        titled = [
            number
            for number, line in enumerate(lines)
            if line == test and [each for each in lines[:number] if each][-1] == systems
        ]
        assert len(titled) == 1, f"{systems} / {test} stands {len(titled)} times in the document"
        block = lines[titled[0] + 1 :]
        end = next(n for n, line in enumerate(block) if line.startswith("Run finished:"))
        return block[: end + 1]

    return cut


@dataclass(frozen=True)
class Transcript:
    """A raw file, its place in the document, and the words that its ``run.yml`` repairs."""

    path: str
    block: Callable[[list[str]], list[str]]
    words: tuple[tuple[str, str], ...] = ()

    @property
    def file(self) -> Path:
        """The raw file."""
        return STUDY / self.path


TRANSCRIPTS = (
    Transcript("1-system-read/ior.txt", ior_block("One Storage System", "IOR Read Test")),
    Transcript("1-system-write/ior.txt", ior_block("One Storage System", "IOR Write Test")),
    Transcript("6-systems-read/ior.txt", ior_block("Six Storage Systems", "IOR Read Test")),
    Transcript("6-systems-write/ior.txt", ior_block("Six Storage Systems", "IOR Write Test")),
    Transcript(
        f"{CONFIGURATION}/mmlsconfig.txt",
        lambda lines: between(lines, "mmlsconfig", "GPFS Version"),
    ),
    Transcript(
        f"{CONFIGURATION}/mmdiag-version.txt",
        lambda lines: between(lines, "GPFS Version", "mmlscluster"),
    ),
    Transcript(
        f"{CONFIGURATION}/mmlscluster.txt", lambda lines: between(lines, "mmlscluster", "mm1sfs")
    ),
    Transcript(
        f"{CONFIGURATION}/mmlsfs.txt",
        lambda lines: between(lines, "mm1sfs", "mm1snsd"),
        words=(("--perfilesset-quota", "--perfileset-quota"), ("DMAPi", "DMAPI")),
    ),
    Transcript(
        f"{CONFIGURATION}/mmlsnsd.txt",
        lambda lines: between(lines, "mm1snsd", "NSD clients & servers"),
    ),
)

each_transcript = pytest.mark.parametrize(
    "transcript", TRANSCRIPTS, ids=[each.path for each in TRANSCRIPTS]
)


def tokens(lines: list[str]) -> list[str]:
    """Words in order, without white space, rules and code fences."""
    found: list[str] = []
    for line in lines:
        if line.strip() == "```" or re.fullmatch(r"[-=\s]*", line):
            continue
        # "ordering inter file=" comes with and without a blank before the sign.
        found += line.replace("file=", "file =").split()
    return found


def document_tokens(transcript: Transcript, document: list[str]) -> list[str]:
    """The words of the document's block, with the recorded repairs made."""
    repaired = dict(transcript.words)
    return [repaired.get(word, word) for word in tokens(transcript.block(document))]


@pytest.mark.corpus
@each_transcript
def test_file_holds_the_words_of_the_document(transcript: Transcript, document: list[str]) -> None:
    text = transcript.file.read_text(encoding="utf-8")
    assert tokens(text.splitlines()) == document_tokens(transcript, document)


@pytest.mark.corpus
@each_transcript
def test_a_changed_digit_would_be_found(transcript: Transcript, document: list[str]) -> None:
    expected = document_tokens(transcript, document)
    text = transcript.file.read_text(encoding="utf-8")
    digits = [match.start() for match in re.finditer(r"\d", text)]
    assert digits
    for place in digits:
        other = str((int(text[place]) + 1) % 10)
        changed = text[:place] + other + text[place + 1 :]
        assert tokens(changed.splitlines()) != expected, f"unnoticed at character {place}"


# --- The manifests --------------------------------------------------------------------------


def manifest(run: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((STUDY / run / "run.yml").read_text(encoding="utf-8"))
    return content


@pytest.mark.parametrize("run", [*IOR_RUNS, CONFIGURATION])
def test_manifest_lists_every_transcribed_file(run: str) -> None:
    listed = {file["path"] for file in manifest(run)["files"]}
    assert {file["provenance"] for file in manifest(run)["files"]} == {"transcribed"}
    assert listed == {path.name for path in (STUDY / run).iterdir()} - {"run.yml"}
    assert {f"{run}/{name}" for name in listed} <= {each.path for each in TRANSCRIPTS}


@each_transcript
def test_repaired_words_are_on_record(transcript: Transcript) -> None:
    run, name = transcript.path.split("/")
    file = next(each for each in manifest(run)["files"] if each["path"] == name)
    repairs = " ".join(file["repairs"])
    for before, after in transcript.words:
        assert before in repairs
        assert after in repairs


# --- Without the document: IOR ----------------------------------------------------------------


@dataclass(frozen=True)
class Ior:
    """What an IOR 2.10 output states, some of it twice."""

    began: datetime
    finished: datetime
    command: str
    options: dict[str, str]
    operation: str
    row: list[float]
    max_mib_s: float
    max_mb_s: float

    def number(self, option: str) -> int:
        """The whole number with which an option's value begins."""
        match = re.match(r"\d+", self.options[option])
        assert match, option
        return int(match[0])

    @property
    def aggregate_mib(self) -> int:
        """The bytes that one repetition moves, in MiB."""
        return self.number("aggregate filesize") * 1024


def one(pattern: str, text: str) -> re.Match[str]:
    """The only line of that form."""
    found = list(re.finditer(pattern, text, re.MULTILINE))
    assert len(found) == 1, f"{len(found)} lines of the form {pattern}"
    return found[0]


def time_of(event: str, text: str) -> datetime:
    printed = one(rf"^Run {event}: (.+)$", text)[1]
    time = datetime.strptime(printed, "%a %b %d %H:%M:%S %Y")
    assert time.ctime() == printed, "not as ctime prints it: weekday or padding is wrong"
    return time


@pytest.fixture(params=IOR_RUNS)
def run_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ior(run_name: str) -> Ior:
    text = (STUDY / run_name / "ior.txt").read_text(encoding="utf-8")
    options = {
        key.strip(): value.strip()
        for key, value in re.findall(r"^\t([^=]+)=(.*)$", text, re.MULTILINE)
    }
    row = one(r"^(read|write) +([\d. ]+) EXCEL$", text)
    best = one(r"^Max (Read: |Write:) ([\d.]+) MiB/sec \(([\d.]+) MB/sec\)$", text)
    assert best[1].strip(" :").lower() == row[1]
    return Ior(
        began=time_of("began", text),
        finished=time_of("finished", text),
        command=one(r"^Command line used: (.+)$", text)[1],
        options=options,
        operation=row[1],
        row=[float(value) for value in row[2].split()],
        max_mib_s=float(best[2]),
        max_mb_s=float(best[3]),
    )


def test_megabytes_are_mebibytes_times_1048576(ior: Ior) -> None:
    assert ior.max_mb_s == pytest.approx(ior.max_mib_s * 1.048576, abs=0.011)


def test_row_is_in_order_and_operations_are_mebibytes(ior: Ior) -> None:
    largest, smallest, mean, deviation = ior.row[:4]
    assert len(ior.row) == 9
    assert largest == ior.max_mib_s
    assert smallest < mean < largest
    # No standard deviation of n values can exceed half their range.
    assert 0 < deviation <= (largest - smallest) / 2
    # One transfer moves 1 MiB, so operations and MiB per second are the same numbers.
    assert ior.options["xfersize"] == "1 MiB"
    assert ior.row[4:8] == ior.row[:4]


def test_bytes_by_mean_time_do_not_exceed_the_mean_rate(ior: Ior) -> None:
    mean, mean_time = ior.row[2], ior.row[8]
    by_time = ior.aggregate_mib / mean_time
    assert by_time <= mean
    assert by_time == pytest.approx(mean, rel=0.001)


def test_tasks_times_block_is_the_aggregate(ior: Ior) -> None:
    tasks = ior.number("clients")
    per_node = int(one(r"\((\d+) per node\)", ior.options["clients"])[1])
    assert tasks == 10 * per_node, "ten clients"
    assert ior.options["blocksize"].endswith(" GiB")
    assert ior.options["aggregate filesize"].endswith(" GiB")
    assert tasks * ior.number("blocksize") == ior.number("aggregate filesize")


def test_run_lasted_as_long_as_its_repetitions(ior: Ior) -> None:
    repetitions = ior.number("repetitions")
    delay = int(one(r" -d (\d+) ", ior.command)[1])
    expected = repetitions * (ior.row[8] + delay)
    assert (repetitions, delay) == (10, 5)
    lasted = (ior.finished - ior.began).total_seconds()
    assert lasted == pytest.approx(expected, rel=0.01)


def test_command_line_agrees_with_the_options(ior: Ior) -> None:
    assert f" -i {ior.number('repetitions')} " in ior.command
    assert f" -{ior.operation[0]} " in ior.command
    assert f" -b {ior.number('blocksize')}g " in ior.command
    assert ior.command.endswith(f" -o {ior.options['test filename']}")


def test_manifest_agrees_with_the_output(run_name: str, ior: Ior) -> None:
    run = manifest(run_name)
    assert run["run"] == run_name
    assert run["start"] == ior.began
    assert run["factors"]["operation"] == ior.operation
    assert run["factors"]["storage_systems"] == int(run_name[0])


# --- Without the document: the captured configuration ------------------------------------------


def configuration(name: str) -> str:
    return (STUDY / CONFIGURATION / name).read_text(encoding="utf-8")


def test_36_disks_six_per_storage_system() -> None:
    disks = re.findall(r"^ gpfs1 +S([1-6])V0([0-5]) ", configuration("mmlsnsd.txt"), re.MULTILINE)
    assert disks == [(str(system), str(disk)) for system in range(1, 7) for disk in range(6)]


def test_servers_and_nodes_agree_between_commands() -> None:
    nodes = re.findall(
        r"^ +(\d+)   (\w+_gpfs) +([\d.]+) +(\w+_gpfs) ",
        configuration("mmlscluster.txt"),
        re.MULTILINE,
    )
    assert [int(number) for number, *_ in nodes] == list(range(1, 15))
    assert all(name == admin for _, name, _, admin in nodes)
    assert len({address for _, _, address, _ in nodes}) == 14
    names = [name for _, name, _, _ in nodes]
    pairs = re.findall(r" (sgi\d_gpfs),(sgi\d_gpfs) ", configuration("mmlsnsd.txt"))
    assert {name for pair in pairs for name in pair} == {f"sgi{n}_gpfs" for n in range(1, 5)}
    roles = {host["name"]: host["role"] for host in manifest(CONFIGURATION)["hosts"]}
    assert list(roles) == names
    assert {name for name, role in roles.items() if role == "nsd-server"} == set(names[:4])


def test_file_system_attributes_agree_with_each_other() -> None:
    text = configuration("mmlsfs.txt")
    flags = dict(re.findall(r"^ (-\w|--[\w-]+) +(\S+)", text, re.MULTILINE))
    # 32 subblocks per block, in every release before 5.0.
    assert int(flags["-B"]) == 32 * int(flags["-f"])
    assert int(flags["-n"]) == 14
