"""From runs with different numbers of something to a scalability law, its rows and its words.

A frame of runs has a row per run: ``origin``, ``run_id``, ``series``, ``n`` (how many nodes,
processors or users), ``value`` (what they did). From it come the rows that a chart draws, told
apart by ``part``:

========= ================================================================================
part      a row is
========= ================================================================================
run       one run
mean      the mean of the runs with one N, with Student's interval
curve     the law at one N, with the interval of the law there
beyond    the same beyond the largest N
linear    an end of the line in proportion to the smallest N
residual  one run less the law, as a share of the law
peak      the most by the law, where it is within sight
========= ================================================================================
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from studybook.errors import NeedsData
from studybook.frames.comparison import sample_of
from studybook.frames.figure_data import rounded, spread
from studybook.statistics.digits import borne, ends_borne
from studybook.statistics.intervals import LEVEL, Interval, mean_interval, ratio_interval
from studybook.statistics.profile import DOUBT
from studybook.statistics.scalability import FEWEST, Fit, coherency_p_value, fit
from studybook.study.origin import runs_behind, with_runs

#: Points of a curve between the smallest and the largest N.
POINTS = 14

#: A peak is within sight up to this multiple of the largest N.
SIGHT = 1.5

#: Significant digits of what a law says: as many as the solver is sure of on any machine.
DIGITS = 4

NAMES = {"usl": "Universal Scalability Law", "amdahl": "Amdahl's law"}


@dataclass(frozen=True)
class Laws:
    """Both laws for the runs of a series, and which of them is taken.

    Parameters
    ----------
    usl : Fit or None
        The law with coherency; None with too few different N.
    amdahl : Fit
        The law without.
    against_none : float
        p-value of the coherency: that of so much of it if there is none.
    """

    usl: Fit | None
    amdahl: Fit
    against_none: float

    @property
    def taken(self) -> Fit:
        """The law with coherency where there is evidence of it; else the simpler one."""
        if self.usl is None or self.against_none >= DOUBT:
            return self.amdahl
        return self.usl

    @property
    def peak(self) -> Interval:
        """N of the most that can be done, by the law with coherency where it can be fitted."""
        return (self.usl or self.amdahl).peak_n


def laws(runs: pd.DataFrame, *, level: float = LEVEL) -> dict[tuple[str, str], Laws]:
    """Fit both laws to each series: by origin and series.

    Raises
    ------
    NeedsData
        If no series has enough different N.
    """
    found, short = {}, []
    for (origin, series), own in runs.groupby(["origin", "series"], sort=False):
        n, x = own["n"].to_numpy(dtype=float), own["value"].to_numpy(dtype=float)
        different = sorted(set(n))
        if len(different) < FEWEST["amdahl"]:
            short.append(f"{series}: {', '.join(f'{each:g}' for each in different)}")
            continue
        amdahl = fit(n, x, law="amdahl", level=level)
        usl = fit(n, x, level=level) if len(different) >= FEWEST["usl"] else None
        doubt = 1.0 if usl is None else coherency_p_value(usl, amdahl)
        found[str(origin), str(series)] = Laws(usl, amdahl, doubt)
    if not found:
        raise NeedsData(
            f"A scalability law needs runs with {FEWEST['amdahl']} different N at least, and"
            f" {FEWEST['usl']} for coherency; there are {'; '.join(short) or 'none'}."
        )
    return found


def rows(runs: pd.DataFrame, fitted: Mapping[tuple[str, str], Laws]) -> pd.DataFrame:
    """Return the rows of all parts, for the series that have a law."""
    runs = with_runs(runs)
    parts = [
        _rows_of(runs[(runs["origin"] == origin) & (runs["series"] == series)], both).assign(
            origin=origin, series=series
        )
        for (origin, series), both in fitted.items()
    ]
    return pd.concat(parts, ignore_index=True)


def _rows_of(own: pd.DataFrame, both: Laws) -> pd.DataFrame:
    law = both.taken
    every: list[dict[str, Any]] = []
    n, x = own["n"].to_numpy(dtype=float), own["value"].to_numpy(dtype=float)
    least, most = float(n.min()), float(n.max())
    for row, miss in zip(own.itertuples(), law.residuals / law.at(n), strict=True):
        of = {"n": row.n} | ({"run": row.run} if "run" in own else {})
        every.append({"part": "run", "value": row.value} | of)
        every.append({"part": "residual", "value": _few(float(miss))} | of)
    for place, group in own.groupby("n"):
        interval = mean_interval(sample_of(group["value"]), law.level)
        every.append({"part": "mean", "n": place} | runs_behind(group) | spread(interval))
    peak = law.peak_n.estimate
    reach = peak if most < peak <= SIGHT * most else most
    for place in np.unique([*np.linspace(least, most, POINTS), *n]):
        every.append({"part": "curve", "n": _few(float(place))} | _spread(law, float(place)))
    for place in np.linspace(most, reach, 6) if reach > most else ():
        every.append({"part": "beyond", "n": _few(float(place))} | _spread(law, float(place)))
    if peak <= reach:
        top = _few(law.peak_x.estimate)
        every.append({"part": "peak", "n": _few(peak), "value": top, "label": _spoken(law.peak_n)})
    first = float(np.mean(x[n == least]))
    ends = ((least, ""), (most, "in proportion"))
    base = runs_behind(own[own["n"] == least])
    every += [
        base | {"part": "linear", "n": at, "value": rounded(first * at / least), "label": label}
        for at, label in ends
    ]
    # The law, and all that follows from it, is of all runs.
    all_of_them = runs_behind(own)
    columns = ["origin", *all_of_them, "part", "series", "n", "value", "low", "high", "label"]
    return pd.DataFrame([all_of_them | row for row in every]).reindex(columns=columns)


def efficiency(runs: pd.DataFrame, *, level: float = LEVEL) -> pd.DataFrame:
    """Set what the largest N does against the same multiple of the smallest.

    Returns
    -------
    pandas.DataFrame
        A row per series: ``origin``, ``series``, ``least`` and ``most`` (N), and ``value``, ``low``
        and ``high`` as shares of growth in proportion, by Fieller's theorem.
    """
    found = []
    for (origin, series), own in runs.groupby(["origin", "series"], sort=False):
        least, most = own["n"].min(), own["n"].max()
        over, under = (sample_of(own.loc[own["n"] == place, "value"]) for place in (most, least))
        share = ratio_interval(over, under, level).scaled(float(least / most))
        place = {"origin": origin, "series": series, "least": least, "most": most}
        found.append(place | spread(share))
    return pd.DataFrame(found)


def above_proportion(frame: pd.DataFrame) -> list[Any]:
    """Find the means that lie above growth in proportion, with their whole interval.

    Parameters
    ----------
    frame : pandas.DataFrame
        As of :func:`rows`.

    Returns
    -------
    list of named tuples
        Rows of the frame with ``least``, the N that the proportion is to, and ``share`` of it.
    """
    means = frame[frame["part"] == "mean"]
    first = means.loc[means.groupby(["origin", "series"])["n"].idxmin()]
    first = first[["origin", "series", "n", "value"]].rename(columns={"n": "least"})
    first = first.rename(columns={"value": "first"})
    both = means.merge(first, on=["origin", "series"])
    both["proportion"] = both["first"] * both["n"] / both["least"]
    both["share"] = both["value"] / both["proportion"]
    return list(both[both["low"] > both["proportion"]].itertuples())


def table(fitted: Mapping[tuple[str, str], Laws], unit: str, points: str = "runs") -> pd.DataFrame:
    """Return the parameters of both laws for each series, as texts with intervals.

    Parameters
    ----------
    fitted : mapping
        As of :func:`laws`.
    unit : str
        The unit of the values.
    points : str
        What the laws were fitted to. Predictions of a model have no scatter to hold misses against.
    """
    found = []
    for (_, series), both in fitted.items():
        for law in filter(None, (both.usl, both.amdahl)):
            noise = law.noise
            found.append(
                {
                    points: series,
                    "law": f"{NAMES[law.law]}\n{'drawn' if law is both.taken else ''}",
                    f"one alone, {unit}": _about(law.gamma),
                    "contention α": _about(law.alpha),
                    "coherency β": _about(law.beta) if law.law == "usl" else "none",
                    "peak at": _about(law.peak_n) if law.law == "usl" else "none",
                    f"most, {unit}": _about(law.peak_x),
                    "R²": f"{law.r_squared:.4f}",
                    "misses the means": _lack_of_fit(law),
                    "degrees of freedom": f"{noise.degrees_of_freedom}\n"
                    + (f"by means of {points}" if noise.of_curve else f"by {points}"),
                }
            )
    return pd.DataFrame(found)


def peaks_in_words(fitted: Mapping[tuple[str, str], Laws]) -> str:
    """Say for a title whether any series has a peak."""
    most = {key: float(both.amdahl.n.max()) for key, both in fitted.items()}
    clear = [
        f"{series} has its peak at {_spoken(both.peak)}"
        for (origin, series), both in fitted.items()
        if both.taken.law == "usl" and both.peak.high <= SIGHT * most[origin, series]
    ]
    return "; ".join(clear) or "no peak shows"


def drawn(fitted: Mapping[tuple[str, str], Laws]) -> str:
    """Name the laws that are drawn."""
    return " or ".join(dict.fromkeys(NAMES[both.taken.law] for both in fitted.values()))


def _lack_of_fit(law: Fit) -> str:
    if math.isnan(law.noise.lack_of_fit_p_value):
        return "not known\nno repetitions"
    said = "more than runs scatter" if law.noise.of_curve else "as runs scatter"
    return f"{said}\nF-test: p = {law.noise.lack_of_fit_p_value:.2g}"


def _spread(law: Fit, n: float) -> dict[str, float]:
    found = law.mean_at(n)
    bounds = (found.estimate, found.low, found.high)
    return dict(zip(("value", "low", "high"), map(_few, bounds), strict=True))


def _few(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _about(interval: Interval) -> str:
    """An interval in words; open upward where it has no bound there."""
    estimate, low, high = interval.estimate, interval.low, interval.high
    if math.isinf(estimate) and not math.isfinite(low):
        return "none"
    shown = "none" if math.isinf(estimate) else _digits(estimate)
    if math.isinf(high):
        return f"{shown}\n{_digits(low)} or more"
    if not all(map(math.isfinite, (estimate, low, high))):
        return f"{shown}\n{_digits(low)} to {_digits(high)}"
    # All three end at the place that the interval bears.
    return f"{borne(estimate, low, high, None)}\n{ends_borne(estimate, low, high, None)}"


def _spoken(interval: Interval) -> str:
    first, _, rest = _about(interval).partition("\n")
    return f"{first} ({rest})" if rest else first


def _digits(value: Any) -> str:
    return (
        f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2g}" if value < 1 else f"{value:.3g}"
    )
