"""Checks on requests that failed, or that a load driver leaves out of its response times."""

from __future__ import annotations

from studybook.doctor.data.check import DataCheck

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

CHECKS = (
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
