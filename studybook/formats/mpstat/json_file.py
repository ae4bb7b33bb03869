"""``mpstat -o JSON``: the samples have a time of day, and the host has the date of the first.

Recorded with sysstat 12.6. There is no heading with the time before the first sample: the length of
its interval is not known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import Head, RawFile
from studybook.formats.sar import sadf_json
from studybook.formats.sar.activities import OF_TOOL
from studybook.formats.sar.clock import TIME, on, seconds
from studybook.formats.sar.tool_json import Sample, cells, date_of, walk

_HOW = "mpstat -P ALL -o JSON 10 60 > FILE"
_COLUMNS = OF_TOOL["mpstat"][0].columns
#: Names of values in JSON: those of the text without sign and unit.
_KNOWN = {name.strip("%").removesuffix("/s"): column for name, column in _COLUMNS.items()}


def recognise(head: Head) -> bool:
    """Whether the file starts as ``mpstat -o JSON`` does."""
    return sadf_json.tool_in(head) == "mpstat"


def read(raw: RawFile, out: Reading) -> None:
    """Read the samples of every host.

    Raises
    ------
    Refused
        If the file is no such JSON, ends too early, or has no sample.
    """
    rows = _Rows(raw, out)
    walk(raw, out, _HOW, rows.take)
    if not rows.kept:
        raise Refused("has no sample of a processor", f"record it again: {_HOW}")
    if rows.not_kept:
        out.remark(1, f"not kept: {', '.join(sorted(rows.not_kept)[:10])}")
    if rows.wrong:
        out.remark(rows.wrong[0], f"{len(rows.wrong)} rows without a time or a number are left out")


@dataclass
class _Rows:
    raw: RawFile
    out: Reading
    report: int = -1
    day: datetime = datetime.min
    before: int | None = None
    back: bool = False
    kept: int = 0
    not_kept: set[str] = field(default_factory=set)
    wrong: list[int] = field(default_factory=list)

    def take(self, sample: Sample) -> None:
        """Record the processors of a sample."""
        if sample.report_no != self.report:
            self._begin(sample)
        printed = sample.values.get("timestamp")
        match = TIME.match(f"{printed}\n".encode())
        of_day = seconds(match) if match else None
        self.not_kept |= {name[:40] for name in sample.values.keys() - {"timestamp", "cpu-load"}}
        load = sample.values.get("cpu-load")
        if of_day is None or not isinstance(load, list):
            if isinstance(load, list):
                self.wrong.append(sample.first)
            return
        moment = on(self.before, of_day)
        gap = moment - self.before if self.before is not None else None
        went_back = gap is not None and gap < 0
        self.back |= went_back
        self.before = moment
        for each in load:
            cpu = each.get("cpu") if isinstance(each, dict) else None
            values = cells(each, _KNOWN) if isinstance(cpu, str) else None
            if not values:
                self.wrong.append(sample.first)
                continue
            self.kept += 1
            self.out.record(
                "mpstat_cpu", report_no=sample.report_no, segment=0,
                time_local=self.day + timedelta(seconds=moment), cpu=cpu,
                set_back=self.back or None, interval_s=None if went_back else gap,
                line=sample.first, **values,
            )  # fmt: skip

    def _begin(self, sample: Sample) -> None:
        facts, cpus = sample.facts, sample.facts.get("number-of-cpus", "")
        self.report, self.before, self.back = sample.report_no, None, False
        if "date" not in facts:
            raise Refused(
                "has samples of a host, and not its date before them",
                "leave the order of the file as mpstat writes it",
                line=sample.first,
            )
        day, known = date_of(self.raw, self.out, facts["date"], sample.first)
        self.day = datetime.combine(day, datetime.min.time())
        self.out.record(
            "mpstat_report", report_no=self.report, host=facts.get("nodename"),
            kernel=facts.get("release"), architecture=facts.get("machine"),
            cpus=int(cpus) if cpus.isdigit() and len(cpus) < 10 else None,
            date_printed=facts["date"], date_known=known, clock="local", layout="json",
            line=sample.first,
        )  # fmt: skip
