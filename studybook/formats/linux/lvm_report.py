"""``pvs`` and ``lvs`` of LVM: tables whose columns were chosen by ``-o``; cells may be empty."""

from __future__ import annotations

import re
from itertools import pairwise

from studybook.formats.captures.section import Line, Start, TableSection
from studybook.formats.linux.volumes import Volumes
from studybook.formats.names import pairs

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


class Report(TableSection, Volumes):
    """A row for each volume, or for each of its segments."""

    has_rule = False

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the columns; the first one tells the command."""
        super().begin(line, match)
        self.name = tool = "pvs" if line.words[0] == "PV" else "lvs"
        headings = list(_HEADING[tool].finditer(line.text))
        self.fields = [_FIELDS[tool][each[0]] for each in headings]
        self.places = [each.start() for each in headings]
        #: Whether cells stand below their headings: blanks were not squeezed out of the copy.
        self.aligned = "\t" not in line.text and line.text.strip() != line.squeezed
        self.segments: dict[tuple[str, str], int] = {}

    def take_row(self, line: Line) -> bool:
        """Account for a volume."""
        cells = self._cells(line)
        if cells is None:
            return False
        fields = dict(zip(self.fields, cells, strict=True))
        fields = {name: text for name, text in fields.items() if text}
        if self.name == "pvs":
            taken = fields.get("pv_name", "")[:1] in "/[" and self.physical(line.number, fields)
        else:
            of = (fields.get("vg_name", ""), fields.get("lv_name", ""))
            self.segments[of] = self.segments.get(of, 0) + 1
            taken = self.logical(line.number, fields, self.segments[of])
        return taken

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


def _report(tool: str) -> Start:
    first = "PV" if tool == "pvs" else "LV"
    return Start(re.compile(rf"{first}(?: (?:{_any_of(tool)})){{1,60}}"), Report)


STARTS = (_report("pvs"), _report("lvs"))
