"""The time of a context switch, by lmbench and by perf bench."""

from __future__ import annotations

from studybook.formats.context_switch.reader import TABLES, read, recognise
from studybook.formats.contract import Format

FORMAT = Format(
    "context-switch", "lat_ctx of lmbench, and perf bench sched pipe", "context_switch",
    TABLES, recognise, read,
)  # fmt: skip
