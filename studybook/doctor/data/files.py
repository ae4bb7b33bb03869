"""Checks on files: what is not in the database, or there twice."""

from __future__ import annotations

from studybook.doctor.data.check import DataCheck

_LEFT_OUT = """
    SELECT run_id, 2, replace(name, run_id || '/', ''), split_part(reason, chr(10), 1)
    FROM refused_file
"""

_TWICE = """
    SELECT
        a.run_id, 1, replace(a.name, a.run_id || '/', ''),
        'has the same content as ' || string_agg(b.name, ', ' ORDER BY b.name)
    FROM raw_file a
    JOIN raw_file b ON b.sha256 = a.sha256 AND b.name > a.name
    -- Settings are often the same; measurements never.
    WHERE a.file_id IN (SELECT file_id FROM coverage)
    GROUP BY a.run_id, a.name
"""

_NOT_UNDERSTOOD = """
    SELECT
        run_id, if(lines_not_understood > greatest(2, 0.01 * lines), 2, 3),
        replace(name, run_id || '/', ''),
        lines_not_understood || ' of ' || lines || ' lines not understood'
    FROM raw_file
    WHERE lines_not_understood > 0
"""

CHECKS = (
    DataCheck(
        id="twice",
        title="The same file is there twice",
        because=(
            "Measurements never repeat to the byte: one of two runs has the file of the other, or"
            " one run counts it twice."
        ),
        do="keep the one where it belongs, and find the other's own",
        ask=_TWICE,
    ),
    DataCheck(
        id="left-out",
        title="A file of a run cannot be read",
        because="It was left out, and the rest was loaded: figures lack what it tells.",
        do="studybook inspect says more of it; give it anew, or take it out of run.yml",
        ask=_LEFT_OUT,
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
