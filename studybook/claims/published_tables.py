"""The tables of a document as data, beside what runs and captures say of the same.

``data/published/<study>/tables.yml`` holds them: facts of the document in our own words. A row may
name metrics that hold the same quantity; what the data set at hand says is then shown in columns of
its own, with its origin and whether it is as published.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, StrictFloat, StrictInt, StrictStr, model_validator

from studybook.checked_yaml import Strict, read_yaml
from studybook.claims.judge import CannotJudge, evidence
from studybook.claims.published_values import Published
from studybook.dataset.definition import Factors, check_study
from studybook.dataset.paths import project_root
from studybook.errors import StudyBookError, did_you_mean
from studybook.formats.raw import sha256
from studybook.study import provenance
from studybook.study.study import Study
from studybook.table import Table, badge
from studybook.units import metric

#: The number of a table: whole, or as text two with a point between (2.10 as a number is 2.1).
Number = Annotated[StrictInt, Field(ge=1)] | Annotated[StrictStr, Field(pattern=r"^\d+\.\d+$")]

_SAME, _DIFFERS, _ABSENT = "as published", "differs", "not in the data"
#: The class by which the style sheet knows each of them.
_CLASSES = {_SAME: "holds", _DIFFERS: "fails", _ABSENT: "unjudged"}


class Datum(Strict):
    """A metric that says the same as a row of a table, and the published value in its unit."""

    metric: str
    of: Factors = Field(default_factory=dict)
    label: str = ""
    value: StrictInt | StrictFloat | StrictStr | None = None
    at_least: StrictInt | StrictFloat | None = None
    at_most: StrictInt | StrictFloat | None = None

    @model_validator(mode="after")
    def _known(self) -> Self:
        try:
            metric(self.metric)
        except StudyBookError as error:
            raise ValueError(str(error)) from error
        if self.value is not None and (self.at_least, self.at_most) != (None, None):
            raise ValueError("give a value or bounds, not both")
        return self

    def agrees(self, mean: float, text: str) -> bool | None:
        """Whether what the data say is as published; None where nothing was published."""
        if isinstance(self.value, str):
            return text == self.value
        if self.value is not None:
            # A count or a setting is exact; a mean has as many digits as its metric prints.
            return math.isclose(mean, self.value, abs_tol=0.5 * 10 ** -metric(self.metric).decimals)
        if self.at_least is None and self.at_most is None:
            return None
        return (self.at_least is None or mean >= self.at_least) and (
            self.at_most is None or mean <= self.at_most
        )


class Row(Strict):
    """A row: its cells, and what of the data set at hand says the same."""

    cells: tuple[StrictStr, ...] = Field(min_length=1)
    data: tuple[Datum, ...] = ()


class PublishedTable(Strict):
    """A table of the document; its number may have two parts, such as ``2.1``."""

    number: Number
    title: str
    place: str
    note: str = ""
    columns: tuple[str, ...] = Field(min_length=1)
    rows: tuple[Row, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _even(self) -> Self:
        for number, row in enumerate(self.rows, 1):
            if len(row.cells) != len(self.columns):
                raise ValueError(
                    f"row {number} has {len(row.cells)} cells for {len(self.columns)} columns"
                )
        return self


class PublishedTables(Strict):
    """All tables of a document, in their order."""

    study: str
    tables: tuple[PublishedTable, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        numbers = [_parts(table.number) for table in self.tables]
        if numbers != sorted(set(numbers)):
            raise ValueError("tables: their numbers must rise, and none may stand there twice")
        return self

    def cell(self, number: str, row: str, column: str = "") -> str:
        """A cell as the document has it, by the first cell of its row and the name of its column.

        Raises
        ------
        StudyBookError
            If there is no such table, row or column.
        """
        table = self.table(number)
        rows = {each.cells[0]: each.cells for each in table.rows}
        if row not in rows:
            raise _unknown(f"Table {number} has no row {row!r}", row, rows)
        if column and column not in table.columns:
            raise _unknown(f"Table {number} has no column {column!r}", column, table.columns)
        return rows[row][table.columns.index(column) if column else -1]

    def table(self, number: int | str) -> PublishedTable:
        """A table by its number.

        Raises
        ------
        StudyBookError
            If there is no such table.
        """
        found = next((each for each in self.tables if str(each.number) == str(number)), None)
        if found is None:
            last = self.tables[-1].number
            raise StudyBookError(f"the document has no Table {number}\n  → its last is {last}")
        return found


def _unknown(what: str, name: str, known: Iterable[str]) -> StudyBookError:
    hint = did_you_mean(name, known) or f"it has: {', '.join(known)}"
    return StudyBookError(f"{what}\n  → {hint}")


@dataclass(frozen=True)
class Tables:
    """The tables of a document, as a page shows them.

    Parameters
    ----------
    study : Study
        The data set at hand.
    published : Published
        What else was published of the study: its document, and the baseline of its factors.
    content : PublishedTables
        The tables.
    """

    study: Study
    published: Published
    content: PublishedTables

    def table(self, number: int | str) -> Table:
        """A table by its number, with what the data set says of the same beside it.

        Raises
        ------
        StudyBookError
            If there is no such table.
        """
        found = self.content.table(number)
        provenance.note_published_marks(
            self.published.document.title, [f"Table {number}, {found.place}"]
        )
        caption = f"Table {number} as published: {found.place}. {found.note}".strip()
        if not any(row.data for row in found.rows):
            return Table(found.columns, [row.cells for row in found.rows], caption)
        columns = [*found.columns, "In the data", "Origin", "Compared"]
        rows = [[*row.cells, *self._in_the_data(row)] for row in found.rows]
        return Table(columns, rows, caption, {"Origin": _origin, "Compared": _compared})

    def _in_the_data(self, row: Row) -> tuple[str, str, str]:
        """The values of the data set for a row, where they come from, and how the two compare."""
        if not row.data:
            return "–", "", ""
        said, reasons, origins, agreed = [], [], set(), []
        for datum in row.data:
            try:
                found = evidence(self.study, datum.metric, datum.of, self.published.baseline)
            except CannotJudge as reason:
                reasons.append(str(reason))
                continue
            shown = _shown(datum, found.sample.mean, found.text)
            said.append(f"{shown} ({datum.label})" if datum.label else shown)
            origins.add(found.origin)
            agreed.append(datum.agrees(found.sample.mean, found.text))
        cell = "; ".join(dict.fromkeys(said)) or "–"
        if reasons:
            cell += "\n" + "; ".join(dict.fromkeys(reasons))
        return cell, ", ".join(sorted(origins)), _comparison(agreed)


def read(study: Study, published: Published) -> Tables:
    """Read the tables of a study's document, and note that the notebook used them.

    Parameters
    ----------
    study : Study
        The data set at hand.
    published : Published
        What else was published of the study.

    Raises
    ------
    StudyBookError
        If the file is missing or wrong.
    """
    path = place(project_root(), published.study)
    name = path.relative_to(project_root()).as_posix()
    provenance.note_published(name, sha256(path), published.document.title)
    return Tables(study, published, content(project_root(), published.study))


def place(root: Path, study: str) -> Path:
    """The file with the tables of a study's document."""
    return root / "data/published" / study / "tables.yml"


def content(root: Path, study: str) -> PublishedTables:
    """Read the tables of a study's document; the study's own metrics must be known.

    Raises
    ------
    StudyBookError
        If the file is missing or wrong.
    """
    found = read_yaml(place(root, study), PublishedTables)
    check_study(place(root, study), found.study, study)
    return found


def _parts(number: int | str) -> tuple[int, ...]:
    return tuple(int(part) for part in str(number).split("."))


def _shown(datum: Datum, mean: float, text: str) -> str:
    known = metric(datum.metric)
    if not text:
        return known.show(mean)
    # Some metrics count what they name.
    return text if mean == 0 else f"{known.show(mean)}: {text}"


def _comparison(agreed: list[bool | None]) -> str:
    if not agreed:
        return _ABSENT
    judged = [each for each in agreed if each is not None]
    if not judged:
        return ""
    return _SAME if all(judged) else _DIFFERS


def _origin(text: str) -> str:
    return " ".join(badge(each) for each in text.split(", ") if each)


def _compared(text: str) -> str:
    if not text:
        return ""
    return f'<span class="verdict-{_CLASSES[text]}">{html.escape(text)}</span>'
