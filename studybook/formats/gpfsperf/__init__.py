"""gpfsperf, the sample benchmark that comes with GPFS."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.gpfsperf.reader import RUN, read, recognise

FORMAT = Format("gpfsperf", "gpfsperf (GPFS sample benchmark)", "gpfsperf", (RUN,), recognise, read)
