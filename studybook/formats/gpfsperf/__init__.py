"""gpfsperf, the sample benchmark that comes with GPFS."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.gpfsperf.reader import TABLES, read, recognise

FORMAT = Format("gpfsperf", "gpfsperf (GPFS sample benchmark)", "gpfsperf", TABLES, recognise, read)
