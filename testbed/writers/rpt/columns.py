"""The columns of the reports of Rational Performance Tester, in the order of their tabs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from testbed.course import Counts, Driver, Series
from testbed.writers.rpt.times import Times, pooled, times_of, transactions_of


class Column(NamedTuple):
    """A counter: its path below the host, its values, and where a row has one.

    Values are whole numbers or doubles, and printed as such; ``whole`` says which doubles are
    printed as whole numbers nevertheless.
    """

    path: tuple[str, ...]
    values: Counts | Series
    shown: NDArray[np.bool_]
    whole: NDArray[np.bool_] | None = None


def _users(driver: Driver) -> list[Column]:
    """Return the users at the end of each interval; at last, none is active."""
    total = driver.users + driver.completed_users
    everywhere = np.ones(len(total) + 1, np.bool_)
    levels = {
        "Active Users": np.append(driver.users, 0),
        "Completed Users": np.append(driver.completed_users, total[-1]),
        "Total Users": np.append(total, total[-1]),
    }
    return [
        Column(("Run", name, "Scalar cumulative"), level, everywhere)
        for name, level in levels.items()
    ]


def pages_report(driver: Driver, times_ms: Counts) -> list[Column]:
    """Return the counters of the performance report, in the order of its tabs."""
    names = list(dict.fromkeys(each.page for each in driver.requests))
    # Pages of one name are one to the tool, whatever transactions they are part of.
    pages = {
        name: pooled(
            [times_of(each, driver.interval_s) for each in driver.requests if each.page == name]
        )
        for name in names
    }
    every = pooled(list(pages.values()))
    time, good = ("Pages", "Response Time"), ("Pages", "Goodness")
    return [
        Column((*good, "Percent Goodness For All Pages For Run"), every.percent, every.any),
        *_users(driver),
        Column(("Pages", "Attempts", "Total Page Attempts"), every.tried_so_far, every.begun),
        Column(("Pages", "Hits", "Total Page Hits"), every.hits_so_far, every.begun),
        Column((*time, "Average Response Time For All Pages For Run"), every.mean_ms, every.any),
        Column((*time, "Response Time Standard Deviation For All Pages For Run"),
                every.deviation_ms, every.any),
        Column((*time, "Maximum Response Time For All Pages For Run"), every.max_ms, every.any),
        Column((*time, "Minimum Response Time For All Pages For Run"), every.min_ms, every.any),
        *_times_for_run(time, pages),
        *_counts_for_run(("Pages", "Attempts"), pages, times_ms, tried=True),
        Column((*time, "Average Response Time For All Pages For Interval"),
                every.interval_mean_ms, every.any),
        *_times_for_interval(time, pages),
        *_tries(("Pages", "Attempts"), pages, times_ms),
        Column(("Pages", "Attempts", "Page Attempt Rate For Interval"),
                _per_s(every.tried, times_ms), every.begun),
        Column(("Pages", "Hits", "Page Hit Rate For Interval"),
                _per_s(every.hits, times_ms), every.begun),
        *_counts_for_run(("Pages", "Hits"), pages, times_ms),
        Column((*good, "Total Goodness Count For All Pages For Run"),
                every.hits_so_far, every.any),
        *(Column((*good, name, "Percent Goodness For Run"), page.percent, page.any)
          for name, page in pages.items()),
        *(Column((*good, name, "Scalar cumulative"), page.hits_so_far, page.any)
          for name, page in pages.items()),
    ]  # fmt: skip


def transactions_report(driver: Driver, times_ms: Counts) -> list[Column]:
    """Return the counters of the transaction report.

    No one thinks within a transaction, so the elapsed time and the net server time are equal.
    """
    transactions = {
        name: times_of(each, driver.interval_s)
        for name, each in transactions_of(driver.requests).items()
    }
    completed = ("Transactions", "Completed")
    columns = [
        *_users(driver),
        *_tries(("Transactions", "Attempts"), transactions, times_ms),
        *_counts_for_run(("Transactions", "Attempts"), transactions, times_ms, tried=True),
        *_counts_for_run(completed, transactions, times_ms),
    ]
    for measure in ("Execution Time", "Net Server Time"):
        columns += _times_for_run(("Transactions", measure), transactions)
        columns += _times_for_interval(("Transactions", measure), transactions)
    return columns


def _times_for_run(where: tuple[str, ...], items: dict[str, Times]) -> list[Column]:
    """Return four statistics of the run so far, each of all items; empty without news."""
    return [
        Column((*where, name, statistic), getattr(item, values), item.any)
        for statistic, values in (
            ("Average Cumulative", "mean_ms"),
            ("Min Cumulative", "min_ms"),
            ("Cumulative Standard Deviation", "deviation_ms"),
            ("Max Cumulative", "max_ms"),
        )
        for name, item in items.items()
    ]


def _times_for_interval(where: tuple[str, ...], items: dict[str, Times]) -> list[Column]:
    """Return the means of intervals; that of a single time is printed as a whole number."""
    return [
        Column((*where, name, "Average interval"), item.interval_mean_ms, item.any, item.hits == 1)
        for name, item in items.items()
    ]


def _counts_for_run(
    where: tuple[str, ...], items: dict[str, Times], times_ms: Counts, *, tried: bool = False
) -> list[Column]:
    """Return how many there have been, and per second, from the first one on."""
    counts = {name: item.tried_so_far if tried else item.hits_so_far
              for name, item in items.items()}  # fmt: skip
    return [
        *(Column((*where, name, "Rate For Run"), counts[name] * 1000 / times_ms, item.begun)
          for name, item in items.items()),
        *(Column((*where, name, "Scalar For Run"), counts[name], item.begun)
          for name, item in items.items()),
    ]  # fmt: skip


def _tries(where: tuple[str, ...], items: dict[str, Times], times_ms: Counts) -> list[Column]:
    """Return how many were begun in each interval, and per second."""
    return [
        *(Column((*where, name, "Rate interval"), _per_s(item.tried, times_ms), item.begun)
          for name, item in items.items()),
        *(Column((*where, name, "Scalar interval"), item.tried, item.begun)
          for name, item in items.items()),
    ]  # fmt: skip


def _per_s(counts: Counts, times_ms: Counts) -> Series:
    """Return counts of intervals per second, by the time that has really passed."""
    rates: Series = counts * 1000 / np.diff(times_ms, prepend=0)
    return rates
