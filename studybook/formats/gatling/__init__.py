"""Results of Gatling: ``simulation.log``, as text (to release 3.12) or binary (since 3.13).

Records of release 3 are those of the code that writes them (``LogFileDataWriter``); those of
release 2.2 and 2.3 are concluded from programs that read them. No file was seen.
"""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.gatling import reader
from studybook.formats.gatling.reader import TABLES

FORMATS = [
    Format(
        "gatling-log", "Gatling results (simulation.log) as text, to 3.12", "gatling", TABLES,
        reader.recognise, reader.read, "documented",
    ),
    Format(
        "gatling-binary", "Gatling results (simulation.log) since 3.13: refused", "gatling", TABLES,
        reader.recognise_binary, reader.refuse_binary, "inferred", binary=True,
    ),
]  # fmt: skip
