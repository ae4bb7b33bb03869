"""Checks on the stable phase: long enough to say what is asked of it, and of one state."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import numpy as np

from studybook.doctor.data.check import Asked, DataCheck, Seen, Weight
from studybook.statistics.batches import batch_sample
from studybook.statistics.intervals import mean_interval
from studybook.statistics.stretch import unlike_stretches
from studybook.text import short

#: A mean that is not known better than that is taken from too short a phase.
_PRECISION = 0.10

_PHASES = """
    SELECT
        p.run_id, p.method, p.steady, p.to_s - p.from_s AS length_s,
        (SELECT median(interval_s) FROM driver_interval d WHERE d.run_id = p.run_id) AS interval_s,
        p.run_id IN (SELECT run_id FROM sample_span) AS of_single,
        (SELECT list(b.value ORDER BY b.batch) FROM metric_batch b
            WHERE b.run_id = p.run_id AND b.metric = 'response_ms') AS batches
    FROM stable_phase p
    WHERE p.run_id IN (SELECT run_id FROM driver_interval)
    ORDER BY p.run_id
"""


def _too_short(asked: Asked) -> Iterator[Seen]:
    """Phases that are too short to say what is asked of them."""
    for run_id, method, steady, length_s, interval_s, of_single, batches in asked.execute(
        _PHASES
    ).fetchall():
        length = "no length" if length_s is None else f"{short(length_s, 4)} s"
        if length_s is None or length_s < max(60, 5 * interval_s):
            found = f"{length}, in intervals of {short(interval_s)} s"
            # Intervals of single requests are ours: how many there are says nothing of the data.
            is_ours = of_single and interval_s <= 10
            least = min(5 * interval_s, 10) if is_ours else 5 * interval_s
            is_none = length_s is None or length_s < least
            weight = Weight.WRONG if is_none else Weight.DOUBTFUL
            yield Seen(run_id, weight, "stable phase", found)
            continue
        if steady is False:
            found = f"{length}, and throughput or response time were still moving"
            yield Seen(run_id, Weight.DOUBTFUL, "stable phase", found, _MOVING)
            continue
        sample = batch_sample(batches, sum(batches) / len(batches)) if batches else None
        if sample and sample.mean > 0:
            interval = mean_interval(sample)
            half = (interval.high - interval.low) / 2 / sample.mean
            if half > _PRECISION:
                found = f"{length}: the mean response time is known to ± {100 * half:.0f} % only"
                yield Seen(run_id, Weight.DOUBTFUL, "stable phase", found)
                continue
        if steady is None and method == "MSER-5":
            found = (
                f"{length}: too few intervals of {short(interval_s)} s to tell whether it is steady"
            )
            yield Seen(run_id, Weight.TO_KNOW, "stable phase", found)


_COURSES = """
    SELECT
        d.run_id, list(d.time_utc ORDER BY d.time_utc) AS times,
        list(d.response_ms ORDER BY d.time_utc) AS response_ms,
        list(d.completed_per_s ORDER BY d.time_utc) AS completed_per_s,
        any_value(p.from_utc) AS from_utc, median(d.interval_s) AS interval_s
    FROM driver_interval d
    JOIN stable_phase p USING (run_id)
    WHERE d.response_ms IS NOT NULL AND d.completed_per_s IS NOT NULL
        AND within_phase(d.time_utc, d.interval_s, p.from_utc, p.to_utc)
    GROUP BY d.run_id
    ORDER BY d.run_id
"""

#: What is half as long again, or half as much, matters; and what lasts for a minute.
_HALF, _LASTING_S = 0.5, 60


def _unlike(asked: Asked) -> Iterator[Seen]:
    """Parts of stable phases in which the system was another than in the rest."""
    for run_id, times, *courses, from_utc, interval_s in asked.execute(_COURSES).fetchall():
        for course, what in zip(courses, ("response times", "completions"), strict=True):
            values = np.array(course, dtype=float)
            for start, end in unlike_stretches(values, _HALF):
                if (end - start) * interval_s < _LASTING_S:
                    continue
                over = float(np.median(values[start:end]) / np.median(values))
                until = times[end - 1]
                began = max(times[start] - timedelta(seconds=interval_s), from_utc)
                found = (
                    f"{what} of {short(over, 2)} times the usual for"
                    f" {short((until - began).total_seconds() / 60, 2)} minutes,"
                    f" {began:%H:%M:%S} to {until:%H:%M:%S} UTC"
                )
                yield Seen(run_id, Weight.DOUBTFUL, "stable phase", found)


_MOVING = (
    "run longer, until caches are filled and queues settled; or set stable_phase in run.yml to the"
    " part that is steady"
)

CHECKS = (
    DataCheck(
        id="phase-short",
        title="The stable phase is too short",
        because=(
            "Chance and warm-up are then in its means. It fires below a minute, and is wrong below"
            " five intervals of a tool, and below ten seconds of single requests at most; where the"
            " 95 % interval of the mean response time, from batches of the phase, is wider than"
            " ± 10 %; and where the phase is still moving, or has too few intervals to tell."
        ),
        do="run longer, or repeat the run: several runs tell more than a long one",
        ask=_too_short,
    ),
    DataCheck(
        id="phase-uneven",
        title="A part of the stable phase is unlike the rest",
        because=(
            "Means over the phase are of two states, and of neither. It fires where response times"
            " or completions, as the middle of a twentieth of the intervals, are half as much again"
            " as the median of the phase, or half of it, for a minute or longer; and further away"
            " than three times the scatter of single intervals."
        ),
        do="see on the page of the run what happened then; repeat the run, or set stable_phase in"
        " run.yml to a part without it",
        ask=_unlike,
    ),
)
