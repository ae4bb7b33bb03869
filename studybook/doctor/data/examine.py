"""Running the checks on a database, most important findings first.

Each check may ask, beside all tables and models over all studies, three views made here:
``coverage``, a row for each host in each raw file with times, whatever the tool (the columns of the
models ``<source>_coverage``, and ``run_id``, ``source``, ``file``); ``sampled``, the intervals
in which hosts were measured (``run_id, host, what, time_utc``); and ``timed_driver``, the sources
that are load drivers with a course over time (``tool``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

import duckdb

from studybook.doctor.data import (
    clocks,
    factors,
    failures,
    files,
    hosts,
    laws,
    load,
    phase,
    repetitions,
    stalls,
    tables,
    times,
)
from studybook.doctor.data.accepted import Accepted, check_of
from studybook.doctor.data.check import Asked, DataCheck, DataFinding, Seen, Weight
from studybook.errors import StudyBookError
from studybook.records import store
from studybook.records.compute_group import AT_MOST
from studybook.study.study import Study

#: What may be wrong with a load, and with the part of it that counts.
_LOAD_CHECKS = (*load.CHECKS, *stalls.CHECKS, *failures.CHECKS, *phase.CHECKS)

#: All checks of data.
DATA_CHECKS: tuple[DataCheck, ...] = (
    *times.CHECKS, *clocks.CHECKS, *tables.CHECKS, *_LOAD_CHECKS, *hosts.CHECKS, *files.CHECKS,
    *laws.CHECKS, *repetitions.CHECKS, *factors.CHECKS,
)  # fmt: skip
DATA_CHECKS += (check_of({each.id for each in DATA_CHECKS}),)

#: What hosts were sampled of, over all tools.
_SAMPLED = """
    CREATE TEMP VIEW sampled AS
    SELECT DISTINCT run_id, host, 'processors' AS what, time_utc FROM cpu_use WHERE cpu = 'all'
    UNION ALL
    SELECT DISTINCT run_id, host, 'memory', time_utc FROM memory
    UNION ALL
    SELECT DISTINCT run_id, host, 'disks', time_utc FROM disk_rate
    UNION ALL
    SELECT DISTINCT run_id, host, 'network', time_utc FROM network_rate
    UNION ALL
    SELECT DISTINCT run_id, host, 'file system', time_utc FROM file_system_rate
"""


def examine_data(
    database: Path, studies: Collection[str], checks: Iterable[DataCheck] = DATA_CHECKS
) -> tuple[DataFinding, ...]:
    """Look for what is wrong with the data of studies.

    Parameters
    ----------
    database : pathlib.Path
        The DuckDB file of a data set, as it was loaded.
    studies : collection of str
        Their names.
    checks : iterable of DataCheck, optional
        What to look for; all by default.

    Returns
    -------
    tuple of DataFinding
        The most important first; of one weight by check, run and subject.

    Raises
    ------
    StudyBookError
        If there is no database, or a check cannot be asked.
    """
    with store.connect(database) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(f"SET memory_limit = '{AT_MOST}'")  # as models across runs have
        rows = connection.execute("SELECT DISTINCT study FROM run").fetchall()
        if not {study for (study,) in rows} & {*studies}:
            return ()
        _make_views(connection)
        return tuple(each for each in _findings(connection, checks) if each.study in studies)


def examine_load(study: Study) -> tuple[DataFinding, ...]:
    """Look for what makes the headlines of runs say what is not so: what is wrong with their load.

    Parameters
    ----------
    study : Study
        The runs, as a notebook has opened them.

    Returns
    -------
    tuple of DataFinding
        What is wrong, doubtful or accepted, the most important first.
    """
    found = _findings(study, _LOAD_CHECKS)
    return tuple(each for each in found if each.weight is not Weight.TO_KNOW)


def _findings(asked: Asked, checks: Iterable[DataCheck]) -> list[DataFinding]:
    rows = asked.execute("SELECT run_id, study, run, origin FROM run").fetchall()
    runs = {run_id: told for run_id, *told in rows}
    accepted = Accepted(asked)
    found = []
    for place, check in enumerate(checks):
        for seen in (accepted.weighed(check.id, each) for each in _seen(asked, check)):
            study, run, origin = runs[seen.run_id]
            weight = Weight(seen.weight)
            finding = DataFinding(
                check, weight, study, run, origin, seen.subject, seen.found, seen.do or check.do
            )
            found.append((weight, place, study, run, seen.subject, finding))
    return [each[-1] for each in sorted(found, key=lambda each: each[:-1])]


def _seen(asked: Asked, check: DataCheck) -> list[Seen]:
    try:
        if callable(check.ask):
            return list(check.ask(asked))
        return [Seen(*row) for row in asked.execute(check.ask).fetchall()]
    except duckdb.Error as error:
        raise StudyBookError(f"the check {check.id}: {error}") from error


def _make_views(connection: duckdb.DuckDBPyConnection) -> None:
    names = [
        name
        for (name,) in connection.execute(
            "SELECT DISTINCT name FROM model WHERE name LIKE '%\\_coverage' ESCAPE '\\' ORDER BY 1"
        ).fetchall()
    ]
    parts = " UNION ALL BY NAME ".join(f"FROM {name}" for name in names)
    connection.execute(
        f"CREATE TEMP VIEW coverage AS SELECT f.run_id, f.source, f.name AS file, c.*"
        f" FROM ({parts}) c JOIN raw_file f USING (file_id)"
    )
    connection.execute(
        "CREATE TEMP VIEW timed_driver AS"
        " SELECT tool FROM response_time UNION SELECT tool FROM throughput"
    )
    connection.execute(_SAMPLED)
