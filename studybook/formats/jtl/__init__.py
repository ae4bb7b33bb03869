"""Results of Apache JMeter: JTL files, as CSV or as XML.

Columns, attributes and their order are those of JMeter's manual (chapter on listeners) and of
the code that writes the files (``CSVSaveService``, ``SampleResultConverter``).
"""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.jtl import csv_file, xml_file
from studybook.formats.jtl.columns import SAMPLE

FORMATS = [
    Format(
        "jtl-csv", "JMeter results (JTL) as CSV", "jtl", (SAMPLE,),
        csv_file.recognise, csv_file.read, "documented",
    ),
    Format(
        "jtl-xml", "JMeter results (JTL) as XML", "jtl", (SAMPLE,),
        xml_file.recognise, xml_file.read, "documented", ends_itself=True,
    ),
]  # fmt: skip
