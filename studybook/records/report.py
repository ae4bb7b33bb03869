"""Loading reports: what the ledger and the models tell of the raw files of a source."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from studybook.dataset.inventory import few_of_each_run
from studybook.records import ledger, store
from studybook.text import counted

#: Details on more files than this have a row per run and format, not per file.
MANY_FILES = 40


@dataclass(frozen=True)
class LoadReport:
    """The outcome of loading one source, as tables for a page of the book.

    Attributes
    ----------
    files : pandas.DataFrame
        One row per format and group of runs, those of one study with the same factors but
        repetition: how many, origin, line counts, rows. Of all sources: one row per format.
    each_file : pandas.DataFrame
        The same for each raw file, with the start of its hash; or, of more files than
        :data:`MANY_FILES`, for each run.
    records : pandas.DataFrame
        One row per kind of record: how many rows from how many files.
    hosts : pandas.DataFrame
        One row per group of runs: time span in UTC, samples, gaps, restarts and resets, and how
        the clock is known. From the view ``<source>_coverage``, where there is one.
    each_host : pandas.DataFrame
        The same for each file and host, or for each run.
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
    refused : pandas.DataFrame
        Files that were left out because they cannot be read, of whatever source, and why.
    not_listed : pandas.DataFrame
        Files in the run folders that no manifest lists, of whatever source. Of these and of those
        refused only the first of each run, and how many more it has.
    number_refused : int
        How many files were left out because they cannot be read.
    """

    source: str
    files: pd.DataFrame
    each_file: pd.DataFrame
    records: pd.DataFrame
    hosts: pd.DataFrame
    each_host: pd.DataFrame
    events: pd.DataFrame
    repairs: pd.DataFrame
    remarks: pd.DataFrame
    not_understood: pd.DataFrame
    left_out: pd.DataFrame
    runs: pd.DataFrame
    run_notes: pd.DataFrame
    refused: pd.DataFrame
    not_listed: pd.DataFrame
    number_refused: int

    @property
    def finding(self) -> str:
        """In a sentence: how much was read, and how much of it was not understood or is missing."""

        def all_of(frame: pd.DataFrame, column: str) -> int:
            return int(frame[column].fillna(0).sum()) if column in frame else 0

        strange = all_of(self.files, "not_understood")
        known = "gaps" in self.hosts and self.hosts["gaps"].notna().any()
        gaps = counted(all_of(self.hosts, "gaps"), "gap") if known else ""
        left_out = self.number_refused
        return (
            f"{counted(all_of(self.files, 'files'), 'file')} with"
            f" {counted(all_of(self.files, 'lines'), 'line')} were read;"
            f" {counted(strange, 'line')} {'was' if strange == 1 else 'were'} not understood"
            + (f", and the times have {gaps}" if gaps else "")
            + (f"; {counted(left_out, 'file')} cannot be read" if left_out else "")
            + "."
        )


def report(source: str, database: Path, not_listed: tuple[str, ...] = ()) -> LoadReport:
    """The loading report of a source, from the ledger of a database; without one, of all."""
    connection = store.connect(database)

    def table(sql: str) -> pd.DataFrame:
        given = {"source": source} if "$source" in sql else {}
        return connection.execute(sql, given).df()

    models = {name for (name,) in connection.execute("SELECT DISTINCT name FROM model").fetchall()}

    def own(what: str, sql: str, of_all: str) -> pd.DataFrame:
        """Ask a model that sources with hosts and times have, and others have not."""
        names = sorted(name for name in models if name.endswith(f"_{what}"))
        if source:
            name = f"{source}_{what}"
            return table(sql.format(model=name)) if name in models else pd.DataFrame()
        parts = " UNION ALL BY NAME ".join(f"FROM {name}" for name in names)
        return table(of_all.format(model=f"({parts})")) if names else pd.DataFrame()

    try:
        refused = ledger.refused(connection)
        few_refused, more_refused = few_of_each_run(refused)
        few_not_listed, more_not_listed = few_of_each_run(not_listed)
        (number,) = table("SELECT count(*) AS n FROM raw_file WHERE $source IN ('', source)")["n"]
        many = number > MANY_FILES
        return LoadReport(
            source,
            files=table(_FILES_BY_SETUP if source else _FILES_BY_FORMAT),
            each_file=table(_FILES_BY_RUN if many else _FILES) if source else pd.DataFrame(),
            records=table(_RECORDS),
            hosts=own("coverage", _COVERAGE_BY_SETUP, _COVERAGE_BY_SOURCE),
            each_host=own(
                "coverage", _COVERAGE_BY_RUN if many else _COVERAGE, "FROM {model} LIMIT 0"
            ),
            events=own("event", _EVENTS, _EVENTS_BY_KIND),
            repairs=table(_PER_FILE.format(columns="x.line, x.text AS repair", table="repair")),
            remarks=table(
                _REMARKS_BY_TEXT
                if many
                else _PER_FILE.format(columns="x.line, x.text AS remark", table="remark")
            ),
            not_understood=table(
                _PER_FILE.format(columns="x.line, x.text, x.unlike", table="line_not_understood")
            ),
            left_out=table(
                "SELECT file, status, reason FROM left_out"
                " WHERE $source IN ('', source) ORDER BY ALL"
            ),
            runs=table(_RUNS if source else _RUNS_BY_STUDY),
            run_notes=table(_NOTES_BY_TEXT if many else _NOTES),
            refused=pd.DataFrame(
                [(each.name, each.reason) for each in few_refused]
                + [(said, "") for said in more_refused],
                columns=["file", "reason"],
            ),
            not_listed=pd.DataFrame({"file": few_not_listed + more_not_listed}),
            number_refused=len(refused),
        )
    finally:
        connection.close()


_RUNS = (
    "SELECT r.run_id || chr(10) || r.title AS run, r.origin,"
    " coalesce(strftime(r.start_local, '%Y-%m-%d %H:%M:%S'), 'not known') || chr(10)"
    " || r.time_zone || ', ' || r.time_zone_known AS start,"
    " (SELECT string_agg(name || ' = ' || value, ', ' ORDER BY name) FROM factor f"
    "  WHERE f.run_id = r.run_id) AS factors,"
    " (SELECT string_agg(n || ' ' || role, ', ' ORDER BY role) FROM"
    "  (SELECT role, count(*) AS n FROM host h WHERE h.run_id = r.run_id"
    "  GROUP BY role)) AS hosts FROM run r WHERE r.run_id IN"
    " (SELECT run_id FROM raw_file WHERE $source IN ('', source)) ORDER BY r.run_id"
)
_RUNS_BY_STUDY = (
    "SELECT study, origin, count(*) AS runs, count(*) FILTER (kind = 'configuration')"
    " AS configurations, strftime(min(start_utc), '%Y-%m-%d') AS first_start,"
    " strftime(max(start_utc), '%Y-%m-%d') AS last_start FROM run GROUP BY study, origin"
    " ORDER BY ALL"
)
_RECORDS = (
    "SELECT t.name AS record, sum(t.rows)::BIGINT AS rows, sum(t.files)::BIGINT AS files"
    " FROM part_table t JOIN part p USING (folder) WHERE $source IN ('', p.source)"
    " GROUP BY t.name ORDER BY record"
)
_FILES = (
    "SELECT f.name || chr(10) || f.format || ', layout '"
    " || replace(f.certainty, 'seen', 'seen in real files') || ', '"
    " || f.provenance || ', SHA-256 ' || left(f.sha256, 12) AS file, r.origin, f.lines,"
    " f.lines_in_records AS in_records,"
    " f.lines_in_headings AS in_headings, f.lines_not_understood AS not_understood,"
    " f.rows FROM raw_file f JOIN run r USING (run_id)"
    " WHERE $source IN ('', f.source) ORDER BY f.name"
)
#: How many files, and the account of their lines.
_ACCOUNT = (
    " r.origin, count(*) AS files, sum(f.lines)::BIGINT AS lines,"
    " sum(f.lines_in_records)::BIGINT AS in_records,"
    " sum(f.lines_in_headings)::BIGINT AS in_headings,"
    " sum(f.lines_not_understood)::BIGINT AS not_understood, sum(f.rows)::BIGINT AS rows"
)
#: Runs of one study with the same factors but repetition, named by the first of them; one that has
#: none is a setup of its own.
_SETUP = (
    "(SELECT r.run_id, r.study, r.origin, coalesce((SELECT string_agg(name || '=' || value, ','"
    " ORDER BY name) FROM factor f WHERE f.run_id = r.run_id AND name <> 'repetition'), r.run_id)"
    " AS setup FROM run r)"
)
_RUNS_OF_SETUP = (
    "min(f.run_id) || chr(10) || CASE count(DISTINCT f.run_id) WHEN 1 THEN ''"
    " ELSE 'and ' || (count(DISTINCT f.run_id) - 1) || ' more of this setup · ' END"
)
_FILES_BY_SETUP = (
    f"SELECT {_RUNS_OF_SETUP} || f.format || ', layout '"
    " || replace(f.certainty, 'seen', 'seen in real files') || ', ' || f.provenance AS run,"
    f"{_ACCOUNT}"
    f" FROM raw_file f JOIN {_SETUP} r USING (run_id) WHERE f.source = $source"
    " GROUP BY r.study, r.setup, f.format, f.certainty, f.provenance, r.origin ORDER BY ALL"
)
_FILES_BY_FORMAT = (
    "SELECT f.format || chr(10) || 'source ' || f.source || ', layout '"
    " || replace(f.certainty, 'seen', 'seen in real files') || ', ' || f.provenance AS format,"
    f"{_ACCOUNT}"
    " FROM raw_file f JOIN run r USING (run_id)"
    " GROUP BY f.format, f.certainty, f.provenance, f.source, r.origin ORDER BY ALL"
)
_FILES_BY_RUN = (
    "SELECT f.run_id || chr(10) || f.format || ', layout '"
    " || replace(f.certainty, 'seen', 'seen in real files') || ', ' || f.provenance AS run,"
    f"{_ACCOUNT}"
    " FROM raw_file f JOIN run r USING (run_id)"
    " WHERE $source IN ('', f.source)"
    " GROUP BY f.run_id, f.format, f.certainty, f.provenance, r.origin"
    " ORDER BY ALL"
)
_NOTES = (
    "SELECT run_id AS run, text AS note FROM run_note WHERE run_id IN"
    " (SELECT run_id FROM raw_file WHERE $source IN ('', source)) ORDER BY ALL"
)
_NOTES_BY_TEXT = (
    # Notes on files begin with the file's name.
    "SELECT regexp_replace(regexp_replace(text, '^[^ ]+: ', ''), '[0-9]+', '#', 'g') AS note,"
    " count(*) AS times, count(DISTINCT run_id) AS runs, min(run_id) AS first_run"
    " FROM run_note WHERE run_id IN (SELECT run_id FROM raw_file WHERE $source IN ('', source))"
    " GROUP BY 1 ORDER BY times DESC, note"
)
_REMARKS_BY_TEXT = (
    # Numbers and what is quoted differ from file to file; the sentence is the same.
    "SELECT regexp_replace(x.text, '[0-9]+', '#', 'g') AS remark, count(*) AS times,"
    " count(DISTINCT x.file_id) AS files, min(f.name) AS first_file,"
    " arg_min(x.text, f.name) AS as_said_there"
    " FROM remark x JOIN raw_file f USING (file_id) WHERE $source IN ('', f.source)"
    " GROUP BY 1 ORDER BY times DESC, remark"
)

#: Sources whose records have hosts and times offer these two views; see CONTRIBUTING.md.
_COVERAGE = (
    "SELECT f.name || chr(10) || coalesce(c.host, 'host not known') AS file,"
    " strftime(c.first_utc, '%Y-%m-%d %H:%M:%S') || chr(10)"
    " || strftime(c.last_utc, '%Y-%m-%d %H:%M:%S') AS first_and_last_utc, c.clock, c.samples,"
    " round(c.interval_s, 3) AS interval_s, c.gaps, c.restarts, c.resets"
    " FROM {model} c JOIN raw_file f USING (file_id) WHERE $source IN ('', f.source)"
    " ORDER BY f.name, c.host, c.first_utc"
)
_COVERAGE_BY_SETUP = (
    f"SELECT {_RUNS_OF_SETUP} || CASE WHEN count(DISTINCT c.host) < 2"
    " THEN coalesce(min(c.host), 'host not known')"
    " ELSE count(DISTINCT c.host) || ' hosts' END AS run,"
    " strftime(min(c.first_utc), '%Y-%m-%d %H:%M:%S') || chr(10)"
    " || strftime(max(c.last_utc), '%Y-%m-%d %H:%M:%S') AS first_and_last_utc, c.clock,"
    " sum(c.samples)::BIGINT AS samples, round(median(c.interval_s), 3) AS interval_s,"
    " sum(c.gaps)::BIGINT AS gaps, sum(c.restarts)::BIGINT AS restarts,"
    " sum(c.resets)::BIGINT AS resets"
    f" FROM {{model}} c JOIN raw_file f USING (file_id) JOIN {_SETUP} r USING (run_id)"
    " WHERE f.source = $source GROUP BY r.study, r.setup, r.origin, c.clock ORDER BY ALL"
)
_COVERAGE_BY_RUN = (
    "SELECT f.run_id || chr(10) || string_agg(DISTINCT coalesce(c.host, 'host not known'), ', '"
    "  ORDER BY coalesce(c.host, 'host not known')) AS run,"
    " strftime(min(c.first_utc), '%Y-%m-%d %H:%M:%S') || chr(10)"
    " || strftime(max(c.last_utc), '%Y-%m-%d %H:%M:%S') AS first_and_last_utc, c.clock,"
    " sum(c.samples)::BIGINT AS samples, round(median(c.interval_s), 3) AS interval_s,"
    " sum(c.gaps)::BIGINT AS gaps, sum(c.restarts)::BIGINT AS restarts,"
    " sum(c.resets)::BIGINT AS resets"
    " FROM {model} c JOIN raw_file f USING (file_id) WHERE $source IN ('', f.source)"
    " GROUP BY f.run_id, c.clock ORDER BY f.run_id, c.clock"
)
_COVERAGE_BY_SOURCE = (
    "SELECT f.source, count(DISTINCT f.run_id) AS runs,"
    " count(DISTINCT (f.run_id, c.host)) AS hosts,"
    " strftime(min(c.first_utc), '%Y-%m-%d %H:%M:%S') || chr(10)"
    " || strftime(max(c.last_utc), '%Y-%m-%d %H:%M:%S') AS first_and_last_utc,"
    " sum(c.samples)::BIGINT AS samples, round(median(c.interval_s), 3) AS interval_s,"
    " sum(c.gaps)::BIGINT AS gaps, sum(c.restarts)::BIGINT AS restarts,"
    " sum(c.resets)::BIGINT AS resets"
    " FROM {model} c JOIN raw_file f USING (file_id) GROUP BY f.source ORDER BY f.source"
)
_EVENTS = (
    "SELECT f.name || chr(10) || coalesce(e.host, '') AS file,"
    " strftime(e.time_utc, '%Y-%m-%d %H:%M:%S') AS time_utc, e.kind, e.text"
    " FROM {model} e JOIN raw_file f USING (file_id) WHERE $source IN ('', f.source) ORDER BY ALL"
)

_EVENTS_BY_KIND = (
    "SELECT f.source, e.kind, count(*) AS times, count(DISTINCT f.file_id) AS files,"
    " min(f.name) AS first_file FROM {model} e JOIN raw_file f USING (file_id)"
    " GROUP BY f.source, e.kind ORDER BY ALL"
)

_PER_FILE = (
    "SELECT f.name AS file, {columns} FROM {table} x JOIN raw_file f USING (file_id)"
    " WHERE $source IN ('', f.source) ORDER BY ALL"
)
