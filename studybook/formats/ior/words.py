"""What the readers of IOR's output forms share: dialects, cells, messages, redaction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache

from studybook.formats.contract import Reading
from studybook.formats.raw import Head

OPERATIONS = ("write", "read", "remove")
BANNER = re.compile(r"IOR-(\S+): MPI Coordinated Test of Parallel I/O")
CSV_HEADER = re.compile(r"access,(bw\(MiB/s\)|rank),")

_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_TWO = r"(\d{1,2})"
_CTIME = re.compile(rf"{_DAY} +(\w{{3}}) +{_TWO} +{_TWO}:{_TWO}:{_TWO} +(\d{{4}})$", re.ASCII)

_AS_CSV = "summaryFormat=CSV"
#: IOR 3.2 and 3.3 write CSV values without any delimiter: the year runs into the command.
CSV_WITHOUT_COMMAS = re.compile(
    rf"^(?:IOR-\S+: [\w /]+)?(?:\d[\w.+]*)?{_DAY} \w{{3}} +\d+ [\d:]{{8}} \d{{4}}\S"
    rf".*{_AS_CSV}",
    re.M,
)

_TEXT = re.compile(
    "|".join(
        [
            BANNER.pattern, r"(?:Run began|Began) *: *" + _DAY, r"access +bw\(MiB/s\)",
            r"Operation\s+Max ?\(MiB\)", r"(?:ior )?ERROR: .*\(\w+\S*\.c:\d+\)",
            r"Synopsis \S*\bior\b", r"MD-Workbench ",
        ]
    )
)  # fmt: skip
_JSON = (re.compile(r'"Began"\s*:'), re.compile(r'"Command line"\s*:'))
ELSEWHERE = re.compile(r"Writing output to (\S+)$")


#: iozone has a line "Run began", too.
_IOZONE = re.compile(r"^[ \t]*Iozone: Performance Test of File I/O[ \t]*$", re.M)


@lru_cache(maxsize=1)
def dialect(head: Head) -> str | None:
    """Tell the form of IOR output that a file starts with: ``text``, ``json``, ``csv``.

    The three are told apart in one place, so that no file can be of two forms.
    """
    text = head.text
    if _IOZONE.search(text):
        return None
    if all(mark.search(text) for mark in _JSON):
        return "json"
    if any(map(CSV_HEADER.match, head.lines)):
        return "csv"
    if _AS_CSV in text and CSV_WITHOUT_COMMAS.search(text):
        return "csv"
    if head.has(_TEXT) or only_names_a_file(head):
        return "text"
    return None


def only_names_a_file(head: Head) -> bool:
    """Whether IOR only said where it wrote its results (``-O summaryFile=``)."""
    printed = [line for line in head.lines if line.strip()]
    return bool(printed) and all(ELSEWHERE.match(line) for line in printed)


# --- cells ------------------------------------------------------------------------------

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$", re.ASCII)
_NOT_FINITE = re.compile(r"[-+]?(?:nan|inf(?:inity)?)$", re.I)
_NOTHING = {"", "-", "NA"}
_LARGEST = 2**63 - 1


def number(cell: str) -> float | None:
    """Read a decimal number; ``-``, ``NA``, nan and infinity are None, all else is a ValueError."""
    if cell in _NOTHING or _NOT_FINITE.match(cell):
        return None
    if not _NUMBER.match(cell):
        raise ValueError(f"not a number: {cell[:40]!r}")
    value = float(cell)
    return value if abs(value) != float("inf") else None


def whole(cell: str) -> int | None:
    """Read a whole number of a BIGINT; ``-`` and ``NA`` are None, all else is a ValueError."""
    if cell in _NOTHING or _NOT_FINITE.match(cell):
        return None
    value = int(cell) if cell.lstrip("-+").isdecimal() else None
    if value is None or abs(value) > _LARGEST:
        raise ValueError(f"not a whole number of 64 bits: {cell[:40]!r}")
    return value


def typed(kind: str, cell: str) -> object:
    """Read a cell as a column of that type; ValueError if it cannot be read so."""
    if kind == "DOUBLE":
        return number(cell)
    if kind == "BIGINT":
        return whole(cell)
    if kind == "BOOLEAN":
        if not re.fullmatch(r"\d{1,3}", cell, re.ASCII):  # an option given twice counts two
            raise ValueError(f"not 0 or 1: {cell[:40]!r}")
        return int(cell) > 0
    return cell


def is_not_finite(cell: str) -> bool:
    """Whether the cell prints nan or infinity."""
    return bool(_NOT_FINITE.match(cell))


def ctime(text: str) -> datetime | None:
    """Read a C ``ctime`` date; blanks may be collapsed. None if it is not one.

    The month names are C's own, so the locale of the reader does not matter.
    """
    match = _CTIME.match(text.strip())
    if not match or match[1] not in _MONTHS:
        return None
    day, hour, minute, second, year = (int(part) for part in match.groups()[1:])
    try:
        return datetime(year, _MONTHS.index(match[1]) + 1, day, hour, minute, second)
    except ValueError:
        return None


# --- messages ---------------------------------------------------------------------------

#: Lines that IOR, MPI and the job launcher print between the results: level and pattern.
_MESSAGES = [
    ("error", r"(?:ior )?ERROR\b|\*\* error \*\*|\w+: \S+:\d+: .*Assertion|\[\d+\] FAILED comp"),
    ("error", r"Error invalid argument|Invalid options|Unrecognized parameter"),
    ("warning", r"(?:ior )?WARNING\b|but transferred \d|\w+ couldn't call statvfs"),
    ("note", r"\*\* exiting \*\*|\[\d+\]   |\[[\w.-]+:\d+\] |\[warn\] "),
    ("note", r"(?:\d+: )?stonewalling pairs accessed|Pairs deadlineForStonewalling"),
    ("note", r"Commencing (?:write|read) performance test"),
    ("note", r"Us(?:ing|ed) (?:Time Stamp|reorderTasks|(?:un)?synchronized \w+ timer)"),
    ("note", r"Start time skew across all tasks:|#File Hits Dist:"),
    ("note", r"MPI_ABORT was invoked|with errorcode -?\d|NOTE: invoking MPI_ABORT"),
    ("note", r"You may or may not see output|exactly when Open MPI kills"),
    ("note", r"mpirun\b|Primary job  terminated|a non-zero exit code\. Per user"),
    ("note", r"the job to be terminated\. The first|Process name: \[|Exit code: +\d"),
    ("note", r"srun: |slurmstepd: |application called MPI_Abort"),
]
HINTS = re.compile(r"hints (?:passed to|returned from) .*\{$")
_LEVELS = [(level, re.compile(pattern)) for level, pattern in _MESSAGES]
DATA_ERROR = re.compile(r"incorrect data on (?:read|write)|FAILED comparison", re.I)
RULE = re.compile(r"[-=\s]+$")


def message_level(text: str) -> str | None:
    """Return the level of a line that is a message of IOR, MPI or the launcher; else None."""
    return next((level for level, pattern in _LEVELS if pattern.match(text)), None)


# --- redaction --------------------------------------------------------------------------

_LOOKS_LIKE_ENVIRONMENT = re.compile(r"[A-Z_][A-Z0-9_]*(?:%%|\(\))?=")


def without_environment(
    lines: Iterable[tuple[int, str]], out: Reading
) -> Iterator[tuple[int, str]]:
    """Pass lines on, except the environment that IOR prints at ``-vvv``.

    The environment may hold passwords and tokens: its lines are counted and forgotten.
    Lines that look like it are taken for it even where the marks around are lost.
    """
    inside, started, dropped = False, 0, 0
    for line, text in lines:
        if text.startswith("STARTING ENVIRON LOOP"):
            inside, started = True, started or line
        if inside or _LOOKS_LIKE_ENVIRONMENT.match(text):
            out.heading()
            started, dropped = started or line, dropped + 1
        else:
            yield line, text
        if inside and text.startswith("ENDING ENVIRON LOOP"):
            inside = False
    if dropped:
        out.remark(started, f"{dropped} lines of the process environment are left out")
