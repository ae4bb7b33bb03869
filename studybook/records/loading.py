"""Loading: raw files of one source into the database, and the report that tells of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.errors import StudyBookError
from studybook.formats import all_formats
from studybook.records import store
from studybook.records.batch import load_files

#: Reports on more files than this have a row per run and format, not per file.
MANY_FILES = 40


def sources() -> list[str]:
    """Every kind of raw export that the known formats belong to."""
    return sorted({each.source for each in all_formats()})


def check_source(source: str) -> None:
    """Refuse a kind of raw export that no format belongs to.

    Raises
    ------
    StudyBookError
        With the kinds that there are.
    """
    if source not in sources():
        raise StudyBookError(f"no format belongs to {source!r}\n  → known: {', '.join(sources())}")


@dataclass(frozen=True)
class LoadReport:
    """What a load of one source brought, as tables for a page of the book.

    Attributes
    ----------
    files : pandas.DataFrame
        One row per raw file: name and start of its hash, origin, format, line counts, rows;
        or, of more files than :data:`MANY_FILES`, one row per run and format.
    records : pandas.DataFrame
        One row per kind of record: how many rows from how many files.
    hosts : pandas.DataFrame
        One row per file and host (or per run): time span in UTC, samples, gaps, restarts and
        resets, and how the clock is known. From the view ``<source>_coverage``, where there is one.
    events : pandas.DataFrame
        Restarts, resets, comments and failures. From the view ``<source>_event``.
    repairs, remarks, not_understood : pandas.DataFrame
        What was repaired, before the file came here or by the reader (with its line); what
        the reader had to say; the first ten lines of each file that it did not understand.
    left_out : pandas.DataFrame
        Results that no figure uses, and why: failed or aborted runs, rates of unknown unit.
    runs : pandas.DataFrame
        The runs that the files belong to: origin, start, factors, hosts by role.
    run_notes : pandas.DataFrame
        What the manifests say of the runs.
    not_listed : pandas.DataFrame
        Files in the run folders that no manifest lists, of whatever source.
    """

    source: str
    files: pd.DataFrame
    records: pd.DataFrame
    hosts: pd.DataFrame
    events: pd.DataFrame
    repairs: pd.DataFrame
    remarks: pd.DataFrame
    not_understood: pd.DataFrame
    left_out: pd.DataFrame
    runs: pd.DataFrame
    run_notes: pd.DataFrame
    not_listed: pd.DataFrame


def load(source: str, *, data_set: str, database: str = "") -> LoadReport:
    """Load every raw file of one source; all of them, or none.

    Nothing is done where the database has them already, as they are now, from these readers.

    Parameters
    ----------
    source : str
        Kind of raw export, one of :func:`sources`.
    data_set : str
        Name of the data set.
    database : str, optional
        The DuckDB file; the data set's own by default.

    Raises
    ------
    StudyBookError
        Naming every file that cannot be loaded; the database is then as it was.
    """
    check_source(source)
    place = DataSet.named(data_set)
    target = Path(database) if database else place.database
    inventory = take_inventory(place)
    if store.holds(target, source, inventory):
        return report(source, target, inventory.not_listed)
    try:
        with store.writer(target, source) as connection:
            store.write_runs(connection, inventory)
            store.forget(connection, source, inventory)
            store.mark_loaded(connection, source, inventory)  # no transaction after the large one
            load_files(connection, inventory.of_source(source))
    except StudyBookError as error:
        raise StudyBookError(f"{error}\nnothing was loaded") from error
    except (OSError, *store.NOT_WRITTEN) as error:
        raise StudyBookError(
            f"{target}: cannot be written: {error}\nnothing was loaded\n"
            "  → see whether there is room on the disk, also for temporary files, and load again"
        ) from error
    return report(source, target, inventory.not_listed)


def report(source: str, database: Path, not_listed: tuple[str, ...] = ()) -> LoadReport:
    """The loading report of a source, from the ledger of a database."""
    connection = store.connect(database)

    def table(sql: str) -> pd.DataFrame:
        return connection.execute(sql, {"source": source}).df()

    views = {
        name for (name,) in connection.execute("SELECT view_name FROM duckdb_views()").fetchall()
    }

    def own(view: str, sql: str) -> pd.DataFrame:
        """Ask a view that sources with hosts and times have, and others have not."""
        name = f"{source}_{view}"
        return table(sql.format(view=name)) if name in views else pd.DataFrame()

    try:
        (number,) = table("SELECT count(*) AS n FROM raw_file WHERE source = $source")["n"]
        many = number > MANY_FILES
        tables = {
            table.name for each in all_formats() if each.source == source for table in each.tables
        }
        counts = " UNION ALL ".join(
            f"SELECT '{name}' AS record, count(*) AS rows,"
            f" count(DISTINCT file_id) AS files FROM {name}"
            for name in sorted(tables)
        )
        return LoadReport(
            source,
            files=table(_FILES_BY_RUN if many else _FILES),
            records=connection.execute(f"FROM ({counts}) WHERE rows > 0 ORDER BY record").df(),
            hosts=own("coverage", _COVERAGE_BY_RUN if many else _COVERAGE),
            events=own("event", _EVENTS),
            repairs=table(_PER_FILE.format(columns="x.line, x.text AS repair", table="repair")),
            remarks=table(
                _REMARKS_BY_TEXT
                if many
                else _PER_FILE.format(columns="x.line, x.text AS remark", table="remark")
            ),
            not_understood=table(
                _PER_FILE.format(columns="x.line, x.text", table="line_not_understood")
            ),
            left_out=table(
                "SELECT file, status, reason FROM left_out WHERE source = $source ORDER BY ALL"
            ),
            runs=table(
                "SELECT r.run_id || chr(10) || r.title AS run, r.origin,"
                " coalesce(strftime(r.start_local, '%Y-%m-%d %H:%M:%S'), 'not known') || chr(10)"
                " || r.time_zone || ', ' || r.time_zone_known AS start,"
                " (SELECT string_agg(name || ' = ' || value, ', ' ORDER BY name) FROM factor f"
                "  WHERE f.run_id = r.run_id) AS factors,"
                " (SELECT string_agg(n || ' ' || role, ', ' ORDER BY role) FROM"
                "  (SELECT role, count(*) AS n FROM host h WHERE h.run_id = r.run_id"
                "  GROUP BY role)) AS hosts FROM run r WHERE r.run_id IN"
                " (SELECT run_id FROM raw_file WHERE source = $source) ORDER BY r.run_id"
            ),
            run_notes=table(_NOTES_BY_TEXT if many else _NOTES),
            not_listed=pd.DataFrame({"file": list(not_listed)}),
        )
    finally:
        connection.close()


_FILES = (
    "SELECT f.name || chr(10) || f.format || ', layout '"
    " || replace(f.certainty, 'seen', 'seen in real files') || ', '"
    " || f.provenance || ', SHA-256 ' || left(f.sha256, 12) AS file, r.origin, f.lines,"
    " f.lines_in_records AS in_records,"
    " f.lines_in_headings AS in_headings, f.lines_not_understood AS not_understood,"
    " f.rows FROM raw_file f JOIN run r USING (run_id)"
    " WHERE f.source = $source ORDER BY f.name"
)
_FILES_BY_RUN = (
    "SELECT f.run_id || chr(10) || f.format || ', layout '"
    " || replace(f.certainty, 'seen', 'seen in real files') || ', ' || f.provenance AS run,"
    " r.origin, count(*) AS files, sum(f.lines)::BIGINT AS lines,"
    " sum(f.lines_in_records)::BIGINT AS in_records,"
    " sum(f.lines_in_headings)::BIGINT AS in_headings,"
    " sum(f.lines_not_understood)::BIGINT AS not_understood, sum(f.rows)::BIGINT AS rows"
    " FROM raw_file f JOIN run r USING (run_id)"
    " WHERE f.source = $source GROUP BY f.run_id, f.format, f.certainty, f.provenance, r.origin"
    " ORDER BY ALL"
)
_NOTES = (
    "SELECT run_id AS run, text AS note FROM run_note WHERE run_id IN"
    " (SELECT run_id FROM raw_file WHERE source = $source) ORDER BY ALL"
)
_NOTES_BY_TEXT = (
    # Notes on files begin with the file's name.
    "SELECT regexp_replace(regexp_replace(text, '^[^ ]+: ', ''), '[0-9]+', '#', 'g') AS note,"
    " count(*) AS times, count(DISTINCT run_id) AS runs, min(run_id) AS first_run"
    " FROM run_note WHERE run_id IN (SELECT run_id FROM raw_file WHERE source = $source)"
    " GROUP BY 1 ORDER BY times DESC, note"
)
_REMARKS_BY_TEXT = (
    # Numbers and what is quoted differ from file to file; the sentence is the same.
    "SELECT regexp_replace(x.text, '[0-9]+', '#', 'g') AS remark, count(*) AS times,"
    " count(DISTINCT x.file_id) AS files, min(f.name) AS first_file,"
    " arg_min(x.text, f.name) AS as_said_there"
    " FROM remark x JOIN raw_file f USING (file_id) WHERE f.source = $source"
    " GROUP BY 1 ORDER BY times DESC, remark"
)

#: Sources whose records have hosts and times offer these two views; see CONTRIBUTING.md.
_COVERAGE = (
    "SELECT f.name || chr(10) || coalesce(c.host, 'host not known') AS file,"
    " strftime(c.first_utc, '%Y-%m-%d %H:%M:%S') || chr(10)"
    " || strftime(c.last_utc, '%Y-%m-%d %H:%M:%S') AS first_and_last_utc, c.clock, c.samples,"
    " round(c.interval_s, 3) AS interval_s, c.gaps, c.restarts, c.resets"
    " FROM {view} c JOIN raw_file f USING (file_id) WHERE f.source = $source"
    " ORDER BY f.name, c.host, c.first_utc"
)
_COVERAGE_BY_RUN = (
    "SELECT f.run_id || chr(10) || string_agg(DISTINCT coalesce(c.host, 'host not known'), ', '"
    "  ORDER BY coalesce(c.host, 'host not known')) AS run,"
    " strftime(min(c.first_utc), '%Y-%m-%d %H:%M:%S') || chr(10)"
    " || strftime(max(c.last_utc), '%Y-%m-%d %H:%M:%S') AS first_and_last_utc, c.clock,"
    " sum(c.samples)::BIGINT AS samples, round(median(c.interval_s), 3) AS interval_s,"
    " sum(c.gaps)::BIGINT AS gaps, sum(c.restarts)::BIGINT AS restarts,"
    " sum(c.resets)::BIGINT AS resets"
    " FROM {view} c JOIN raw_file f USING (file_id) WHERE f.source = $source"
    " GROUP BY f.run_id, c.clock ORDER BY f.run_id, c.clock"
)
_EVENTS = (
    "SELECT f.name || chr(10) || coalesce(e.host, '') AS file,"
    " strftime(e.time_utc, '%Y-%m-%d %H:%M:%S') AS time_utc, e.kind, e.text"
    " FROM {view} e JOIN raw_file f USING (file_id) WHERE f.source = $source ORDER BY ALL"
)

_PER_FILE = (
    "SELECT f.name AS file, {columns} FROM {table} x JOIN raw_file f USING (file_id)"
    " WHERE f.source = $source ORDER BY ALL"
)
