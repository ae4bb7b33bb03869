"""Checks on files: what is not in the database, or there twice."""

from __future__ import annotations

from collections.abc import Iterator

from studybook.doctor.data.check import Asked, DataCheck, Seen, Weight
from studybook.formats.contract import CUT, UNPLACED
from studybook.records.ledger import LEFT_OUT
from studybook.text import counted

_LEFT_OUT = """
    SELECT run_id, 2, name_in_run(name, run_id), split_part(reason, chr(10), 1)
    FROM refused_file
"""

_AT_NO_MOMENT = f"""
    SELECT run_id, 2, name_in_run(name, run_id), text, ''
    FROM remark
    JOIN raw_file USING (file_id)
    WHERE contains(text, '{UNPLACED}')
    UNION ALL
    -- Numbers of the whole are there; but not what hosts did meanwhile, apart from the rest.
    SELECT
        f.run_id,
        if(f.run_id IN (SELECT run_id FROM coverage)
            AND f.run_id NOT IN (SELECT run_id FROM driver_interval), 2, 3),
        name_in_run(f.name, f.run_id),
        p.intervals || if(p.intervals = 1, ' interval', ' intervals')
            || ' of progress, in seconds since a start that nothing tells',
        concat_ws('; ',
            if(e.executions > 1, 'give each execution a run of its own, with its start in run.yml',
               'say start of the run in run.yml'),
            if(p.tool = 'pgbench', 'or let pgbench print times (--progress-timestamp)', NULL))
    FROM (
        SELECT 'pgbench' AS tool, file_id, count(*) AS intervals
        FROM pgbench_interval WHERE time_utc IS NULL GROUP BY file_id
        UNION ALL
        SELECT 'sysbench', file_id, count(*)
        FROM sysbench_interval WHERE events_per_s IS NOT NULL GROUP BY file_id
    ) p
    JOIN raw_file f USING (file_id)
    JOIN run r USING (run_id)
    LEFT JOIN (SELECT DISTINCT run_id, executions FROM load_run) e USING (run_id)
    WHERE (r.start_utc IS NULL OR e.executions > 1)
        AND p.file_id NOT IN (SELECT file_id FROM progress_interval)
"""

#: As readers say of an execution whose summary is cut. That of pgbench may be in another file, in
#: which there is no progress.
_NO_RESULT = """
    SELECT run_id, 2, name_in_run(name, run_id), text
    FROM remark
    JOIN raw_file f USING (file_id)
    WHERE contains(text, 'has no result') AND NOT (source = 'pgbench' AND EXISTS (
        FROM load_run l
        WHERE l.tool = 'pgbench' AND l.run_id = f.run_id
            AND l.file_id NOT IN (SELECT file_id FROM pgbench_interval)))
    UNION ALL
    SELECT
        f.run_id, 2, name_in_run(f.name, f.run_id),
        if(count(*) = 1, '1 execution counts', count(*) || ' executions count')
            || ' in no figure: ' || array_to_string(
                list_sort(list(DISTINCT status || coalesce(' (' || reason || ')', ''))), ', ')
    FROM left_out l JOIN raw_file f ON f.name = l.file
    WHERE status <> 'check' AND f.file_id NOT IN (
        SELECT file_id FROM remark WHERE contains(text, 'has no result'))
    GROUP BY f.run_id, f.name
"""

#: Settings are often the same; measurements never. But what records a host for a day is of each run
#: of that day.
_TWICE = """
    WITH recorded AS (
        SELECT
            c.file_id, coalesce(
                bool_and(isfinite(p.from_utc) AND c.first_utc < p.to_utc AND c.last_utc > p.from_utc
                    AND c.source NOT IN (FROM timed_driver)),
                false) AS for_its_load
        FROM coverage c
        LEFT JOIN stable_phase p USING (run_id)
        GROUP BY c.file_id
    )
    SELECT
        a.run_id, 1, name_in_run(a.name, a.run_id),
        'has the same content as ' || string_agg(b.name, ', ' ORDER BY b.name)
    FROM raw_file a
    JOIN raw_file b ON b.sha256 = a.sha256 AND b.name > a.name
    JOIN recorded r ON r.file_id = a.file_id
    JOIN recorded o ON o.file_id = b.file_id
    WHERE a.run_id = b.run_id OR NOT (r.for_its_load AND o.for_its_load)
    GROUP BY a.run_id, a.name
"""

#: Of two load drivers that go on side by side, some requests have the same times by chance.
_SAME_REQUESTS = """
    WITH request AS (
        SELECT run_id, file_id, begin_utc, elapsed_ms::DOUBLE AS elapsed_ms
        FROM jtl_ended WHERE kind = 'sample'
        UNION ALL
        SELECT run_id, file_id, begin_utc, elapsed_ms FROM sampled_ended WHERE kind = 'sample'
    ),
    several AS (
        SELECT run_id FROM request GROUP BY run_id HAVING count(DISTINCT file_id) > 1
    ),
    counted AS (
        SELECT run_id, file_id, begin_utc, elapsed_ms, count(*) AS requests
        FROM request
        WHERE run_id IN (FROM several) AND begin_utc IS NOT NULL
        GROUP BY ALL
    ),
    of_file AS (
        SELECT file_id, sum(requests) AS requests FROM counted GROUP BY file_id
    ),
    shared AS (
        SELECT
            a.run_id, a.file_id, b.file_id AS other_id,
            sum(least(a.requests, b.requests))::BIGINT AS requests
        FROM counted a
        JOIN counted b USING (run_id, begin_utc, elapsed_ms)
        WHERE a.file_id <> b.file_id
        GROUP BY a.run_id, a.file_id, b.file_id
    )
    SELECT
        s.run_id, 1, name_in_run(f.name, f.run_id),
        s.requests || ' of its ' || a.requests || ' requests stand in '
            || name_in_run(o.name, o.run_id) || ', too, with the same times'
    FROM shared s
    JOIN of_file a ON a.file_id = s.file_id
    JOIN of_file b ON b.file_id = s.other_id
    JOIN raw_file f ON f.file_id = s.file_id
    JOIN raw_file o ON o.file_id = s.other_id
    WHERE (a.requests, a.file_id) < (b.requests, b.file_id) AND s.requests >= 0.95 * a.requests
        AND f.sha256 <> o.sha256
    UNION ALL
    -- A thread does one thing at a time. The first lines say enough.
    SELECT
        run_id, 1, name_in_run(f.name, f.run_id),
        e.again || ' of its first ' || e.requests || ' requests stand in it twice, with the same'
            || ' thread and times'
    FROM (
        SELECT
            file_id, count(*) AS requests,
            count(*) - count(DISTINCT (thread, coalesce(label, ''), begin_utc, elapsed_ms)) AS again
        FROM jtl_ended
        WHERE line <= 2000 AND elapsed_ms > 0 AND begin_utc IS NOT NULL AND thread IS NOT NULL
        GROUP BY file_id
    ) e
    JOIN raw_file f USING (file_id)
    WHERE e.requests >= 10 AND e.again >= 0.45 * e.requests
"""

#: Of tools that tell all of a host in one file.
_AT_ONCE = """
    SELECT
        a.run_id, 2, coalesce(a.host, 'a host without a name'),
        name_in_run(f.name, f.run_id) || ' and ' || name_in_run(o.name, o.run_id)
            || ' both tell of it by ' || a.source || ', from '
            || strftime(greatest(a.first_utc, b.first_utc), '%Y-%m-%d %H:%M:%S') || ' to '
            || strftime(least(a.last_utc, b.last_utc), '%H:%M:%S') || ' UTC'
    FROM coverage a
    JOIN coverage b ON b.run_id = a.run_id AND b.source = a.source AND b.file_id > a.file_id
        AND b.host IS NOT DISTINCT FROM a.host AND b.first_utc < a.last_utc
        AND b.last_utc > a.first_utc
    JOIN raw_file f ON f.file_id = a.file_id
    JOIN raw_file o ON o.file_id = b.file_id
    WHERE a.source IN ('nmon', 'vmstat')
"""

_ENDS_WITHIN_A_LINE = f"(SELECT file_id FROM remark WHERE starts_with(text, '{CUT}'))"

_CUT = f"""
    SELECT
        f.run_id, 2, name_in_run(f.name, f.run_id),
        'ends within a line' || coalesce(
            '; its last sample is of ' || strftime(max(c.last_utc), '%Y-%m-%d %H:%M:%S') || ' UTC',
            '')
    FROM raw_file f
    LEFT JOIN coverage c USING (file_id)
    WHERE file_id IN {_ENDS_WITHIN_A_LINE}
    GROUP BY ALL
"""

#: But for the one in which a file ends.
_NOT_UNDERSTOOD = f"""
    SELECT
        run_id, if(others > greatest(2, 0.01 * lines), 2, 3), name_in_run(name, run_id),
        others || ' of ' || lines || ' lines not understood'
    FROM (
        SELECT
            *, lines_not_understood - (file_id IN {_ENDS_WITHIN_A_LINE})::BIGINT AS others
        FROM raw_file
    )
    WHERE others > 0
"""

#: Columns of a row that say where it stands in its file, and not what it says.
_PLACES = {"report_no", "segment", "line"}

#: The files that have several reports of one host, by the tool.
_SEVERAL = """
    SELECT file_id FROM {tool}_source
    WHERE file_id IN (SELECT file_id FROM {tool}_report GROUP BY file_id HAVING count(*) > 1)
    GROUP BY file_id, host HAVING count(*) > 1
"""

_AGAIN = """
    SELECT s.run_id, x.file_id, {time} AS time
    FROM {table} x JOIN {tool}_source s USING (file_id, report_no)
    WHERE file_id IN ({several}) AND time IS NOT NULL
    GROUP BY s.run_id, s.host, {columns}
    HAVING count(DISTINCT report_no) > 1
"""

_GROWN = """
    SELECT
        a.run_id, name_in_run(f.name, f.run_id), count(*),
        count(DISTINCT a.time), min(a.time), max(a.time)
    FROM ({again}) a JOIN raw_file f USING (file_id)
    GROUP BY a.run_id, f.run_id, f.name
"""


def _grown(asked: Asked) -> Iterator[Seen]:
    """Files with reports of one host that have the same samples, row by row."""
    (models,) = asked.execute("SELECT list(DISTINCT name) FROM model").fetchall()[0]
    (tables,) = asked.execute("SELECT list(DISTINCT name ORDER BY name) FROM record").fetchall()[0]
    again = []
    for tool in (name.removesuffix("_report") for name in tables if name.endswith("_report")):
        if f"{tool}_source" not in models:
            continue
        several = asked.execute(_SEVERAL.format(tool=tool)).fetchall()
        ids = ", ".join(str(file_id) for (file_id,) in several)
        for name in tables if ids else ():
            columns = [column for column, *_ in asked.execute(f"DESCRIBE {name}").fetchall()]
            times = [f"x.{time}" for time in ("time_local", "time_utc") if time in columns]
            if name.startswith(f"{tool}_") and "report_no" in columns and times:
                same = ", ".join(f'x."{column}"' for column in columns if column not in _PLACES)
                again.append(
                    _AGAIN.format(
                        table=name, tool=tool, several=ids, columns=same,
                        time=f"coalesce({', '.join(times)})",
                    )
                )  # fmt: skip
    if again:
        repeated = asked.execute(_GROWN.format(again=" UNION ALL ".join(again))).fetchall()
        for run_id, file, rows, times, first, last in repeated:
            found = (
                f"{counted(rows, 'row')} of {counted(times, 'time')} from {first:%Y-%m-%d %H:%M:%S}"
                f" to {last:%Y-%m-%d %H:%M:%S} stand in several of its reports, each the same"
            )
            yield Seen(run_id, Weight.TO_KNOW, file, found)


CHECKS = (
    DataCheck(
        id="twice",
        title="The same file is there twice",
        because=(
            "Measurements never repeat to the byte: one of two runs has the file of the other, or"
            " one run counts it twice. It does not fire for a recording of a host that goes on"
            " during the loads of both."
        ),
        do="keep the one where it belongs, and find the other's own",
        ask=_TWICE,
    ),
    DataCheck(
        id="grown",
        title="Reports of one file tell of the same time",
        because=(
            "An export that grows was put behind an earlier one, or a part of it. Models and"
            " figures count a sample of a host once; the records hold each."
        ),
        do="keep the longest of them alone",
        ask=_grown,
    ),
    DataCheck(
        id="same-requests",
        title="The same requests are counted twice",
        because=(
            "Rates are too high, and so is what is taken from them. It fires where at least 95 %"
            " of the requests of a file began and ended as those of another did: of load drivers"
            " side by side, few do so by chance; and where of the first 2,000 lines of JMeter about"
            " half are of the thread and the times of another one, as two listeners write them."
        ),
        do="keep one of the files, and take the other out of run.yml; of lines that stand twice in"
        " one file, keep one",
        ask=_SAME_REQUESTS,
    ),
    DataCheck(
        id="one-host-at-once",
        title="Two files tell of one host at the same time",
        because=(
            "Of each moment one of them counts. If they are of two machines, one is lost: nmon and"
            " vmstat write all that they tell of a host into one file, and vmstat does not name it."
        ),
        do="say in run.yml which host each file is of, or keep one of them",
        ask=_AT_ONCE,
    ),
    DataCheck(
        id=LEFT_OUT,
        title="A file of a run cannot be read",
        because="It was left out, and the rest was loaded: figures lack what it tells.",
        do="studybook inspect says more of it; give it anew, take it out of run.yml, or accept it",
        ask=_LEFT_OUT,
    ),
    DataCheck(
        id="no-result",
        title="An execution has no result",
        because=(
            "Its tool was stopped, failed, or its output is cut before the summary: what the book"
            " says of it is of a part, or nothing."
        ),
        do="repeat it; take its file out of run.yml, if nothing else in it counts",
        ask=_NO_RESULT,
    ),
    DataCheck(
        id="without-times",
        title="Samples are at no moment",
        because=(
            "Their tool prints no times, so figures lack them, and may lack their run; or means of"
            " hosts are of all that was recorded, for nothing tells when the load was."
        ),
        do="say interval_s at the file's entry in run.yml, and start of the run; or have the tool"
        " print times",
        ask=_AT_NO_MOMENT,
    ),
    DataCheck(
        id="cut",
        title="A file ends within a line",
        because=(
            "The disk was full, the tool was killed, or it was copied while it was written: what"
            " should follow is missing, and means are of a part."
        ),
        do="copy it again from where it was recorded; if it is whole, add the line end",
        ask=_CUT,
    ),
    DataCheck(
        id="not-understood",
        title="Lines were not understood",
        because=(
            "They are in no record. A few are often messages of a shell; more than one in a"
            " hundred may be measurements."
        ),
        do="studybook inspect shows them; a layout that no reader knows is worth a report",
        ask=_NOT_UNDERSTOOD,
    ),
)
