"""Reports of sysstat: what sar prints, what sadf exports, and the files of sadc."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.sar import binary, sadf_csv, sadf_json, sadf_ppc, sadf_xml, text
from studybook.formats.sar.tables import TABLES

FORMATS = [
    Format(
        name, title, "sar", TABLES, module.recognise, module.read,
        binary=module is binary, ends_itself=module in (sadf_json, sadf_xml),
    )
    for name, title, module in (
        ("sar-text", "sar of sysstat, as printed", text),
        ("sar-binary", "binary file of sadc (saDD), read by sadf", binary),
        ("sadf-csv", "sadf -d (semicolons)", sadf_csv), ("sadf-json", "sadf -j (JSON)", sadf_json),
        ("sadf-ppc", "sadf -p (tabs)", sadf_ppc), ("sadf-xml", "sadf -x (XML)", sadf_xml),
    )
]  # fmt: skip
