"""What uperf prints: rates while it runs, and its statistics at the end.

Outputs of release 1.0.8 were recorded, with ``-a`` and without, and one that failed. Sizes are in
powers of 1024, bits in powers of 1000 (404,811 operations of 600 bytes on average are printed as
231.63M, and as 372.55Mb/s over 5.22 s). While it runs it prints a line over and over, with a
carriage return: each is a line here. From memory: the samples of ``-R``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading, tables
from studybook.formats.line_reader import LineReader
from studybook.formats.quoted_rows import END_S, EPOCH, FIRST_S
from studybook.formats.raw import Head, RawFile

TABLES = tables(
    """
uperf_run: one run of uperf
    run_no BIGINT, profile VARCHAR, workers BIGINT, worker_kind VARCHAR, error VARCHAR,
    -- complete; or cut, where the statistics of the run are missing; or failed.
    status VARCHAR, line BIGINT

uperf_rate: what a part of a run has done by then, or in all
    run_no BIGINT,
    -- Txn1, Txn2, … of the profile, Total, and with -a Group0, Thr0, …
    part VARCHAR,
    -- Whether the part went on after that; NULL where the output ends.
    is_interim BOOLEAN, elapsed_s DOUBLE, moved_bytes DOUBLE, rate_mbit_s DOUBLE,
    operations_per_s DOUBLE, line BIGINT

uperf_latency: times of a transaction or of one of its operations, with -a
    run_no BIGINT, kind VARCHAR, name VARCHAR, times BIGINT, mean_us DOUBLE, cpu_us DOUBLE,
    max_us DOUBLE, min_us DOUBLE, line BIGINT

uperf_interface: traffic of a network interface in a run
    run_no BIGINT, interface VARCHAR, sent_packets_per_s DOUBLE, received_packets_per_s DOUBLE,
    sent_mbit_s DOUBLE, received_mbit_s DOUBLE, line BIGINT

uperf_host: what a host says of the run; master is the one that started it
    run_no BIGINT, host_printed VARCHAR, elapsed_s DOUBLE, moved_bytes DOUBLE,
    rate_mbit_s DOUBLE, operations BIGINT,
    -- Of the operations.
    error_percent DOUBLE, line BIGINT

uperf_sample: what a transaction had done at a moment (-R)
    run_no BIGINT, time_utc TIMESTAMP, part VARCHAR, moved_bytes DOUBLE, operations BIGINT,
    line BIGINT
""",
    shares=("error_percent",),
)
_RUN, _RATE, _LATENCY, _INTERFACE, _HOST, _SAMPLE = (table.name for table in TABLES)

_NUMBER = r"(-?\d{1,15}(?:\.\d{1,6})?)"
_SIZE = rf"{_NUMBER}([KMGTP]?)B?"
_BITS = rf"{_NUMBER}(?:([KMGT]?)b/s)?"
_START = re.compile(
    r"Starting (\d{1,9}) (threads|processes) running profile: ?(\S{1,200})(?: \.\.\..*)?$"
)
_PART = re.compile(
    rf"([A-Za-z]\w{{0,40}}) +{_SIZE} +/ +{_NUMBER}\(s\) = +{_BITS} +(\d{{1,15}})op/s$", re.ASCII
)
_TIMES = re.compile(
    rf"([A-Za-z]\w{{0,40}}) +(\d{{1,15}}) +{_NUMBER}(ns|us|ms|s) +{_NUMBER}(ns|us|ms|s)"
    rf" +{_NUMBER}(ns|us|ms|s) +{_NUMBER}(ns|us|ms|s)$"
)
_NIC = re.compile(rf"([\w.:@-]{{1,40}}) +(\d{{1,15}}) +(\d{{1,15}}) +{_BITS} +{_BITS}$", re.ASCII)
_BY_HOST = re.compile(
    rf"([\w.:%-]{{1,200}}) +{_NUMBER}s +{_SIZE} +{_BITS} +(\d{{1,15}}) +{_NUMBER}$", re.ASCII
)
_RAW = re.compile(
    r"timestamp_ms:(\d{13}(?:\.\d{1,6})?) +name:(\w{1,40}) +nr_bytes:(\d{1,18})"
    r" +nr_ops:(\d{1,18})$"
)
_ERROR = re.compile(r"(?:\*\* .*|Error .*|.*: (?:Connection refused|Operation not permitted)\b.*)$")
_SECTIONS = {
    "Txn Count avg cpu max min": "Txn", "Flowop Count avg cpu max min": "Flowop",
    "Nic opkts/s ipkts/s obits/s ibits/s": "Nic",
    "Hostname Time Data Throughput Operations Errors": "Host",
}  # fmt: skip
_HEADING = re.compile(
    r"-{20,}$|Netstat statistics for this run$|Run Statistics$|Group Details$|Strand Details$|"
    r"Difference\(%\) .*|Completed handshake phase 2?.*|Handshake.*|.* processes? running$"
)
_BINARY = {"": 1.0, "K": 2.0**10, "M": 2.0**20, "G": 2.0**30, "T": 2.0**40, "P": 2.0**50}
_MBIT = {"": 1e-6, "K": 1e-3, "M": 1.0, "G": 1e3, "T": 1e6}
_US = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}


def recognise(head: Head) -> bool:
    """Whether a profile was started."""
    return head.has(_START)


def read(raw: RawFile, out: Reading) -> None:
    """Read every run of the file.

    Raises
    ------
    Refused
        If no run has a result.
    """
    reader = _Reader(out)
    reader.read(raw, longest=4_000)
    if not (out.rows.get(_RATE) or out.rows.get(_HOST) or out.rows.get(_SAMPLE)):
        raise Refused(
            f"uperf stopped before a result: {reader.said or 'it says nothing'}",
            "start uperf -s on the other host, and run it again",
        )


@dataclass
class _Reader(LineReader):
    run: dict[str, Any] = field(default_factory=dict)
    runs: int = 0
    section: str = ""
    held: tuple[int, dict[str, Any]] | None = None  # a rate that may go on
    has_statistics: bool = False
    said: str | None = None

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _START.match(text):
            self._close()
            self.run = {
                "line": line, "workers": int(match[1]), "worker_kind": match[2],
                "profile": match[3],
            }  # fmt: skip
            return True
        if not self.run:
            return self._failure(text)
        if match := _PART.match(text):
            return self._part(line, match)
        if match := _RAW.match(text):
            return self._sample(line, match)
        if (section := _SECTIONS.get(" ".join(text.split()))) is not None:
            self.section = section
            return False
        if _HEADING.match(text):
            return False
        if self.section in ("Txn", "Flowop") and (match := _TIMES.match(text)):
            times = [
                float(match[at]) * _US[match[at + 1]] for at in (3, 5, 7, 9)
            ]  # fmt: skip
            self.out.record(
                _LATENCY, run_no=self.runs, kind=self.section, name=match[1], times=int(match[2]),
                mean_us=times[0], cpu_us=times[1], max_us=times[2], min_us=times[3], line=line,
            )  # fmt: skip
            return True
        if self.section == "Nic" and (match := _NIC.match(text)):
            self.out.record(
                _INTERFACE, run_no=self.runs, interface=match[1], line=line,
                sent_packets_per_s=float(match[2]), received_packets_per_s=float(match[3]),
                sent_mbit_s=_mbit(match[4], match[5]), received_mbit_s=_mbit(match[6], match[7]),
            )  # fmt: skip
            return True
        if self.section == "Host" and (match := _BY_HOST.match(text)):
            self.out.record(
                _HOST, run_no=self.runs, host_printed=match[1], elapsed_s=float(match[2]),
                moved_bytes=float(match[3]) * _BINARY[match[4]],
                rate_mbit_s=_mbit(match[5], match[6]), operations=int(match[7]),
                error_percent=float(match[8]), line=line,
            )  # fmt: skip
            self.has_statistics |= match[1] == "master"
            return True
        return self._failure(text)

    def _failure(self, text: str) -> bool | None:
        if not _ERROR.match(text):
            return None
        self.said = self.said or text[:300]
        if self.run:
            self.run.setdefault("error", text[:400])
            return True
        return None

    def _part(self, line: int, match: re.Match[str]) -> bool:
        row = {
            "part": match[1], "moved_bytes": float(match[2]) * _BINARY[match[3]],
            "elapsed_s": float(match[4]), "rate_mbit_s": _mbit(match[5], match[6]),
            "operations_per_s": float(match[7]),
        }  # fmt: skip
        self._settle(match[1])
        self.held = line, row
        return True

    def _settle(self, part: str | None = None, *, is_known: bool = True) -> None:
        """Record the rate before this one, which is an interim one if the part goes on."""
        if self.held:
            line, row = self.held
            interim = row["part"] == part if is_known else None
            self.out.record(_RATE, run_no=self.runs, is_interim=interim, line=line, **row)
        self.held = None

    def _sample(self, line: int, match: re.Match[str]) -> bool | None:
        seconds = float(match[1]) / 1000
        if not FIRST_S <= seconds < END_S:
            return None
        self.out.record(
            _SAMPLE, run_no=self.runs, line=line, part=match[2], moved_bytes=float(match[3]),
            operations=int(match[4]),
            time_utc=EPOCH + timedelta(microseconds=round(seconds * 1e6)),
        )  # fmt: skip
        return True

    def _close(self) -> None:
        run, self.run, whole = self.run, {}, self.has_statistics
        self._settle(is_known=whole)
        self.section, self.has_statistics = "", False
        if not run:
            return
        run["status"] = "complete" if whole else "failed" if "error" in run else "cut"
        if not whole:
            self.out.remark(
                run["line"],
                f"this run of uperf has no statistics: {run.get('error', 'it is cut')}",
            )
        self.out.record(_RUN, run_no=self.runs, **run)
        self.runs += 1


def _mbit(number: str, unit: str | None) -> float:
    """A rate in 10^6 bit/s."""
    return float(number) * _MBIT[unit or ""]
