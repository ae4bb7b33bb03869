"""``pvs`` and ``lvs`` of LVM with ``--reportformat json``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from studybook.formats.captures.json_output import JsonOutput, flat
from studybook.formats.captures.section import Line, Start
from studybook.formats.linux.volumes import Volumes


class LvmJson(JsonOutput, Volumes):
    """Reports of physical volumes, of logical volumes or of their segments."""

    tool = "LVM"
    subject = "volume"

    def has_subject(self, found: Any) -> bool:
        """Whether there is a volume in one of the reports."""
        return any(True for _ in _rows(found))

    def use(self, line: Line, found: Any) -> None:
        """Add a volume for each object; its fields have LVM's own names."""
        segments: dict[tuple[str | None, str | None], int] = {}
        for number, (kind, each) in enumerate(_rows(found), 1):
            fields = {name: value for name, value in flat("", each) if value not in ("", "null")}
            self.name = "pvs" if kind == "pv" else "lvs"
            if kind == "pv":
                taken = self.physical(line.number, fields)
            else:
                of = (fields.get("vg_name"), fields.get("lv_name"))
                segments[of] = segments.get(of, 0) + 1
                taken = self.logical(line.number, fields, segments[of])
            if not taken:
                self.say(line.number, f"volume {number} of the JSON has no name")


def _rows(found: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    reports = found.get("report") if isinstance(found, dict) else None
    for report in reports if isinstance(reports, list) else ():
        for kind in ("pv", "lv", "seg"):
            rows = report.get(kind) if isinstance(report, dict) else None
            for each in rows if isinstance(rows, list) else ():
                if isinstance(each, dict) and each:
                    yield kind, each


_LIST = r'"(?:pv|lv|seg)": ?\['
STARTS = (
    Start(re.compile(rf'\{{ ?"report": ?\[ ?\{{ ?{_LIST}.*'), LvmJson),
    # In many lines a file is known by one that follows, and the bracket belongs to it.
    Start(re.compile(r'\{(?: ?"report": ?\[(?: ?\{)?)?'), LvmJson, tells=False),
    Start(re.compile(rf"{_LIST}.{{0,400}}"), LvmJson),
)
