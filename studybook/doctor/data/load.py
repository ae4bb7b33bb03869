"""Checks on the load: one execution, at the level that was meant, all of it there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from studybook.doctor.data.check import Asked, DataCheck, Seen, Weight
from studybook.statistics.executions import Execution, said

#: By so much a phase may go beyond the execution that it is of: a pause is no shorter.
_NEAR = timedelta(minutes=1)


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
)
