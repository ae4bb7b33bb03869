"""The questions that readers may begin with: a book's own, or else what any data can answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import duckdb

from studybook.checked_yaml import Strict, line_of, read_yaml
from studybook.errors import StudyBookError

#: Where a book has its own.
FILE = "book/explore.yml"

#: How many there are.
COUNT = 10

#: DuckDB's words for what these data do not have.
_NOT_THERE = (duckdb.CatalogException,)


class Chart(Strict):
    """What a chart of the answer shows, by names of columns; by their types, if left out."""

    x: str = ""
    """What the values are of: names, times, or numbers."""
    y: str = ""
    """The values."""
    colour: str = ""
    """What tells the series apart."""


class Question(Strict):
    """A question, and how it is asked."""

    question: str
    """As a reader would ask it."""
    sql: str
    """A query in SQL; its answer should have the column origin."""
    chart: Chart = Chart()
    """The chart of the answer."""


class Questions(Strict):
    """The file of a book."""

    questions: list[Question]
    """In the order in which they are shown."""


def questions(
    root: Path, data: duckdb.DuckDBPyConnection
) -> tuple[list[Question], list[tuple[str, str]]]:
    """Ten questions that the data answer: those of the book, filled up with general ones.

    Parameters
    ----------
    root : pathlib.Path
        The folder of the book.
    data : duckdb.DuckDBPyConnection
        The data that readers ask.

    Returns
    -------
    tuple
        The questions; and those of the book which these data cannot answer, with the reason.

    Raises
    ------
    StudyBookError
        If DuckDB does not understand a question of the book, or the chart names no column of its
        answer.
    """
    path = root / FILE
    own = read_yaml(path, Questions).questions if path.is_file() else []
    good, left_out = [], []
    for place, each in enumerate(own):
        try:
            columns, there = _asked(data, each)
        except _NOT_THERE as error:
            left_out.append((each.question, str(error).splitlines()[0]))
            continue
        except duckdb.Error as error:
            line = line_of(path, "questions", place, "sql")
            raise StudyBookError(f"{path}, line {line}: DuckDB says: {error}") from error
        named = {each.chart.x, each.chart.y, each.chart.colour} - {""}
        if unknown := sorted(named - set(columns)):
            line = line_of(path, "questions", place, "chart")
            raise StudyBookError(
                f"{path}, line {line}: the answer has no column {', '.join(unknown)}\n"
                f"  → it has {', '.join(columns)}"
            )
        if there:
            good.append(each)
        else:
            left_out.append((each.question, "no row answers it"))
    good += _with_rows(data, COUNT - len(good))
    return good, left_out


def _asked(
    data: duckdb.DuckDBPyConnection, question: Question, most: int = 1
) -> tuple[Sequence[str], int]:
    """The columns of an answer, and how many rows it has, of so many that count."""
    answer = data.sql(f"FROM (\n{question.sql}\n)")  # as the page asks it
    return answer.columns, len(answer.limit(most).fetchall())


def _with_rows(data: duckdb.DuckDBPyConnection, count: int) -> list[Question]:
    """So many general questions; answers of one row, which no chart shows, come last."""
    found: dict[int, list[Question]] = {0: [], 1: [], 2: []}
    for each in _general(data):
        if len(found[2]) >= count:
            break
        with suppress(duckdb.Error):  # a study may have a model of that name with other columns
            found[_asked(data, each, 2)[1]].append(each)
    return [*found[2], *found[1]][: max(count, 0)]


def _general(data: duckdb.DuckDBPyConnection) -> Iterator[Question]:
    """What may be asked of any data, the most telling first."""
    there = {name for (name,) in data.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    plain = [each for tables, each in _of_tables() if there.issuperset(tables)]
    courses = list(_courses(data)) if "figure" in there else []
    highest: list[Question] = []
    together: list[Question] = []
    if there.issuperset(("run_metric", "metric_name")):
        highest, together = _of_metrics(data)
    # Some of each kind, and then the others.
    for some in (slice(0, 3), slice(3, None)):
        yield from (*plain[some], *courses[some], *highest[some], *together[some])


def _courses(data: duckdb.DuckDBPyConnection) -> Iterator[Question]:
    """What figures show over the minutes of a run."""
    rows = data.execute(
        "SELECT f.data, f.title, list((c.column_name, c.data_type) ORDER BY c.column_index)"
        " FROM figure f JOIN duckdb_columns() c ON f.data = c.schema_name || '.' || c.table_name"
        " GROUP BY ALL ORDER BY f.data"
    ).fetchall()
    for table, title, described in rows:
        kinds = dict(described)
        values = [each for each, kind in kinds.items() if kind == "DOUBLE" and each != "minute"]
        series = [each for each in kinds if each not in ("origin", "run", "minute", *values)]
        if not {"origin", "run", "minute"} <= kinds.keys() or len(values) != 1 or len(series) != 1:
            continue
        yield Question(
            question=f"How did a run go: {_inner(title)}?",
            sql=f"""SELECT minute, "{series[0]}", origin, "{values[0]}"
FROM {table}
WHERE run = (SELECT min(run) FROM {table})
ORDER BY minute""",
            chart=Chart(x="minute", y=values[0], colour=series[0]),
        )


def _of_metrics(data: duckdb.DuckDBPyConnection) -> tuple[list[Question], list[Question]]:
    """Which runs have most of a metric, and how two of them go together."""
    rows = data.execute(
        "SELECT metric, label, unit, better FROM run_metric JOIN metric_name USING (metric)"
        " GROUP BY ALL ORDER BY count(*) DESC, metric LIMIT 4"
    ).fetchall()
    highest, together = [], []
    for metric, label, unit, better in rows:
        most = better != "higher"
        highest.append(
            Question(
                question=f"Which runs have the {'highest' if most else 'lowest'} {_inner(label)}?",
                sql=f"""SELECT study, run, m.origin, value AS {metric}  -- {unit or "pure number"}
FROM run_metric m JOIN run r USING (run_id)
WHERE metric = '{metric}'
ORDER BY value{" DESC" if most else ""}
LIMIT 20""",
                chart=Chart(x="run", y=metric, colour="origin"),
            )
        )
    for (one, label, *_), (other, other_label, *_) in pairwise(rows):
        together.append(
            Question(
                question=f"How do {_inner(label)} and {_inner(other_label)} go together?",
                sql=f"""SELECT a.value AS {one}, b.value AS {other}, a.origin, a.run_id
FROM run_metric a JOIN run_metric b USING (run_id)
WHERE a.metric = '{one}' AND b.metric = '{other}'
ORDER BY ALL""",
                chart=Chart(x=one, y=other, colour="origin"),
            )
        )
    return highest, together


def _inner(label: str) -> str:
    """A label within a sentence."""
    return label if label[1:2].isupper() else f"{label[:1].lower()}{label[1:]}"


def _of_tables() -> Iterator[tuple[tuple[str, ...], Question]]:
    """Questions that name no metric, each with the tables that it asks."""
    yield (
        ("run",),
        Question(
            question="How many runs has each study, and where do their data come from?",
            sql="""SELECT study, origin, count(*) AS runs
FROM run
WHERE excluded IS NULL
GROUP BY ALL
ORDER BY ALL""",
            chart=Chart(x="study", y="runs", colour="origin"),
        ),
    )
    yield (
        ("run_metric", "metric_name"),
        Question(
            question="Which metrics are there, of how many runs, and in which range?",
            sql="""SELECT metric, label, unit, origin, count(*) AS runs,
       min(value) AS least, avg(value) AS mean, max(value) AS most
FROM run_metric LEFT JOIN metric_name USING (metric)
GROUP BY ALL
ORDER BY runs DESC, metric""",
            chart=Chart(x="label", y="runs", colour="origin"),
        ),
    )
    yield (
        ("phase_cpu",),
        Question(
            question="How busy are the processors of each host?",
            sql="""SELECT host, role, origin, count(*) AS runs,
       avg(busy_percent) AS mean_percent, max(busy_percent) AS most_percent
FROM phase_cpu
GROUP BY ALL
ORDER BY mean_percent DESC
LIMIT 30""",
            chart=Chart(x="host", y="mean_percent", colour="origin"),
        ),
    )
    yield (
        ("factor", "run"),
        Question(
            question="What was varied between the runs of a study?",
            sql="""SELECT study, name AS factor, r.origin, count(DISTINCT value) AS levels,
       string_agg(DISTINCT value, ', ' ORDER BY value) AS which
FROM factor f JOIN run r USING (run_id)
GROUP BY ALL
HAVING levels > 1
ORDER BY ALL""",
            chart=Chart(x="factor", y="levels", colour="study"),
        ),
    )
    yield (
        ("stable_phase",),
        Question(
            question="How long is the part of each run that counts?",
            sql="""SELECT start_utc, study, run, origin, (to_s - from_s) / 60 AS stable_min
FROM stable_phase
WHERE to_s IS NOT NULL
ORDER BY start_utc""",
            chart=Chart(x="run", y="stable_min", colour="study"),
        ),
    )
    yield (
        ("raw_file", "run"),
        Question(
            question="Which kinds of raw files were read, and was every line understood?",
            sql="""SELECT source, origin, count(*) AS files, sum(bytes) / 1e6 AS mb,
       sum(lines) AS lines, sum(lines_not_understood) AS lines_not_understood
FROM raw_file
GROUP BY ALL
ORDER BY mb DESC""",
            chart=Chart(x="source", y="mb", colour="origin"),
        ),
    )
    yield (
        ("host", "run"),
        Question(
            question="Which hosts are there, with how many processors?",
            sql="""SELECT study, role, host, r.origin, count(*) AS runs,
       max(cpus) AS cpus, max(memory_mib) / 1024 AS memory_gib
FROM host h JOIN run r USING (run_id)
GROUP BY ALL
ORDER BY study, role, host""",
            chart=Chart(x="host", y="cpus", colour="study"),
        ),
    )
    yield (
        ("cross_check",),
        Question(
            question="Do the exports of each run agree with each other?",
            sql="""SELECT law, verdict, origin, count(*) AS checks
FROM cross_check
GROUP BY ALL
ORDER BY ALL""",
            chart=Chart(x="law", y="checks", colour="verdict"),
        ),
    )
    yield (
        ("phase_disk",),
        Question(
            question="Which hosts read and write most on disk?",
            sql="""SELECT host, role, origin,
       avg(read_mib_s) AS read_mib_s, avg(write_mib_s) AS write_mib_s
FROM phase_disk
GROUP BY ALL
ORDER BY avg(phase_disk.read_mib_s + phase_disk.write_mib_s) DESC
LIMIT 30""",
            chart=Chart(x="host", y="read_mib_s", colour="origin"),
        ),
    )
    yield (
        ("figure",),
        Question(
            question="What does each figure say, and where do its data come from?",
            sql="SELECT title, finding, origin, data\nFROM figure",
        ),
    )
    yield (
        ("remark",),
        Question(
            question="What had to be concluded of raw files, as they do not say it?",
            sql="""SELECT text, origin, count(*) AS files
FROM remark
GROUP BY ALL
ORDER BY files DESC
LIMIT 20""",
            chart=Chart(x="text", y="files", colour="origin"),
        ),
    )
