"""Tables of any kind, as ``run.yml`` or ``study.yml`` maps them to metrics.

No file is recognised as one: which column is what, only a person can say. Of a file that is mapped,
its content tells whether it is CSV, JSON or Parquet.
"""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.mapped.csv_file import read_csv
from studybook.formats.mapped.json_file import read_json
from studybook.formats.mapped.parquet import read_parquet
from studybook.formats.mapped.rows import VALUE
from studybook.formats.raw import Head, RawFile

__all__ = ["MAPPED", "mapped_format"]


def _never(head: Head) -> bool:
    return False


_CSV = Format("mapped-csv", "a table as CSV, mapped", "mapped", (VALUE,), _never, read_csv)
_JSON = Format(
    "mapped-json", "a table as JSON, mapped", "mapped", (VALUE,), _never, read_json,
    ends_itself=True,
)  # fmt: skip
_PARQUET = Format(
    "mapped-parquet", "a table as Parquet, mapped", "mapped", (VALUE,), _never, read_parquet,
    binary=True, ends_itself=True,
)  # fmt: skip

#: The ways in which a mapped table may be written.
MAPPED = (_CSV, _JSON, _PARQUET)


def mapped_format(raw: RawFile) -> Format:
    """How a mapped table is written, by its content."""
    if raw.head.data.startswith(b"PAR1"):
        return _PARQUET
    return _JSON if raw.head.first.lstrip("\ufeff ")[:1] in ("{", "[") else _CSV
