"""Tables as Parquet, by the mapping of their run."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.mapped.rows import Rows
from studybook.formats.raw import RawFile


def read_parquet(raw: RawFile, out: Reading) -> None:
    """Read Parquet; a line is a row.

    Raises
    ------
    Refused
        If it is damaged, a column of the mapping is not there, or no row can be read.
    """
    rows = Rows(out)
    line = 1
    try:
        with raw.open() as stream, pq.ParquetFile(stream) as table:
            there = list(table.schema_arrow.names)
            rows.check(there, 1)
            wanted = [name for name in rows.mapping.columns if name in there]
            for batch in table.iter_batches(columns=wanted):
                for row in batch.to_pylist():
                    rows.take(line, 1, row, ", ".join(f"{k}={v}" for k, v in row.items()))
                    line += 1
    except (pa.ArrowException, OSError) as error:
        raise Refused(
            f"is no whole Parquet file: {str(error).splitlines()[0][:200]}", "export it again"
        ) from error
    rows.close()
