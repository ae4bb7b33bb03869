"""Readings of the frame of a what-if: where it bends, what is full there, and what has changed."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd


def keeps_pace(frame: pd.DataFrame, series: Sequence[str], share: float = 0.9) -> pd.DataFrame:
    """Say for each series up to which load throughput grows in step with the users.

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows of :func:`testbed.what_if.predictions` with the throughput among them.
    series : sequence of str
        The columns that tell the series apart.
    share : float
        Throughput per user that counts as in step, as a share of the highest of the series.

    Returns
    -------
    pandas.DataFrame
        The last row of each series that is in step, and as ``then`` the bottleneck of the row
        after it; empty where all are in step.
    """
    simulated = _simulated(frame[frame["quantity"] == "pages_per_s"], "users")
    found = []
    for _, rows in simulated.groupby(list(series), sort=False):
        per_user = rows["value"] / rows["users"]
        in_step = (per_user >= share * per_user.max()).cummin()
        after = rows[~in_step]
        then = "" if after.empty else after["bottleneck"].iloc[0]
        found.append({**rows[in_step].iloc[-1].to_dict(), "then": then})
    return pd.DataFrame(found)


def throughputs(frame: pd.DataFrame, series: str, along: str) -> pd.DataFrame:
    """Return the throughput of each case, as :mod:`studybook.frames.scaling` takes runs.

    A prediction has no repetitions: each is the only row of its place.

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows of :func:`testbed.what_if.predictions` with the throughput among them.
    series, along : str
        The labels that are the series, and how many there were of what brings it about.

    Returns
    -------
    pandas.DataFrame
        One row per case: ``origin``, ``run``, ``series``, ``n``, ``value`` (pages/s).
    """
    found = _simulated(frame[frame["quantity"] == "pages_per_s"], along)
    renamed = found.rename(columns={series: "series", along: "n"})
    return renamed[["origin", "run", "series", "n", "value"]].reset_index(drop=True)


def most(points: pd.DataFrame) -> str:
    """Say for a title at which N each series of :func:`throughputs` does most: by the model."""
    top = points.loc[points.groupby("series", sort=False)["value"].idxmax()]
    return " and ".join(f"at {row.n:g} ({row.series})" for row in top.itertuples())


def bottlenecks(frame: pd.DataFrame, rows: str, columns: str | Sequence[str]) -> pd.DataFrame:
    """Return the busiest station of each case, and how busy it is: a table for readers.

    Parameters
    ----------
    frame : pandas.DataFrame
        Rows of :func:`testbed.what_if.predictions`.
    rows : str
        The label that stands at the left.
    columns : str or sequence of str
        The labels of the other columns.
    """
    heads = [columns] if isinstance(columns, str) else list(columns)
    found = frame[frame["origin"] == "simulated"].drop_duplicates([rows, *heads])
    busiest = [
        f"{station}\n{share:.0f} % busy"
        for station, share in zip(found["bottleneck"], 100 * found["busy"], strict=True)
    ]
    systems = found[heads].astype(str).agg(", ".join, axis="columns")
    table = found.assign(busiest=busiest, system=systems).pivot(
        index=rows, columns="system", values="busiest"
    )
    return table[list(systems.unique())].reset_index()


def change(frame: pd.DataFrame, series: Sequence[str], along: str) -> pd.DataFrame:
    """Return how each quantity of a series changes from its first point to its last, as a share."""
    keys = [*series, "quantity"]
    ends = _simulated(frame, along).groupby(keys, sort=False)["value"].agg(["first", "last"])
    return (ends["last"] / ends["first"] - 1.0).unstack("quantity").reset_index()


def enough(frame: pd.DataFrame, series: Sequence[str], along: str, share: float = 0.01) -> int:
    """Return the point from which on no series differs by more than a share from its last value."""
    needed = []
    for _, rows in _simulated(frame, along).groupby(list(series)):
        last = rows["value"].iloc[-1]
        near = (rows["value"] - last).abs() <= share * last
        # The first point of those at the end that are all near.
        needed.append(rows.loc[near[::-1].cummin()[::-1], along].iloc[0])
    return int(max(needed))


def _simulated(frame: pd.DataFrame, along: str) -> pd.DataFrame:
    return frame[frame["origin"] == "simulated"].sort_values(along, kind="stable")
