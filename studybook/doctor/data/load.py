"""Checks on the load: one execution, at the level that was meant, not held up, all of it there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from studybook.doctor.data.check import Asked, DataCheck, Seen, Weight
from studybook.statistics.executions import Execution, said
from studybook.statistics.omission import percentile, with_omitted
from studybook.text import short

#: By so much a phase may go beyond the execution that it is of: a pause is no shorter.
_NEAR = timedelta(minutes=1)

#: A percentile that is so much higher with what was not sent is another one.
_CHANGED = 0.10


def _executions(asked: Asked) -> Iterator[Seen]:
    """Loads that stopped and began again, but where run.yml says which part counts."""
    phases = {
        run_id: phase
        for run_id, *phase in asked.execute(
            "SELECT run_id, from_utc, to_utc, start_utc, method FROM stable_phase"
        ).fetchall()
    }
    of_run: dict[str, list[tuple[Execution, bool]]] = defaultdict(list)
    for run_id, *times, counts in asked.execute(
        "SELECT run_id, from_utc, to_utc, counts FROM driver_execution ORDER BY ALL"
    ).fetchall():
        of_run[run_id].append((Execution(*times), counts))
    for run_id, told in of_run.items():
        if run_id not in phases:
            continue
        from_utc, to_utc, start_utc, method = phases[run_id]
        found = [each for each, _ in told]
        within = sum(each.first < to_utc and each.last > from_utc for each in found)
        inside = any(
            each.first - _NEAR <= from_utc and to_utc <= each.last + _NEAR for each in found
        )
        if inside and method in ("run.yml", "parameter of the notebook"):
            continue
        stands = f"has part in {within or 'none'}" + " and the pause beside it" * (within == 1)
        if inside:
            stands = "is of the longest alone: what the others gave counts nowhere"
        ((longest, _),) = (each for each in told if each[1])
        from_s, to_s = ((at - start_utc) // timedelta(seconds=1) for at in longest)
        yield Seen(
            run_id, Weight.WRONG, "the load",
            f"{said(found)} UTC; the stable phase ({from_utc:%m-%d %H:%M}–{to_utc:%m-%d %H:%M})"
            f" {stands}",
            "give each execution a run of its own, with its part of the log; or say in run.yml"
            " which part counts, such as that of the longest: stable_phase:"
            f" {{from_s: {from_s}, to_s: {to_s}}}",
        )  # fmt: skip


_USERS = """
    WITH reached AS (
        SELECT run_id, max(users) AS users, max(users) AS most FROM driver_interval GROUP BY run_id
        UNION ALL
        SELECT run_id, max(connections), max(connections) FROM load_run GROUP BY run_id
        UNION ALL
        -- Of a short run the intervals may miss the moment with the most.
        SELECT run_id, NULL, sum(threads)
        FROM (
            SELECT run_id, file_id, engine, max(all_threads) AS threads
            FROM jtl_ended
            GROUP BY run_id, file_id, engine
            UNION ALL
            SELECT run_id, file_id, NULL, max(users)
            FROM locust_added
            WHERE is_total
            GROUP BY run_id, file_id
        )
        GROUP BY run_id
    ),
    of_run AS (
        SELECT run_id, max(users) AS users, max(most) AS most FROM reached GROUP BY run_id
    )
    SELECT
        r.run_id, if(r.most < f.number, 1, 2), 'users',
        'run.yml says ' || f.value || ', the load driver had '
            || if(r.most < f.number, 'never more than ' || four_digits(r.most),
                  'up to ' || four_digits(r.users))
    FROM of_run r
    JOIN factor f ON f.run_id = r.run_id AND f.name = 'users'
    -- One in a hundred may still be logging in.
    WHERE f.number > 0 AND (r.most < 0.99 * f.number OR r.users > 1.01 * f.number)
"""

_DRIVER_BUSY = """
    WITH in_phase AS (
        SELECT c.run_id, c.host, c.cpu, mean_over_time(c.busy_percent, c.interval_s) AS busy
        FROM cpu_use c
        JOIN host h ON h.run_id = c.run_id AND h.host = c.host AND h.kind = 'load-driver'
        JOIN stable_phase p ON p.run_id = c.run_id
        WHERE c.interval_s > 0
            AND within_phase(c.time_utc, c.interval_s, p.from_utc, p.to_utc, c.tool)
        GROUP BY c.run_id, c.host, c.cpu
    )
    SELECT
        run_id, 2, host,
        string_agg(
            if(cpu = 'all', 'its processors are', 'its processor ' || cpu || ' is')
                || printf(' busy %.0f %% of the stable phase', busy), '; ' ORDER BY cpu DESC)
    FROM in_phase
    WHERE busy >= if(cpu = 'all', 80, 95)
    GROUP BY run_id, host
    UNION ALL
    SELECT
        run_id, 1, 'k6',
        printf('%.0f', dropped) || ' iterations dropped, that should have begun; '
            || printf('%.0f', begun) || ' were done'
    FROM (
        SELECT
            f.run_id, sum(s.value) FILTER (s.metric = 'dropped_iterations') AS dropped,
            sum(s.value) FILTER (s.metric = 'iterations') AS begun
        FROM k6_sample s
        JOIN raw_file f USING (file_id)
        WHERE s.metric IN ('dropped_iterations', 'iterations')
        GROUP BY f.run_id
    )
    WHERE dropped > 0
    UNION ALL
    -- Of a rate that is held (-R) with a limit of the latency.
    SELECT
        f.run_id, if(p.skipped >= 0.01 * (p.skipped + coalesce(p.responses, 0)), 1, 2),
        'pgbench, ' || name_in_run(f.name, f.run_id),
        'transactions skipped, for all clients were busy beyond the limit of the latency: '
            || p.skipped || coalesce('; done: ' || p.responses, '')
    FROM pgbench_run p
    JOIN raw_file f USING (file_id)
    WHERE p.skipped > 0
    UNION ALL
    -- wrk2 counts from when a request was due; where that is long before it was sent, it lags
    -- behind the rate that was asked for.
    SELECT
        f.run_id, 1, 'wrk2, ' || name_in_run(f.name, f.run_id),
        'half of the requests were answered ' || four_digits(due_ms) || ' ms or longer after they'
            || ' were due, and ' || four_digits(sent_ms) || ' ms after they were sent'
    FROM (
        SELECT
            file_id, run_no, max(response_ms) FILTER (measure = 'response time') AS due_ms,
            max(response_ms) FILTER (measure = 'uncorrected') AS sent_ms
        FROM wrk_percentile
        WHERE percent = 50
        GROUP BY file_id, run_no
    ) e
    JOIN raw_file f USING (file_id)
    WHERE due_ms >= 10 * sent_ms AND due_ms - sent_ms >= 1000
"""

_NOT_IN_HISTORY = """
    WITH history AS (
        SELECT run_id, count(*) AS files, sum(requests)::BIGINT AS requests
        FROM (
            -- Since the statistics were reset, if they were, and so are those of the whole run.
            SELECT run_id, file_id, arg_max(total_requests, line) AS requests
            FROM locust_added
            WHERE is_total
            GROUP BY run_id, file_id
        )
        GROUP BY run_id
    ),
    whole AS (
        SELECT f.run_id, count(*) AS files, sum(t.requests)::BIGINT AS requests
        FROM locust_total t
        JOIN raw_file f USING (file_id)
        WHERE t.is_total
        GROUP BY f.run_id
    )
    SELECT
        run_id, 2, 'Locust',
        'its history has ' || h.requests || ' of the ' || w.requests
            || ' requests of the whole run',
        'see numbers of the whole run, which have all of them; have users stop in time'
            || ' (--stop-timeout)'
    FROM history h
    JOIN whole w USING (run_id)
    WHERE h.requests < 0.99 * w.requests AND h.files = w.files
    UNION ALL
    SELECT
        run_id, 2, 'pgbench',
        'its progress has ' || h.requests || ' of the ' || w.completed
            || ' transactions of the whole run', ''
    FROM (
        SELECT run_id, round(sum(completed_per_s * interval_s))::BIGINT AS requests
        FROM progress_interval
        WHERE tool = 'pgbench'
        GROUP BY run_id
    ) h
    JOIN load_run w USING (run_id)
    WHERE w.tool = 'pgbench' AND w.executions = 1 AND h.requests < 0.99 * w.completed
"""

#: The 99th percentile is given up to 0.1 %, by load_run.
_LEFT_OUT = """
    SELECT
        run_id, if(left_out_percent > 0.1, 2, 3), tool || ', ' || name_in_run(file, run_id),
        four_digits(left_out_percent) || ' % of the responses took longer than its timeout, and'
            || ' are in none of its response times'
    FROM load_run
    WHERE left_out_percent > 0
"""

#: Of each tool and part of the run: all together, and names of which more failed. What is counted
#: as requests and in other words, too, such as transactions, is told once.
_FAILED = """
    WITH counted AS (
        SELECT
            run_id, own['label'] AS label, own['kind'] AS kind, execution, value AS percent,
            tool || ', ' || of_part AS part
        FROM label_metric
        WHERE metric = 'error_percent'
        QUALIFY dense_rank() OVER (
            PARTITION BY run_id, part
            ORDER BY coalesce(list_position(
                ['sample', 'transaction', 'iteration', 'page'], own['kind']), 9), own['kind']) = 1
    ),
    told AS (
        FROM counted
        WHERE percent >= 1
        QUALIFY label = 'all' OR execution IS NOT NULL OR percent > 1.5 * coalesce(
            max(percent) FILTER (label = 'all') OVER (PARTITION BY run_id, part), 0)
    ),
    named AS (
        SELECT
            *, label = 'all' OR execution IS NOT NULL AS is_whole,
            if(percent > 99 AND percent < 100, 'more than 99 %', printf('%.0f %%', percent))
                || ' of ' || coalesce(
                    execution,
                    if(label <> 'all', label, if(kind = 'sample', 'requests', kind || 's'))
                        || ' (' || part || ')') AS said,
            row_number() OVER (
                PARTITION BY run_id ORDER BY NOT is_whole, percent DESC, part, label) AS place
        FROM told
    ),
    reason AS (
        SELECT run_id, arg_max(why, (failed, why)) AS why
        FROM (
            SELECT f.run_id, concat_ws(', ', f.code, f.failure) AS why, sum(f.failed) AS failed
            FROM driver_failure f
            SEMI JOIN named n ON n.run_id = f.run_id AND (n.is_whole OR n.label = f.label)
            WHERE f.code IS NOT NULL OR f.failure IS NOT NULL
            GROUP BY ALL
        )
        GROUP BY run_id
    )
    SELECT
        n.run_id, if(max(percent) FILTER (is_whole) >= 10, 1, 2), 'the load',
        string_agg(said, '; ' ORDER BY place) FILTER (place <= 4)
            || if(max(place) > 4, '; and ' || max(place) - 4 || ' more', '')
            || coalesce('. Over the whole run, most often: ' || any_value(
                if(length(why) > 100, why[:100] || '…', why)), '')
    FROM named n
    LEFT JOIN reason USING (run_id)
    GROUP BY n.run_id
"""

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
        id="executions",
        title="A log holds several executions",
        because=(
            "Means over pauses and several ramps are of no state that the system was ever in. The"
            " stable phase is looked for in the longest alone; that this is the one that was meant,"
            " nothing says. It fires where nothing ended for a minute or longer though 20 requests"
            " were due, while no answer was waited for; or where all but a tenth of the users went"
            " away; and the load began again."
        ),
        do="give each execution a run of its own, or set stable_phase in run.yml within one",
        ask=_executions,
    ),
    DataCheck(
        id="users",
        title="The users are not as many as run.yml says",
        because=(
            "The run stands in figures at a level that it never had. It fires beyond 1 %, between"
            " the factor users and the most users (connections) that the load driver had."
        ),
        do="correct users under factors in run.yml, or repeat the run until all users are"
        " logged in",
        ask=_USERS,
    ),
    DataCheck(
        id="driver-saturated",
        title="The load driver could not give the load",
        because=(
            "What is measured then is the driver, and its response times hold its own queues. It"
            " fires where its processors are busy for more than 80 % of the stable phase (one of"
            " them more than 95 %), where k6 dropped iterations or pgbench skipped transactions,"
            " and where wrk2 sent half of its requests a second or more after they were due. What"
            " was not begun is in no response time."
        ),
        do="give the driver more processors or connections, use several, or ask for less; then"
        " repeat the run",
        ask=_DRIVER_BUSY,
    ),
    DataCheck(
        id="not-in-history",
        title="The history of the load ends before the run does",
        because=(
            "Requests that end after its last row, while users are stopped, are in no interval: the"
            " slowest, most often. It fires where Locust's _stats.csv counts more than one in a"
            " hundred that _stats_history.csv does not, or the summary of pgbench more than its"
            " progress."
        ),
        do="see numbers of the whole run, which have all of them",
        ask=_NOT_IN_HISTORY,
    ),
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
    DataCheck(
        id="timed-out",
        title="The load driver leaves the slowest requests out of its response times",
        because=(
            "What it prints is then of the others, and looks better the more took too long: a"
            " system that answers more of them in time seems slower. wrk leaves out what took"
            " longer than its --timeout, of 2 s. The mean and the longest are not given where it"
            " left out any, a percentile where that is more than a tenth of those above it; it is"
            " doubtful where that is so of the 99th."
        ),
        do="repeat the run with a --timeout that no request reaches; or compare requests per second"
        " and errors only",
        ask=_LEFT_OUT,
    ),
    DataCheck(
        id="failed",
        title="Requests failed",
        because=(
            "A failure may be answered at once, or after a timeout only; rates and response times"
            " hold it like an answer. It fires where one in a hundred failed, of all or of those of"
            " one name, and is wrong where it was one in ten of all."
        ),
        do="see what failed in the table of that name on the page of the run; repeat the run"
        " when that is mended, or say beside its numbers that they have failures in them",
        ask=_FAILED,
    ),
)
