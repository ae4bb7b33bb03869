"""pgbench, the benchmark of PostgreSQL."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.pgbench.reader import TABLES, read, recognise

FORMAT = Format("pgbench", "pgbench, as printed", "pgbench", TABLES, recognise, read)
