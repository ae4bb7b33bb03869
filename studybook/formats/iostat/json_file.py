"""``iostat -o JSON``: recorded with sysstat 12.6, with ``-x -t`` and without."""

from __future__ import annotations

from datetime import date
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.iostat.columns import JSON_CPU, JSON_DISK
from studybook.formats.iostat.samples import Samples
from studybook.formats.raw import Head, RawFile
from studybook.formats.sar import sadf_json
from studybook.formats.sar.tool_json import Sample, cells, date_of, walk

_HOW = "S_TIME_FORMAT=ISO iostat -x -t -o JSON 10 60 > FILE"


def recognise(head: Head) -> bool:
    """Whether the file starts as ``iostat -o JSON`` does."""
    return sadf_json.tool_in(head) == "iostat"


def read(raw: RawFile, out: Reading) -> None:
    """Read the samples of every host.

    Raises
    ------
    Refused
        If the file is no such JSON, ends too early, or has no sample; if day and month of a date
        cannot be told apart.
    """

    def day_of(printed: str, line: int) -> date:
        day: date = date_of(raw, out, printed, line)[0]
        return day

    samples = Samples(out, day_of)
    wrong: list[int] = []

    def take(sample: Sample) -> None:
        facts = sample.facts
        if sample.report_no != samples.report:
            cpus = facts.get("number-of-cpus", "")
            samples.begin_report(
                None, sample.first, host=facts.get("nodename"), kernel=facts.get("release"),
                architecture=facts.get("machine"), date_printed=facts.get("date"),
                cpus=int(cpus) if cpus.isdecimal() and len(cpus) < 10 else None,
            )  # fmt: skip
        printed = sample.values.get("timestamp")
        if not samples.begin(printed if isinstance(printed, str) else None, sample.first):
            wrong.append(sample.first)
            return
        cpu = sample.values.get("avg-cpu")
        if isinstance(cpu, dict):
            _keep("iostat_cpu", cells(cpu, JSON_CPU), sample.first)
        disks = sample.values.get("disk")
        for each in disks if isinstance(disks, list) else []:
            device = each.get("disk_device") if isinstance(each, dict) else None
            values = cells(each, JSON_DISK) if isinstance(device, str) else None
            _keep("iostat_disk", values, sample.first, device=device, is_group=False)

    def _keep(table: str, values: dict[str, float | None] | None, line: int, **more: Any) -> None:
        if values:
            samples.record(table, line, **values, **more)
        else:
            wrong.append(line)

    walk(raw, out, _HOW, take)
    if not samples.rows:
        raise Refused("has no sample of processors or devices", f"record it again: {_HOW}")
    if wrong:
        out.remark(wrong[0], f"{len(wrong)} rows without a time or a number are left out")
    samples.tell()
