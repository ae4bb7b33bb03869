"""The page Explore: what stands in it, and the files beside it that it loads when it is asked."""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import duckdb

from studybook.charts import theme
from studybook.charts.page import of_page
from studybook.charts.palette import HUES, colours
from studybook.claims.tally import origin_place
from studybook.code import LIBRARY, reach_digest
from studybook.dataset.definition import Hue
from studybook.dataset.paths import DataSet
from studybook.engine.outputs import Record, outputs_now
from studybook.memory import content_sha256
from studybook.process.scratch import scratch
from studybook.publish.explore import data, package
from studybook.publish.explore.data import Contents, Table
from studybook.publish.explore.questions import COUNT, FILE, Question, questions
from studybook.records import store
from studybook.table import badge
from studybook.text import counted

#: What stands in a page of a book for all of it.
MARKER = "<!-- explore -->"

#: The folder beside the pages that holds the files.
FOLDER = "explore"

#: The data, and our files, by their names there.
DATA = "data.duckdb.gz"
_OWN = ("explore.js", "explore.css", "worker.js", "NOTICES.txt")

_MISSING = (
    "DuckDB for browsers, which answers here, was not on the machine that made this book. There,"
    " `studybook explore` fetches it once, and then `studybook book` puts it here. Until then,"
    ' `studybook sql "FROM run"` asks the same database in a terminal.'
)


def explore(
    data_set: DataSet, records: Sequence[Record], captions: Mapping[str, str], target: Path
) -> str:
    """Write what the page holds, and put the files beside it that it loads.

    Parameters
    ----------
    data_set : DataSet
        The data set; it must be loaded.
    records : sequence of Record
        The figures of its book.
    captions : mapping
        Study to its name for readers; its own, where it has none.
    target : pathlib.Path
        The staged source of the book.

    Returns
    -------
    str
        Markdown; where DuckDB for browsers is not on this machine, how to get it.

    Raises
    ------
    StudyBookError
        If a question of the book's own cannot be asked.
    """
    # It is read here, and no part of the source.
    (target / FILE).unlink(missing_ok=True)
    if not package.is_there():
        return _MISSING
    kept = data_set.build / FOLDER / DATA
    contents = _contents(data_set, records, kept)
    files = target / FOLDER
    files.mkdir()
    for name in _OWN:
        shutil.copyfile(Path(__file__).with_name(name), files / name)
    for path in (*(package.place() / name for name in package.KEPT), kept):
        shutil.copyfile(path, files / path.name)
    with scratch(data_set.build) as place:
        plain = place / "data.duckdb"
        plain.write_bytes(gzip.decompress(kept.read_bytes()))
        with duckdb.connect(str(plain), read_only=True) as connection:
            connection.execute("SET enable_external_access = false; SET lock_configuration = true")
            asked, left_out = questions(data_set.root, connection)
            studies = connection.execute(
                "SELECT origin, study FROM run GROUP BY ALL ORDER BY ALL"
            ).fetchall()
    return "\n".join(
        [
            *_origins(studies, captions),
            "",
            # One element on one line: Markdown leaves it as it is.
            "".join(_box(asked, contents, files)),
            "",
            "## Tables",
            "",
            f"{counted(len(contents.tables), 'table')} can be asked; a click on a name shows"
            " its first rows. The end of a column's name is its unit.",
            "",
            "".join(_list(contents.tables)),
            "",
            *_left_out(contents, left_out),
            "",
            _NOTICE.format(version=package.VERSION, folder=FOLDER),
        ]
    )


_NOTICE = (
    "DuckDB-Wasm {version} answers; its licence, and those of what it is made of, are in"
    ' <a href="../{folder}/NOTICES.txt">NOTICES.txt</a>.'
)


def _contents(data_set: DataSet, records: Sequence[Record], kept: Path) -> Contents:
    """The data that were made before from the same, or made now."""
    outputs = [str(sorted(outputs_now(data_set, record).items())) for record in records]
    code = reach_digest(LIBRARY / "publish/explore/data.py")
    titles = [f"{record.title}\n{record.finding}" for record in records]
    words = [content_sha256(each) for each in data.definitions(data_set.root)]
    parts = [store.digest_noted(data_set.database), code, *outputs, *titles, *words]
    of = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    noted = kept.with_name("data.json")
    try:
        said = json.loads(noted.read_text(encoding="utf-8"))
        if said["of"] == of and said["sha256"] == content_sha256(kept):
            tables = tuple(
                Table(**each | {"columns": tuple(map(tuple, each["columns"]))})
                for each in said["tables"]
            )
            return Contents(tables, tuple(map(tuple, said["left_out"])))
    except (OSError, ValueError, TypeError, KeyError):  # none, cut, or of another version
        pass
    noted.unlink(missing_ok=True)
    contents = data.write(data_set, records, kept)
    said = {"of": of, "sha256": content_sha256(kept), **asdict(contents)}
    noted.write_text(json.dumps(said), encoding="utf-8")
    return contents


def _origins(studies: Sequence[tuple[str, str]], captions: Mapping[str, str]) -> Iterator[str]:
    """Say loudly of which studies the data are simulated."""
    of_origin: dict[str, list[str]] = {}
    for origin, study in studies:
        of_origin.setdefault(origin, []).append(captions.get(study, study))
    if not of_origin:
        return
    yield ":::{admonition} Where the data come from"
    yield ":class: important"
    for origin in sorted(of_origin, key=origin_place):
        yield f"- {badge(origin)} **{' · '.join(of_origin[origin])}**"
    yield ":::"


def _box(asked: Sequence[Question], contents: Contents, files: Path) -> Iterator[str]:
    """Questions, a field for one's own, and the place of the answer."""
    yield f'<link rel="stylesheet" href="{_address(files, "explore.css")}">'
    yield '<div class="study-explore">'
    begin = counted(len(asked), "question") if len(asked) != COUNT else "Ten questions"
    yield f'<p id="study-questions">{begin} to begin with:</p>'
    yield '<ol aria-labelledby="study-questions">'
    for each in asked:
        yield f'<li><button type="button">{html.escape(each.question)}</button></li>'
    yield "</ol>"
    first = html.escape(asked[0].sql.strip()).replace("\n", "&#10;") if asked else ""
    yield '<label for="study-sql">Your question, in SQL</label>'
    yield (
        '<textarea id="study-sql" rows="8" spellcheck="false" autocomplete="off"'
        f' autocapitalize="off" aria-describedby="study-hint">{first}</textarea>'
    )
    size = sum((files / name).stat().st_size for name in (package.MODULE, DATA)) / 1e6
    yield (
        '<p class="study-do"><button type="button" class="study-go">Ask</button>'
        '<button type="button" class="study-stop" hidden>Stop</button>'
        '<span id="study-hint">or Ctrl+Enter. The first question loads DuckDB and the data,'
        f" {size:.0f} MB, from this book; nothing is sent anywhere.</span></p>"
    )
    yield '<p class="study-state" role="status"></p>'
    yield '<pre class="study-fault" role="alert" tabindex="0" hidden></pre>'
    yield '<div class="study-answer" hidden></div>'
    yield "<noscript><p>It needs scripts, which are switched off here.</p></noscript>"
    text = json.dumps(_said(asked, contents, files), separators=(",", ":"), ensure_ascii=False)
    yield f'<script type="application/json">{text.replace("<", chr(92) + "u003c")}</script>'
    yield "</div>"
    yield f'<script defer src="{_address(files, "explore.js")}"></script>'


#: Colours of what has none of its own, in the order in which they are taken.
_IN_TURN: tuple[Hue, ...] = ("blue", "orange", "teal", "violet", "ochre", "slate", "grey")


def _address(files: Path, name: str) -> str:
    """Where a page finds a file: another one where it holds something else."""
    return f"../{FOLDER}/{name}?v={content_sha256(files / name)[:8]}"


def _said(asked: Sequence[Question], contents: Contents, files: Path) -> dict[str, Any]:
    """What the script of the page is told."""
    # gzip has the size of what it packed at its end
    plain = int.from_bytes((files / package.MODULE).read_bytes()[-4:], "little")
    names = ("worker.js", package.WORKER, package.MODULE, DATA)
    return {
        "questions": [each.model_dump() for each in asked],
        "origins": {table.name: list(table.origins) for table in contents.tables},
        "files": {name: _address(files, name) for name in names},
        "bytes": plain,
        "config": of_page(theme.config()),
        "colours": colours(),
        "hues": [HUES[name] for name in _IN_TURN],
    }


def _left_out(contents: Contents, asked: Sequence[tuple[str, str]]) -> Iterator[str]:
    said = ["Raw records, and the models that bring them into one form, are not here"]
    if contents.left_out:
        large = ", ".join(f"`{name}` ({rows:,} rows)" for name, rows in contents.left_out)
        said.append(f"nor is what would be too much to load: {large}")
    yield f"{', '.join(said)}. `studybook sql` asks all of it, where the book is made."
    for question, reason in asked:
        why = f"“{question}”: {reason.rstrip('.')}."
        yield f"\nA question of the book is left out, {html.escape(why)}"


def _list(tables: Sequence[Table]) -> Iterator[str]:
    """Each table with what a row is, how many there are, where they come from, and its columns."""
    yield '<div class="study-table study-tables" tabindex="0"><table><thead><tr>'
    for head in ("Table", "Rows", "Origin", "Of"):
        yield f'<th scope="col">{head}</th>'
    yield "</tr></thead><tbody>"
    for table in tables:
        name = html.escape(table.name)
        yield (
            '<tr><td data-label="Table"><button type="button" class="study-look">'
            f"<code>{name}</code></button> {html.escape(table.meaning)}"
        )
        yield f"<details><summary>{counted(len(table.columns), 'column')}</summary><ul>"
        for column, kind, unit, meaning in table.columns:
            of = f"{kind}, {unit}" if unit else kind
            said = html.escape(f"{of}. {meaning}" if meaning else of)
            yield f"<li><code>{html.escape(column)}</code> {said}</li>"
        badges = " ".join(map(badge, sorted(table.origins, key=origin_place))) or "–"
        # Of figures, their list names several in one cell.
        badges = "–" if any("," in origin for origin in table.origins) else badges
        yield (
            f'</ul></details></td><td class="short" data-label="Rows">{table.rows:,}</td>'
            f'<td data-label="Origin">{badges}</td>'
            f'<td class="short" data-label="Of">{table.group}</td></tr>'
        )
    yield "</tbody></table></div>"
