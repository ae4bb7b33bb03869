"""Reports of sysstat: what sar prints, what sadf exports, and the files of sadc."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.sar import binary, sadf_csv, sadf_json, sadf_ppc, sadf_xml, text

FORMATS: list[Format] = [
    each.FORMAT for each in (text, binary, sadf_csv, sadf_json, sadf_ppc, sadf_xml)
]
