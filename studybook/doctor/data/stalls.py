"""Checks on times in which the load stood still: nothing began, or nothing was completed."""

from __future__ import annotations

from collections.abc import Iterator

from studybook.doctor.data.check import Asked, DataCheck, Seen, Weight
from studybook.statistics.omission import percentile, with_omitted
from studybook.text import short

#: A percentile that is so much higher with what was not sent is another one.
_CHANGED = 0.10

#: Requests of the stable phase in the order in which they began; of drivers that keep each.
_REQUESTS = """
    SELECT e.run_id, e.begin_utc, e.end_utc, e.elapsed_ms, p.from_utc, p.to_utc
    FROM (
        SELECT run_id, begin_utc, end_utc, elapsed_ms::DOUBLE AS elapsed_ms
        FROM jtl_ended
        WHERE kind = 'sample'
            AND run_id NOT IN (SELECT run_id FROM jtl_ended WHERE samples > 1)
        UNION ALL
        SELECT run_id, begin_utc, end_utc, elapsed_ms FROM sampled_ended WHERE kind = 'sample'
    ) e
    JOIN stable_phase p USING (run_id)
    WHERE e.begin_utc BETWEEN p.from_utc AND p.to_utc AND e.elapsed_ms IS NOT NULL
"""
#: No request began for a second or longer, where at the usual rate 30 would have; in_work says
#: whether answers were waited for all the time. Where none was, a minute ends an execution.
_STALLS = f"""
    WITH request AS ({_REQUESTS}),
    begun AS (
        SELECT
            *, lag(begin_utc) OVER own AS before_utc,
            max(end_utc) OVER (own ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS busy_until,
            count(*) OVER (PARTITION BY run_id) AS requests,
            (epoch_us(max(begin_utc) OVER (PARTITION BY run_id))
                - epoch_us(min(begin_utc) OVER (PARTITION BY run_id))) / 1e6 AS length_s
        FROM request
        WINDOW own AS (PARTITION BY run_id ORDER BY begin_utc)
    ),
    stall AS (
        SELECT
            *, (epoch_us(begin_utc) - epoch_us(before_utc)) / 1e3 AS stall_ms,
            (epoch_us(busy_until) - epoch_us(before_utc)) / 1e3 >= 0.8 * stall_ms AS in_work
        FROM begun
        WHERE before_utc IS NOT NULL AND length_s > 0
            AND epoch_us(begin_utc) - epoch_us(before_utc) >= 1000000
    )
    SELECT
        run_id, list(stall_ms ORDER BY begin_utc) FILTER (in_work) AS waited,
        list(stall_ms ORDER BY begin_utc) FILTER (NOT in_work AND stall_ms < 60000) AS stood,
        arg_max(before_utc, stall_ms) AS longest_utc,
        any_value(requests) / (any_value(length_s) - sum(stall_ms) / 1000) AS per_s
    FROM stall
    WHERE stall_ms / 1000 * requests / length_s >= 30
    GROUP BY run_id
    HAVING per_s > 0
    ORDER BY run_id
"""
#: The same of drivers that report intervals: nothing was completed in some of the stable phase.
_NOTHING_COMPLETED = """
    WITH counting AS (
        SELECT
            d.run_id, d.time_utc, d.interval_s, d.completed_per_s,
            count(*) FILTER (d.completed_per_s > 0) OVER (
                PARTITION BY d.run_id ORDER BY d.time_utc) AS completed_before,
            sum(d.completed_per_s * d.interval_s) OVER own
                / sum(d.interval_s) OVER own AS usual_per_s
        FROM driver_interval d
        JOIN stable_phase p USING (run_id)
        WHERE within_phase(d.time_utc, d.interval_s, p.from_utc, p.to_utc)
            AND d.run_id NOT IN (SELECT run_id FROM sample_span)
        WINDOW own AS (PARTITION BY d.run_id)
    ),
    -- From one interval with completions to the next: mostly 0 s, unless the load comes in pulses.
    pause AS (
        SELECT
            run_id, coalesce(sum(interval_s) FILTER (completed_per_s = 0), 0) AS stall_s,
            any_value(usual_per_s) AS usual_per_s,
            min(time_utc - to_microseconds((interval_s * 1e6)::BIGINT))
                FILTER (completed_per_s = 0) AS from_utc
        FROM counting
        GROUP BY run_id, completed_before
    ),
    stall AS (
        SELECT *, stall_s * usual_per_s AS missing
        FROM pause
        QUALIFY stall_s >= 1 AND missing >= 30
            AND stall_s > 3 * median(stall_s) OVER (PARTITION BY run_id)
    )
    SELECT
        run_id, 2, 'the load',
        'nothing was completed ' || if(count(*) = 1, 'for ', count(*) || ' times, in all for ')
            || four_digits(sum(stall_s)) || ' s, '
            || if(count(*) = 1, 'from ', 'the longest from ')
            || strftime(arg_min(from_utc, (-stall_s, from_utc)), '%H:%M:%S')
            || ' UTC on, where at the usual rate some '
            || format('{:,d}', sum(missing)::BIGINT) || ' would have been'
    FROM stall
    GROUP BY run_id
"""
_TIMES = f"""
    SELECT elapsed_ms, count(*)::DOUBLE AS samples
    FROM ({_REQUESTS}) WHERE run_id = $run_id GROUP BY elapsed_ms ORDER BY elapsed_ms
"""


def _omitted(asked: Asked) -> Iterator[Seen]:
    """Times in which the driver began nothing, and what they keep out of the percentiles."""
    for run_id, waited, stood, longest, per_s in asked.execute(_STALLS).fetchall():
        before = after = 0.0
        if waited:
            times = asked.execute(_TIMES, {"run_id": run_id}).df()
            measured = times["elapsed_ms"].to_numpy(), times["samples"].to_numpy()
            completed = with_omitted(*measured, waited, per_s)
            before, after = percentile(*measured, 99), percentile(*completed, 99)
        # Where most samples took longer than the stalls, it is no better than it should be.
        if after > before:
            changed = after > (1 + _CHANGED) * before
            found = (
                f"all users waited {_times(waited)}, the longest from {longest:%H:%M:%S} UTC on:"
                f" some {sum(waited) / 1000 * per_s:,.0f} requests were not sent. The 99th"
                f" percentile is {before:,.0f} ms, and {after:,.0f} ms with them"
            )
            weight = Weight.DOUBTFUL if changed else Weight.TO_KNOW
            yield Seen(run_id, weight, "coordinated omission", found)
        if stood:
            found = (
                f"no request began {_times(stood)}, though none was waited for, the longest from"
                f" {longest:%H:%M:%S} UTC on: the load driver itself stood still"
            )
            yield Seen(run_id, Weight.DOUBTFUL, "the load driver", found, _STOOD)


_STOOD = (
    "look at the load driver: its garbage collection, its processors, its log; more memory for it,"
    " or a second one"
)


def _times(stalls_ms: list[float]) -> str:
    total = sum(stalls_ms) / 1000
    if len(stalls_ms) == 1:
        return f"for {short(total)} s"
    longest = short(max(stalls_ms) / 1000)
    return f"{len(stalls_ms)} times, {short(total)} s in all (at most {longest} s)"


CHECKS = (
    DataCheck(
        id="coordinated-omission",
        title="The load driver stood still while the system did",
        because=(
            "While all users wait, nobody comes: the slow moments are in few samples, and high"
            " percentiles look better than what users who come by themselves would meet (G. Tene,"
            " How NOT to measure latency, 2013). It fires where no request began for a second or"
            " longer in the stable phase, though 30 were due; it is doubtful where the 99th"
            " percentile would be more than 10 % higher with the requests that were not sent."
        ),
        do="report the percentile with them, or measure with a driver that sends at a fixed rate"
        " (wrk2, vegeta, k6 constant-arrival-rate)",
        ask=_omitted,
    ),
    DataCheck(
        id="nothing-completed",
        title="Nothing was completed for a while",
        because=(
            "Whoever waited is one in the mean response time, however long it was, and the rate of"
            " the stable phase is of two states. It fires where intervals of the stable phase, of a"
            " second or longer together, have no completion, though 30 were due; not where the load"
            " comes in pulses."
        ),
        do="look for what stood still then (locks, checkpoints, garbage collection), and see the"
        " longest response times; or repeat the run",
        ask=_NOTHING_COMPLETED,
    ),
)
