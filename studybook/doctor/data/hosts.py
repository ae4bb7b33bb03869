"""Checks on hosts: those without data, and those that run.yml does not know."""

from __future__ import annotations

from studybook.doctor.data.check import DataCheck
from studybook.doctor.data.setups import SETUPS

#: Hosts with data of a run, by the short names under which captures may know them.
_WITH_DATA = """
    with_data AS (
        SELECT DISTINCT run_id, host FROM coverage WHERE host IS NOT NULL
        UNION
        SELECT DISTINCT run_id, host FROM guest_cpu WHERE host IS NOT NULL
    )
"""

#: The hosts of a group, and of more than a person reads the first.
_NAMES = """
            array_to_string(list_sort(list(DISTINCT host))[:20], ', ')
            || if(
                count(DISTINCT host) > 20, format(' and {:,} more', count(DISTINCT host) - 20), ''
            )
"""

_WITHOUT_DATA = f"""
    WITH {_WITH_DATA},
    -- Load drivers tell of themselves by their results, and storage by nothing.
    expected AS (
        SELECT h.run_id, h.host
        FROM host h
        JOIN run r USING (run_id)
        WHERE r.kind = 'measurement' AND h.kind NOT IN ('load-driver', 'storage')
            AND h.run_id IN (SELECT run_id FROM with_data)
    )
    SELECT
        run_id, 2, 'hosts in run.yml',
        'without any data: ' || {_NAMES}
    FROM expected
    ANTI JOIN with_data USING (run_id, host)
    GROUP BY run_id
"""

#: Runs of one setup that were recorded alike but for one host.
_NOT_AS_OTHERS = f"""
    WITH {SETUPS},
    recorded AS (
        SELECT DISTINCT s.study, s.setup, run_id, c.source, c.host
        FROM coverage c JOIN of_setup s USING (run_id)
        WHERE c.host IS NOT NULL
    ),
    usual AS (
        SELECT study, setup, source, host, count(*) AS having, of_all.runs
        FROM recorded
        JOIN (SELECT study, setup, count(*) AS runs FROM of_setup GROUP BY ALL) of_all
            USING (study, setup)
        GROUP BY study, setup, source, host, of_all.runs
        HAVING of_all.runs > 2 AND count(*) < of_all.runs AND count(*) >= 0.65 * of_all.runs
    )
    SELECT
        s.run_id, 2, u.host,
        'nothing of it by ' || u.source || ', which ' || u.having || ' of ' || u.runs
            || ' runs of this setup have'
    FROM usual u
    JOIN of_setup s USING (study, setup)
    ANTI JOIN recorded r ON r.run_id = s.run_id AND r.source = u.source AND r.host = u.host
"""

_CAPTURED = f"""
    WITH {_WITH_DATA},
    of_study AS (
        SELECT DISTINCT r.study, short_name(w.host) AS host
        FROM with_data w
        JOIN run r USING (run_id)
    ),
    captured AS (
        SELECT run_id, node AS host FROM cluster_node WHERE node IS NOT NULL
        UNION
        SELECT f.run_id, f.host FROM raw_file f
        WHERE f.host IS NOT NULL AND f.source IN ('linux', 'scale')
    ),
    missing AS (
        SELECT r.study, c.run_id, c.host
        FROM captured c
        JOIN run r USING (run_id)
        LEFT JOIN host h ON h.run_id = c.run_id AND short_name(h.host) = short_name(c.host)
        WHERE r.study IN (SELECT study FROM of_study)
            AND coalesce(h.kind, '') NOT IN ('load-driver', 'storage', 'hypervisor')
            AND (r.study, short_name(c.host)) NOT IN (SELECT (study, host) FROM of_study)
    )
    SELECT
        run_id, 2, 'hosts in captures',
        'without data in any run of ' || study || ': '
            || {_NAMES}
    FROM missing
    GROUP BY run_id, study
"""

_WITHOUT_ROLE = """
    WITH told AS (
        SELECT
            run_id, host, min(name_in_run(file, run_id)) AS file, min(source) AS source
        FROM coverage
        WHERE source NOT IN (FROM timed_driver)
        GROUP BY run_id, host
    )
    SELECT
        t.run_id, 2, t.host,
        'is in ' || t.file || ', and not among the hosts of run.yml'
            || coalesce(', which has ' || any_value(n.host), '')
    FROM told t
    ANTI JOIN host h ON h.run_id = t.run_id AND h.host = t.host
    LEFT JOIN host n ON n.run_id = t.run_id AND short_name(n.host) = short_name(t.host)
    WHERE t.host IS NOT NULL
    GROUP BY t.run_id, t.host, t.file
    UNION ALL
    -- A table that run.yml maps need not be of a host.
    SELECT t.run_id, 2, t.file, 'neither the file nor run.yml says of which host it is'
    FROM told t
    WHERE t.host IS NULL AND t.source <> 'mapped'
"""

#: What studybook add writes where nothing tells the role of one host from that of another.
_ONE_ROLE = f"""
    WITH {_WITH_DATA}
    SELECT h.run_id, 3, 'roles in run.yml', 'other: ' || string_agg(h.host, ', ' ORDER BY h.host)
    FROM host h
    JOIN with_data USING (run_id, host)
    WHERE h.role = 'other'
    GROUP BY h.run_id
    HAVING count(*) > 1
"""

_TWICE = """
    WITH told AS (
        SELECT
            s.run_id, s.host, r.file_id, r.interval_s, r.idle_percent,
            utc_of_pass(r.time_utc, r.time_local, r.set_back, s.zone, s.clock_offset_s) AS time_utc
        FROM (
            SELECT
                file_id, report_no, time_utc, time_local, set_back, interval_s, idle_percent
            FROM sar_cpu WHERE cpu = 'all'
            UNION ALL
            SELECT
                file_id, report_no, time_utc, time_local, set_back, interval_s, idle_percent
            FROM sar_cpu_all WHERE cpu = 'all'
        ) r
        JOIN sar_source s USING (file_id, report_no)
    )
    SELECT
        a.run_id, 1, a.host,
        name_in_run(f.name, a.run_id) || ' and ' || name_in_run(g.name, a.run_id)
            || ' disagree on its processors at ' || differ || ' of ' || count(*) || ' moments'
    FROM (
        SELECT a.*, b.file_id AS other_id,
            -- Rounding, and intervals that begin a moment apart, make less.
            count(*) FILTER (abs(a.idle_percent - b.idle_percent) > 1)
                OVER (PARTITION BY a.run_id, a.host, a.file_id, b.file_id) AS differ
        FROM told a
        JOIN told b USING (run_id, host, time_utc, interval_s)
        WHERE a.file_id < b.file_id
    ) a
    JOIN raw_file f ON f.file_id = a.file_id
    JOIN raw_file g ON g.file_id = a.other_id
    GROUP BY a.run_id, a.host, f.name, g.name, differ
    HAVING differ > count(*) / 2
"""

CHECKS = (
    DataCheck(
        id="one-name-for-two",
        title="Two hosts have one name",
        because=(
            "Of two values for one host and moment one counts: the other host is lost. It fires"
            " where two files of sar disagree on the processors at most of the moments that both"
            " have."
        ),
        do="name the host of each file in run.yml (host: under files), and list both under hosts",
        ask=_TWICE,
    ),
    DataCheck(
        id="host-without-role",
        title="A host with data has no role",
        because=(
            "Figures, laws and goals that go by roles leave it out. It fires for hosts in raw"
            " exports that run.yml does not list, and for files of which nobody says the host."
        ),
        do="list the host with its role under hosts in run.yml, or name it as the host of the file",
        ask=_WITHOUT_ROLE,
    ),
    DataCheck(
        id="roles-as-added",
        title="Several hosts have the role “other”",
        because=(
            "studybook add writes it where no file tells what a host is for. Figures, laws and"
            " goals that go by roles take such hosts for alike."
        ),
        do="write the role of each under hosts in run.yml, in a word of yours, such as web or db",
        ask=_ONE_ROLE,
    ),
    DataCheck(
        id="host-without-data",
        title="A host of the run has no data",
        because=(
            "What it did is not known: sums over hosts lack it, and if it limits the system,"
            " nothing shows it. It fires for hosts in run.yml but load drivers and storage."
        ),
        do="add its files, or take it out of run.yml if it had no part",
        ask=_WITHOUT_DATA,
    ),
    DataCheck(
        id="not-as-others",
        title="A host was not recorded as in other runs of the setup",
        because=(
            "Sums over hosts, such as what disks did, are of fewer hosts there, and look like a"
            " change. It fires where at least two of three runs of a setup, and not all, have data"
            " of a tool of a host."
        ),
        do="look for its file: it may be empty, or of another name; else leave the run out of"
        " comparisons of sums",
        ask=_NOT_AS_OTHERS,
    ),
    DataCheck(
        id="captured-without-data",
        title="A host in captured settings has no data",
        because=(
            "It belongs to the system, as its captures say, and no run of the study tells what it"
            " did."
        ),
        do="record it, too; if it has another name in the data, name it alike in run.yml",
        ask=_CAPTURED,
    ),
)
