"""Checks on laws that numbers of one run must obey together."""

from __future__ import annotations

from studybook.doctor.data.check import DataCheck

_VIOLATED = """
    WITH measured AS (
        SELECT run_id, string_agg(DISTINCT host, ', ' ORDER BY host) AS hosts
        FROM phase_network
        GROUP BY run_id
    )
    SELECT
        c.run_id,
        -- Other runs may have another script, and machines may be there that no file tells of.
        if(law IN ('Users think as in the other runs', 'What is sent is received'), 2, 1),
        law || coalesce(', ' || host, ''),
        left_name || ' ' || four_digits(left_value) || ' ' || unit || ', ' || right_name || ' '
            || four_digits(right_value) || ' ' || unit || ': ' || why
            || if(law = 'What is sent is received',
                '; counted are ' || hosts || ' and the load driver, and no other machine', ''),
        if(law = 'What is sent is received',
            'the law is of all machines that send to each other: measure those that ' || hosts
                || ' talks to besides, such as a database or a proxy, and list them under hosts in'
                || ' run.yml; if there are none, look whether times and hosts are right', NULL)
    FROM cross_check c
    LEFT JOIN stable_phase p USING (run_id)
    LEFT JOIN measured USING (run_id)
    WHERE verdict = 'violated'
        -- Laws of long runs: in less than a minute users come and go while they are counted.
        AND NOT (law LIKE 'Users %' AND coalesce(p.to_s - p.from_s < 60, false))
"""

#: Little's law for disks: requests under way are rate times time.
_DISKS = """
    WITH mean AS (
        SELECT
            d.run_id, d.host, d.device, count(*) AS intervals,
            mean_over_time(d.queue, d.interval_s) AS queue,
            mean_over_time(d.transfers_per_s * d.await_ms / 1000, d.interval_s) AS in_work
        FROM disk_rate d
        LEFT JOIN stable_phase p USING (run_id)
        WHERE d.interval_s > 0 AND d.queue IS NOT NULL AND d.transfers_per_s IS NOT NULL
            AND d.await_ms IS NOT NULL
            AND (
                p.from_utc IS NULL
                OR within_phase(d.time_utc, d.interval_s, p.from_utc, p.to_utc, d.tool))
        GROUP BY d.run_id, d.host, d.device
    )
    SELECT
        run_id, 2, coalesce(host || ', ', '') || device,
        'a queue of ' || four_digits(queue) || ', but rate × time makes ' || four_digits(in_work)
    FROM mean
    WHERE intervals >= 10 AND greatest(queue, in_work) >= 0.5
        AND greatest(queue, in_work) > 1.5 * least(queue, in_work)
"""

#: Utilisation is a share: the parts of a processor's time make its time.
_SHARES = """
    SELECT
        run_id, 2, coalesce(host, 'host not known') || ' (' || tool || ')',
        count(*) || ' intervals of processors whose parts make '
            || four_digits(min(made)) || ' to ' || four_digits(max(made))
            || ' % of the time, not 100'
    FROM (
        SELECT
            *, user_percent + coalesce(nice_percent, 0) + system_percent
                + coalesce(iowait_percent, 0) + coalesce(steal_percent, 0) + idle_percent AS made
        FROM cpu_use
    )
    WHERE abs(made - 100) > 2
    GROUP BY run_id, host, tool
"""

CHECKS = (
    DataCheck(
        id="law",
        title="Exports of a run contradict each other",
        because=(
            "Two exports count the same, or one bounds the other, and they do not agree: one of"
            " them is of another time, host or unit, or wrong. The page of cross-checks of the book"
            " has all laws (utilisation, Little's law, conservation) and their bounds."
        ),
        do="look whether both are of the same time and hosts (clock-skew, not-covered); do not"
        " publish either number before it is clear",
        ask=_VIOLATED,
    ),
    DataCheck(
        id="disk-queue",
        title="The queue of a disk is not rate × time",
        because=(
            "By Little's law the requests under way are the rate times the time that each takes."
            " It fires where the two are apart by more than a half; kernels and tools are known"
            " that print such columns in a wrong unit or at all wrongly."
        ),
        do="trust neither queue nor time of this disk; give iostat -x or another tool beside it",
        ask=_DISKS,
    ),
    DataCheck(
        id="shares",
        title="The parts of a processor's time do not make 100 %",
        because="Columns are missing or shifted, or counters ran back: its utilisation is wrong.",
        do="look at the lines in the file; studybook inspect shows how it was understood",
        ask=_SHARES,
    ),
)
