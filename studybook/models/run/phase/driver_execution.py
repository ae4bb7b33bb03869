"""The executions of loads that stopped and began again; of a load that went on there are none.

The longest counts, the first of equal ones: a mean over a pause would say nothing of either.
"""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

from studybook.statistics.executions import executions

READS = ("driver_rate",)

SCHEMA = pa.schema(
    [
        ("run_id", pa.string()),
        ("execution_no", pa.int64()),
        ("from_utc", pa.timestamp("us")),
        ("to_utc", pa.timestamp("us")),
        ("counts", pa.bool_()),
    ]
)


def rows(ask: Callable[[str], pa.Table]) -> pa.Table:
    """Tell the executions of all runs apart.

    Parameters
    ----------
    ask : callable
        Gives the rows of a query.
    """
    intervals = ask(
        """
        SELECT
            run_id, time_utc, interval_s, completed_per_s * interval_s AS completed,
            response_ms / 1000 AS response_s, users::DOUBLE AS users
        FROM driver_rate
        ORDER BY run_id, time_utc
        """
    ).to_pandas()
    found = []
    for run_id, of_run in intervals.groupby("run_id", sort=True):
        own = executions(*(of_run[name].to_numpy() for name in of_run.columns[1:]))
        if len(own) < 2:
            continue
        longest = max(own, key=lambda each: each.last - each.first)
        found += [
            {
                "run_id": str(run_id),
                "execution_no": number,
                "from_utc": each.first,
                "to_utc": each.last,
                "counts": each is longest,
            }
            for number, each in enumerate(own)
        ]
    return pa.Table.from_pylist(found, schema=SCHEMA)
