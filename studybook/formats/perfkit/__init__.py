"""Reports of the z/VM Performance Toolkit: printed listings and screens, FCX100 and so on.

They are read by heading, not by place: see :mod:`studybook.formats.perfkit.columns`.
"""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.perfkit.reader import read, recognise
from studybook.formats.perfkit.tables import TABLES

FORMATS = [
    Format(
        name="perfkit", title="z/VM Performance Toolkit reports (FCXnnn), printed or from a screen",
        source="perfkit", tables=TABLES, recognise=recognise, read=read, certainty="from memory",
    )
]  # fmt: skip
