"""LVM: ``pvscan``, and ``pvs`` and ``lvs`` as tables or JSON; what all its outputs share.

The columns of the tables were chosen by ``-o``; cells may be empty.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from studybook.formats.captures.json_output import JsonOutput, flat
from studybook.formats.captures.section import Items, Line, Section, Start, TableSection
from studybook.formats.captures.values import is_doubtful, size_bytes
from studybook.formats.names import pairs

_PV = pairs("""
    pv_name=device vg_name=volume_group pv_fmt=format pv_attr=attributes pv_size=size pv_free=free
    pv_uuid=uuid
""")
_LV = pairs("""
    lv_name=volume vg_name=volume_group lv_attr=attributes lv_size=size lv_uuid=uuid
    seg_count=segments
""")
_SEGMENT = {"segtype": "kind", "stripes": "stripes", "stripe_size": "stripe_size"}
_DEVICE = re.compile(r"([^(),\s]{1,200})\(([0-9]{1,18})\)")


@dataclass
class Volumes(Section):
    """An output of LVM."""

    #: How many segments of a logical volume, by group and name, there were.
    segments: Counter[tuple[str | None, str | None]] = field(default_factory=Counter, init=False)

    #: The command that prints such an output.
    name = ""

    def put(self, table: str, line: int, texts: Mapping[str, str | None], **values: Any) -> None:
        """Add a row with the command, the host and the number of the output, and bytes of sizes."""
        kinds = self.out.columns(table)
        for column in ("size", "free", "stripe_size"):
            if column in kinds and (text := texts.get(column)):
                values[f"{column}_bytes"] = size_bytes(text)
                if is_doubtful(text):
                    self.say(
                        line,
                        f"sizes like {text.strip()} are of powers of 1000 or of 1024, depending on"
                        " the release: no bytes are taken from them; use --units b",
                    )
        self.row(table, line, {"command": self.name, **texts}, **values)

    def detail(self, line: int, subject: str, name: str, value: str | None) -> None:
        """Add something that has no column."""
        self.put(
            "linux_volume_property", line, {"subject": subject, "property": name, "value": value}
        )

    def physical(self, line: int, fields: dict[str, str]) -> bool:
        """Add a physical volume from LVM's fields; False if it has no name."""
        texts = {column: _stripped(fields.pop(key, None)) for key, column in _PV.items()}
        if not texts["device"]:
            return False
        self.put("linux_physical_volume", line, texts)
        for name, value in fields.items():
            self.detail(line, texts["device"], name, value.strip())
        return True

    def logical(self, line: int, fields: dict[str, str]) -> bool:
        """Add a segment of a logical volume; its fields repeat those of the volume.

        The first one adds the volume itself. False if it has no name.
        """
        key = (fields.get("vg_name"), fields.get("lv_name"))
        self.segments[key] += 1
        segment_no = self.segments[key]
        texts = {column: _stripped(fields.pop(key, None)) for key, column in _LV.items()}
        segment = {column: _stripped(fields.pop(key, None)) for key, column in _SEGMENT.items()}
        devices = fields.pop("devices", "")
        if not texts["volume"]:
            return False
        of = {name: texts[name] for name in ("volume", "volume_group")}
        if segment_no == 1:
            self.put("linux_logical_volume", line, texts)
        if devices or any(segment.values()):
            self.put("linux_logical_volume_segment", line, of | segment, segment_no=segment_no)
        for number, (device, extent) in enumerate(_DEVICE.findall(devices)):
            where = of | {"device": device, "first_extent": extent}
            self.put(
                "linux_logical_volume_stripe", line, where, segment_no=segment_no, stripe_no=number
            )
        subject = subject_of(of)
        for name, value in fields.items():
            self.detail(line, subject, name, value.strip())
        return True


def subject_of(texts: Mapping[str, str | None]) -> str:
    """A logical volume with its group: ``DB_log_vg/log``."""
    return "/".join(filter(None, (texts.get("volume_group"), texts.get("volume"))))


def _stripped(text: str | None) -> str | None:
    return (text or "").strip() or None


_SIZE = r"[<>]?[0-9]{1,19}(?:[.,][0-9]{1,6})?(?: ?[A-Za-z]{1,3})?"
_VOLUME = re.compile(
    r"PV (?P<device>/\S{1,200}|\[unknown\]|unknown device)"
    r"(?: with UUID (?P<uuid>[\w-]{6,60}))?"
    r"(?: (?:is in exported )?VG (?P<volume_group>[\w+.-]{1,128}))?"
    rf"(?: (?P<format>lvm[12]))? \[(?P<size>{_SIZE}) ?(?:/ (?P<free>{_SIZE}) ?free ?)?\]"
)
_TOTAL = re.compile(
    rf"Total: (?P<total>[0-9]{{1,9}}) \[{_SIZE} ?\] / in use: [0-9]{{1,9}} \[{_SIZE} ?\]"
    rf" / in no VG: [0-9]{{1,9}} \[{_SIZE} ?\]"
)


@dataclass
class Scan(Items, Volumes):
    """``pvscan``: lines ``PV /dev/…``, and the total."""

    name = "pvscan"
    item = _VOLUME
    ended = False

    def expects(self, line: Line) -> bool:
        """A physical volume that was not yet there."""
        return not self.ended and super().expects(line)

    def _take(self, line: Line) -> bool | None:
        if self.ended:
            return None
        if found := _VOLUME.fullmatch(line.squeezed):
            self.seen.add(found["device"])
            self.put("linux_physical_volume", line.number, found.groupdict())
            return True
        total = _TOTAL.fullmatch(line.squeezed)
        if not total:
            return None
        if int(total["total"]) != len(self.seen):
            self.say(
                line.number,
                f"pvscan counts {total['total']} physical volumes, but {len(self.seen)} stand"
                " above: the capture is not whole",
            )
        self.ended = True
        return False


#: Headings and LVM's own names of the fields below them, as in its JSON.
_SHARED = pairs("""
    VG=vg_name; Start=seg_start; SSize=seg_size; PE=pv_pe_count; Alloc=pv_pe_alloc_count;
    VSize=vg_size; VFree=vg_free; Ext=vg_extent_size; #PV=pv_count; #LV=lv_count; VG UUID=vg_uuid;
    #Str=stripes; Stripe=stripe_size; Type=segtype; Devices=devices
""")
_FIELDS = {
    "pvs": _SHARED
    | pairs("""
        PV=pv_name; Fmt=pv_fmt; Attr=pv_attr; PSize=pv_size; PFree=pv_free; DevSize=dev_size;
        PV UUID=pv_uuid; Used=pv_used; 1st PE=pe_start; PV Tags=pv_tags; LV=lv_name;
        #PMda=pv_mda_count
    """),
    "lvs": _SHARED
    | pairs("""
        LV=lv_name; Attr=lv_attr; LSize=lv_size; Pool=pool_lv; Origin=origin; Data%=data_percent;
        Snap%=snap_percent; Meta%=metadata_percent; Move=move_pv; Log=mirror_log;
        Cpy%Sync=copy_percent; Copy%=copy_percent; Convert=convert_lv; LV UUID=lv_uuid;
        #Seg=seg_count; Path=lv_path; Rahead=lv_read_ahead; KRahead=lv_kernel_read_ahead;
        Region=region_size; Chunk=chunk_size; LV Tags=lv_tags; Maj=lv_major; Min=lv_minor;
        KMaj=lv_kernel_major; KMin=lv_kernel_minor; PE Ranges=seg_pe_ranges
    """),
}


def _any_of(tool: str) -> str:
    # Longer headings before those that they begin with.
    return "|".join(sorted(map(re.escape, _FIELDS[tool]), key=len, reverse=True))


_HEADING = {tool: re.compile(rf"(?:{_any_of(tool)})(?=\s|$)") for tool in _FIELDS}


@dataclass
class Report(TableSection, Volumes):
    """``pvs`` and ``lvs``: a row for each volume, or for each of its segments."""

    ruled = True

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the columns; the first one tells the command."""
        super().begin(line, match)
        self.name = tool = "pvs" if line.words[0] == "PV" else "lvs"
        headings = list(_HEADING[tool].finditer(line.text))
        self.fields = [_FIELDS[tool][each[0]] for each in headings]
        self.places = [each.start() for each in headings]
        #: Whether cells stand below their headings: blanks were not squeezed out of the copy.
        self.aligned = "\t" not in line.text and line.text.strip() != line.squeezed

    def _row(self, line: Line) -> bool:
        cells = self._cells(line)
        if cells is None:
            return False
        fields = dict(zip(self.fields, cells, strict=True))
        fields = {name: text for name, text in fields.items() if text}
        if self.name == "pvs":
            return fields.get("pv_name", "")[:1] in "/[" and self.physical(line.number, fields)
        return self.logical(line.number, fields)

    def _cells(self, line: Line) -> list[str] | None:
        if len(line.words) == len(self.fields):
            return line.words
        if self.fields[:3] == ["pv_name", "vg_name", "pv_fmt"] and line.words[1:2] in (
            ["lvm1"], ["lvm2"],
        ) and len(line.words) == len(self.fields) - 1:  # fmt: skip
            return [line.words[0], "", *line.words[1:]]
        if not self.aligned or "\t" in line.text:
            return None
        if any(line.text[place - 1 : place].strip() for place in self.places):
            return None
        if line.text[: self.places[0]].strip():
            return None
        bounds = pairwise([*self.places, len(line.text) + self.places[-1]])
        return [line.text[start:end].strip() for start, end in bounds]


@dataclass
class LvmJson(JsonOutput, Volumes):
    """``--reportformat json``: physical volumes, logical volumes or their segments."""

    tool = "LVM"
    subject = "volume"

    def has_subject(self, found: Any) -> bool:
        """Whether there is a volume in one of the reports."""
        return any(True for _ in _rows(found))

    def use(self, line: Line, found: Any) -> None:
        """Add a volume for each object; its fields have LVM's own names."""
        for number, (kind, each) in enumerate(_rows(found), 1):
            fields = {name: value for name, value in flat("", each) if value not in ("", "null")}
            self.name = "pvs" if kind == "pv" else "lvs"
            put = self.physical if kind == "pv" else self.logical
            if not put(line.number, fields):
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
SCAN = (Start(_VOLUME.pattern, Scan),)
REPORT = tuple(
    Start(rf"{first}(?: (?:{_any_of(tool)})){{1,60}}", Report)
    for first, tool in (("PV", "pvs"), ("LV", "lvs"))
)
JSON = (
    Start(rf'\{{ ?"report": ?\[ ?\{{ ?{_LIST}.*', LvmJson),
    # In many lines a file is known by one that follows, and the bracket belongs to it.
    Start(r'\{(?: ?"report": ?\[(?: ?\{)?)?', LvmJson, tells=False),
    Start(rf"{_LIST}.{{0,400}}", LvmJson),
)
