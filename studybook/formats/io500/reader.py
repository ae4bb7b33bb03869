"""IO500: results of its phases, as printed and as in ``result_summary.txt``.

Public outputs of releases of 2018 to 2025 were seen. ``GiB/s`` are powers of 1024, and so are the
``GB/s`` of older releases: 218.322 of them stand for 223562 MiB/s of IOR (submission 92). Phases in
empty brackets are not part of the score. ``INVALID`` (in 2020 ``-invalid``) stands where a rule was
broken, as by a phase that was too short; such a phase is no result of the benchmark, though its
rate was measured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from studybook.formats.contract import Reading, tables
from studybook.formats.line_reader import LineReader
from studybook.formats.load_summary import NUMBER
from studybook.formats.raw import Head, RawFile

TABLES = tables("""
io500_run: one run of IO500
    run_no BIGINT, version VARCHAR,
    -- Whether it kept the rules; NULL where the score is missing.
    valid BOOLEAN, bandwidth_score DOUBLE, bandwidth_unit VARCHAR, kiops_score DOUBLE,
    total_score DOUBLE,
    -- The first rule that it broke.
    error VARCHAR, line BIGINT

io500_phase: one phase of a run
    run_no BIGINT, phase VARCHAR,
    -- Whether it is part of the score.
    scored BOOLEAN, valid BOOLEAN, rate_printed DOUBLE, unit VARCHAR, rate_gib_s DOUBLE,
    kiops DOUBLE, elapsed_s DOUBLE, line BIGINT
""")
_RUN, _PHASE = (table.name for table in TABLES)

_RESULT = re.compile(
    rf"\[(RESULT|RESULT-invalid| +)\] +(?:(?:BW|IOPS) +phase +\d{{1,3}} +)?([\w-]{{1,60}})"
    rf" +{NUMBER} +(GiB/s|GB/s|kIOPS|kiops) *: +time +{NUMBER} +seconds *(\[INVALID\])?$"
)
_SCORE = re.compile(
    rf"\[SCORE *(INVALID|-invalid)? *\] +Bandwidth +{NUMBER} +(GiB/s|GB/s) *: +IOPS +{NUMBER}"
    rf" +kiops *: +TOTAL +{NUMBER} *(\[INVALID\])?$"
)
_VERSION = re.compile(r"IO500 version +(\S.{0,100})$")
_BROKEN = re.compile(r"ERROR(?: INVALID)?:? .*")
_HEADING = re.compile(
    r"\[(?:Summary|Starting|Leaving|Starting time)\].*|The result files are stored .*"
)


def recognise(head: Head) -> bool:
    """Whether a line is the result of a phase."""
    return head.has(_RESULT)


def read(raw: RawFile, out: Reading) -> None:
    """Read every run of the file."""
    _Reader(out).read(raw)


@dataclass
class _Reader(LineReader):
    run: dict[str, Any] = field(default_factory=dict)
    phases: set[str] = field(default_factory=set)
    runs: int = 0

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _VERSION.match(text):
            self._close()
            self.run = {"line": line, "version": match[1]}
        elif match := _RESULT.match(text):
            self.phase(line, match)
        elif match := _SCORE.match(text):
            self.begin(line).update(
                valid=not (match[1] or match[6]), bandwidth_score=float(match[2]),
                bandwidth_unit=match[3], kiops_score=float(match[4]), total_score=float(match[5]),
            )  # fmt: skip
            self._close()
        elif _BROKEN.match(text):
            self.begin(line).setdefault("error", text[:400])
        else:
            return False if _HEADING.match(text) else None
        return True

    def phase(self, line: int, match: re.Match[str]) -> None:
        """Record a phase; one that was there before begins a new run."""
        mark, name, rate, unit, seconds, invalid = match.groups()
        if name in self.phases:
            self._close()
        self.begin(line)
        self.phases.add(name)
        self.out.record(
            _PHASE, run_no=self.runs, phase=name, scored=mark.startswith("RESULT"),
            valid=invalid is None and mark != "RESULT-invalid",
            rate_printed=float(rate), unit=unit, elapsed_s=float(seconds), line=line,
            rate_gib_s=float(rate) if unit in ("GiB/s", "GB/s") else None,
            kiops=float(rate) if unit.lower() == "kiops" else None,
        )  # fmt: skip

    def begin(self, line: int) -> dict[str, Any]:
        """The current run; a new one where there is none."""
        self.run = self.run or {"line": line}
        return self.run

    def _close(self) -> None:
        run, self.run, self.phases = self.run, {}, set()
        if not run:
            return
        if "total_score" not in run:
            self.out.remark(
                run["line"], "this run of IO500 has no score: it is cut, or was stopped"
            )
        elif not run["valid"]:
            self.out.remark(
                run["line"],
                f"IO500 calls this run invalid: {run.get('error', 'see its phases')}",
            )
        self.out.record(_RUN, run_no=self.runs, **run)
        self.runs += 1
