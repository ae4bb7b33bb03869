"""The batch means of throughput and response time while all users are logged in.

For each batch the statistic of MSER if those before it are dropped, and whether it is the first
that counts. Dropped are none where a driver has no users: all its intervals count.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from studybook.statistics.mser import BATCH, batch_means, mser, truncation

READS = ("driver_interval",)

#: Series, and the column of the intervals that each is made of.
SERIES = {"throughput": "completed_per_s", "response time": "response_ms"}

SCHEMA = pa.schema(
    [
        ("run_id", pa.string()),
        ("series", pa.string()),
        ("batch", pa.int64()),
        ("from_utc", pa.timestamp("us")),
        ("to_utc", pa.timestamp("us")),
        ("mean", pa.float64()),
        ("dropped", pa.int64()),
        ("batches", pa.int64()),
        ("mser", pa.float64()),
        ("first", pa.bool_()),
        ("steady", pa.bool_()),
    ]
)


def rows(ask: Callable[[str], pa.Table]) -> pa.Table:
    """Compute the batches of all runs.

    Parameters
    ----------
    ask : callable
        Gives the rows of a query.
    """
    intervals = ask(
        """
        SELECT run_id, time_utc, epoch_us(time_utc) AS to_us,
            epoch_us(time_utc) - (interval_s * 1000000)::BIGINT AS from_us,
            completed_per_s, response_ms
        FROM driver_interval
        QUALIFY time_utc BETWEEN min(time_utc) FILTER (logged_in) OVER (PARTITION BY run_id)
            AND max(time_utc) FILTER (logged_in) OVER (PARTITION BY run_id)
        ORDER BY run_id, time_utc
        """
    ).to_pandas()
    found = []
    for run_id, of_run in intervals.groupby("run_id", sort=True):
        number = np.arange(len(of_run)) // BATCH
        for series, column in SERIES.items():
            found += _batches(str(run_id), series, of_run.assign(number=number), column)
    return pa.Table.from_pylist(found, schema=SCHEMA)


def _batches(run_id: str, series: str, of_run: object, column: str) -> list[dict[str, object]]:
    """The batches of one series of a run; one that lacks a value is none."""
    known = of_run[of_run[column].notna()]  # type: ignore[index]  # pandas has no rows of its own
    sizes = known.groupby("number")[column].transform("size")
    whole = known[sizes == BATCH]
    if whole.empty:
        return []
    means = batch_means(whole[column].to_numpy(dtype=float))
    found = truncation(means)
    times = whole.groupby("number")
    return [
        {
            "run_id": run_id,
            "series": series,
            "batch": int(batch),
            "from_utc": int(from_us),
            "to_utc": int(to_us),
            "mean": float(mean),
            "dropped": dropped,
            "batches": len(means),
            "mser": float(statistic),
            "first": dropped == found.dropped,
            "steady": found.steady,
        }
        for dropped, (batch, from_us, to_us, mean, statistic) in enumerate(
            zip(
                times.groups,
                times["from_us"].min(),
                times["to_us"].max(),
                means,
                mser(means),
                strict=True,
            )
        )
    ]
