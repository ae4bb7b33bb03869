"""mdtest: rates of operations on metadata, as printed."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.mdtest.reader import LAUNCHED, TABLES, read, recognise

FORMAT = Format(
    "mdtest", "mdtest, as printed", "mdtest", TABLES, recognise, read, banner=LAUNCHED.pattern
)
